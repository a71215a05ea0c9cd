import type { DynamoDBStreamEvent } from 'aws-lambda';
import { beforeAll, expect, test } from 'vitest';
import type { Link } from '../../../lambdas/core/link/link.ts';
import { pairKey, tagKey } from '../../../lambdas/store/table/keys.ts';
import { contextWith } from '../../support/http/invoke.ts';
import { sized } from '../../support/run/proof.ts';
import { type Store, useStore } from '../../support/store/store.ts';

let store: Store;
let handler: typeof import('../../../lambdas/events/sweep.ts').handler;
beforeAll(async () => {
  store = await useStore();
  ({ handler } = await import('../../../lambdas/events/sweep.ts'));
});

const count = sized(1_000, 10_000);

const sweep = (tagId: string) => {
  const event = { Records: [{ dynamodb: { Keys: { pk: { S: `TAG#${tagId}` } }, SequenceNumber: '1' } }] } as DynamoDBStreamEvent;
  return handler(event, contextWith(20_000));
};

/** Writes all items, 25 a call. */
const insert = async (items: Parameters<Store['insertItems']>[0]) => {
  for (const some of store.chunks(store.chunks(items, 25), 8)) {
    const results = await Promise.all(some.map((batch) => store.insertItems(batch)));
    expect(results.flat().filter((one) => one !== 'inserted')).toEqual([]);
  }
};

test(`A tag that was on ${count} links is taken off all of them, even by two sweeps at once, and other tags stay.`, async () => {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const [gone, kept] = await Promise.all(
    ['Gone', 'Kept'].map((name) => store.createTag(workspaceId, { name, color: '#000000' })),
  );
  const [sample] = await store.newLinks(workspace, 1);
  if (!gone || !kept || !sample) throw new Error('nothing made');
  const links = Array.from({ length: count }, (_, index): Link => {
    const number = index.toString(36).padStart(22, '0');
    return {
      ...sample.link,
      id: `lnk_${number}sweeps`,
      shortCode: `s${index}`,
      tagIds: index % 2 ? [gone.id, kept.id] : [gone.id],
    };
  });
  const pairs = links.flatMap(({ id, createdAt, tagIds }) =>
    tagIds.map((tagId) => ({ ...pairKey(tagId, { createdAt, id }), linkId: id, workspaceId })),
  );
  await insert([...links.map(store.linkItem), ...pairs]);
  await store.updateItem(tagKey(workspaceId, kept.id), { text: 'SET #linkCount = :count', values: { ':count': count / 2 } });
  await store.deleteTag(workspaceId, gone.id);

  const sweepKey = { pk: `TAG#${gone.id}`, sk: 'SWEEP' };
  for (let page = 0; await store.getItem(sweepKey); page++) {
    expect(page).toBeLessThanOrEqual(count / 100);
    // Every tenth page is delivered twice, and processed by two runs at once.
    const results = await Promise.all(Array.from({ length: page % 10 ? 1 : 2 }, () => sweep(gone.id)));
    expect(results.flatMap(({ batchItemFailures }) => batchItemFailures)).toEqual([]);
  }

  const pairsOf = async (tagId: string) => (await Array.fromAsync(store.query({ pk: `TAG#${tagId}`, skPrefix: 'LINK#' }))).length;
  expect([await pairsOf(gone.id), await pairsOf(kept.id)]).toEqual([0, count / 2]);
  expect((await store.getTag(workspaceId, kept.id))?.linkCount).toBe(count / 2);
  const items = await store.getItems(links.map(({ id }) => ({ pk: `LINK#${id.slice(4, 26)}`, sk: 'LINK' })));
  const wrong = items.filter((item, index) => String(item?.tagIds) !== (index % 2 ? kept.id : ''));
  expect(wrong).toEqual([]);
});
