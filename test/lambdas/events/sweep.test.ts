import type { DynamoDBStreamEvent } from 'aws-lambda';
import { beforeAll, describe, expect, test } from 'vitest';
import { underFaults } from '../../support/faults/faults.ts';
import { contextWith } from '../../support/http/invoke.ts';
import { type Store, useStore } from '../../support/store/store.ts';

let store: Store;
let handler: typeof import('../../../lambdas/events/sweep.ts').handler;
beforeAll(async () => {
  store = await useStore();
  ({ handler } = await import('../../../lambdas/events/sweep.ts'));
});

const eventOf = (tagId: string) =>
  ({
    Records: [{ dynamodb: { Keys: { pk: { S: `TAG#${tagId}` }, sk: { S: 'SWEEP' } }, SequenceNumber: '7' } }],
  }) as DynamoDBStreamEvent;

const sweep = (tagId: string) => handler(eventOf(tagId), contextWith(20_000));
const sweepOf = (tagId: string) => store.getItem({ pk: `TAG#${tagId}`, sk: 'SWEEP' });
const left = async (tagId: string) => Array.fromAsync(store.query({ pk: `TAG#${tagId}`, skPrefix: 'LINK#' }));

/** A deleted tag that is still on this many links, which have another tag, too. */
async function deletedTag(count: number) {
  const workspace = await store.newWorkspace();
  const [gone, kept] = await Promise.all(
    ['Gone', 'Kept'].map((name) => store.createTag(workspace.workspaceId, { name, color: '#000000' })),
  );
  if (!gone || !kept) throw new Error('no tags');
  const links = await store.newLinks(workspace, count);
  for (let at = 0; at < count; at += 20) {
    await Promise.all(links.slice(at, at + 20).map((found) => store.updateLink(found, { tagIds: [gone.id, kept.id] })));
  }
  await store.deleteTag(workspace.workspaceId, gone.id);
  const tagIdsOf = () =>
    Promise.all(links.map(async ({ link }) => (await store.getLink(workspace.workspaceId, link.id))?.link.tagIds));
  return { ...workspace, gone: gone.id, kept: kept.id, links, tagIdsOf };
}

describe('The sweep of a deleted tag', () => {
  test('The sweep removes the tag page by page from every link, and then ends.', async () => {
    const { gone, kept, tagIdsOf, workspaceId } = await deletedTag(230);
    const moves = [];
    while (await sweepOf(gone)) {
      expect(await sweep(gone)).toEqual({ batchItemFailures: [] });
      moves.push((await left(gone)).length);
    }
    expect(moves).toEqual([130, 30, 0]);
    expect(await tagIdsOf()).toEqual(Array.from({ length: 230 }, () => [kept]));
    expect((await store.getTag(workspaceId, kept))?.linkCount).toBe(230);
  });

  test('Pages that are repeated, or processed at once, have the same result.', async () => {
    const { gone, kept, tagIdsOf } = await deletedTag(120);
    while (await sweepOf(gone)) {
      const results = await Promise.all([1, 2, 3].map(() => sweep(gone)));
      expect(results.flatMap(({ batchItemFailures }) => batchItemFailures)).toEqual([]);
    }
    expect(await sweep(gone)).toEqual({ batchItemFailures: [] });
    expect(await left(gone)).toEqual([]);
    expect(await tagIdsOf()).toEqual(Array.from({ length: 120 }, () => [kept]));
  });

  test('The sweep skips links that are deleted or retagged meanwhile.', async () => {
    const { gone, kept, links, workspaceId, tagIdsOf } = await deletedTag(30);
    const deleted = links.slice(0, 5);
    for (const { link } of deleted) await store.deleteItem({ pk: `LINK#${link.id.slice(4, 26)}`, sk: 'LINK' });
    const retagging = links.slice(5, 15).map(async ({ link }) => {
      const found = await store.getLink(workspaceId, link.id);
      if (found) await store.updateLink(found, { tagIds: [] });
    });
    await Promise.all([sweep(gone), ...retagging]);
    while (await sweepOf(gone)) await sweep(gone);
    expect(await left(gone)).toEqual([]);
    expect((await tagIdsOf()).slice(5)).toEqual([
      ...Array.from({ length: 10 }, () => []),
      ...Array.from({ length: 15 }, () => [kept]),
    ]);
    // A link that was deleted without the store still counts; retagged ones do not.
    expect((await store.getTag(workspaceId, kept))?.linkCount).toBe(20);
  });

  test('The sweep reports a page that failed, so that it is retried, and nothing is lost.', async () => {
    const { gone, kept, tagIdsOf } = await deletedTag(12);
    const lost = ({ command }: { command: string }) => (command === 'TransactWriteItems' ? 'lost-after' : undefined);
    const { result } = await underFaults(lost, () => sweep(gone));
    expect(result).toEqual({ batchItemFailures: [{ itemIdentifier: '7' }] });
    while (await sweepOf(gone)) await sweep(gone);
    expect(await tagIdsOf()).toEqual(Array.from({ length: 12 }, () => [kept]));
  });
});

describe('restart-sweeps', () => {
  test('A sweep that has stalled for ten minutes is restarted, and one that has just moved is not.', async () => {
    const { handler: restart } = await import('../../../lambdas/events/restart-sweeps.ts');
    const [stalled, moving] = [await deletedTag(1), await deletedTag(1)];
    const past = '2020-01-01T00:00:00.000Z';
    await store.updateItem(
      { pk: `TAG#${stalled.gone}`, sk: 'SWEEP' },
      { text: 'SET #movedAt = :past', values: { ':past': past } },
    );
    const before = await sweepOf(moving.gone);
    await restart(undefined, contextWith(20_000));
    expect((await sweepOf(stalled.gone))?.movedAt).not.toBe(past);
    expect(await sweepOf(moving.gone)).toEqual(before);
  });
});
