import { beforeAll, expect, test } from 'vitest';
import { type Click, nothingKnown } from '../../../../lambdas/core/click/click.ts';
import { newClick } from '../../../../lambdas/core/click/new-click.ts';
import type { Link } from '../../../../lambdas/core/link/link.ts';
import { clickItem } from '../../../../lambdas/store/clicks/clicks.ts';
import type { FoundLink } from '../../../../lambdas/store/links/links.ts';
import { countKey, erasedNoteKey, linkKeyOf } from '../../../../lambdas/store/table/keys.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { contextWith } from '../../../support/http/invoke.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
let count: typeof import('../../../../lambdas/events/count-clicks.ts').handler;
let erasure: typeof import('../../../../lambdas/store/erasures/erasure.ts');
let notes: typeof import('../../../../lambdas/store/clicks/erased-notes.ts');
beforeAll(async () => {
  store = await useStore();
  ({ handler: count } = await import('../../../../lambdas/events/count-clicks.ts'));
  erasure = await import('../../../../lambdas/store/erasures/erasure.ts');
  notes = await import('../../../../lambdas/store/clicks/erased-notes.ts');
});

const at = Date.parse('2030-01-02T03:04:05.678Z');
let sequence = 0;

/** Records a click by a visitor of this version of the link. */
async function visit(link: Link): Promise<Click> {
  const click = newClick(link, at, nothingKnown);
  await store.putItem(clickItem(click));
  return click;
}

/** Counts clicks as they arrive from the stream. */
const deliver = (clicks: readonly Click[]) =>
  count(
    {
      shardId: 'shardId-erasure',
      Records: clicks.map((click) => {
        const { pk, sk } = clickItem(click);
        return {
          dynamodb: {
            Keys: { pk: { S: pk }, sk: { S: sk } },
            NewImage: { workspaceId: { S: click.workspaceId }, host: { S: click.host }, epoch: { N: String(click.epoch) } },
            SequenceNumber: String(++sequence),
            ApproximateCreationDateTime: 1_900_000_000,
          },
        };
      }),
    },
    contextWith(20_000),
  );

async function newLink() {
  const workspace = await store.newWorkspace();
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = found;
  const now = async () => (await store.findLink(workspace.workspaceId, link.id)) as Link;
  const clickCount = async () => (await store.getLink(workspace.workspaceId, link.id))?.clickCount;
  const records = async () => {
    const parts = Array.from({ length: 16 }, (_, part) =>
      Array.fromAsync(store.query({ pk: `CLICK#${link.id}#${part}`, between: ['0', ':'] })),
    );
    return (await Promise.all(parts)).flat();
  };
  const isSwept = async () => (await store.getItem({ pk: `ERASURE#${link.id}`, sk: 'SWEEP' })) === undefined;
  return { link, now, clickCount, records, isSwept, sweep: () => erasure.erasePage(link.id) };
}

const epochOfNote = async ({ id, workspaceId }: Link) => (await notes.erasedLinks(workspaceId)).get(id);
const epochOfSweep = async ({ id }: Link) => (await store.getItem({ pk: `ERASURE#${id}`, sk: 'SWEEP' }))?.epoch;

test('Erased clicks stop counting at once, and are removed with the first pages of the sweep.', async () => {
  const { link, now, clickCount, records, isSwept, sweep } = await newLink();
  await deliver([await visit(link), await visit(link)]);
  expect([await clickCount(), (await records()).length]).toEqual([2, 2]);
  await erasure.eraseClicks(link);
  expect([await clickCount(), (await records()).length]).toEqual([0, 2]);
  const after = await visit(await now());
  while (!(await isSwept())) await sweep();
  expect([await clickCount(), (await records()).length]).toEqual([0, 1]);
  await deliver([after]);
  expect(await clickCount()).toBe(1);
});

test('A late click of a visit before the erasure is erased when it would be counted.', async () => {
  const { link, now, clickCount, records, isSwept, sweep } = await newLink();
  await erasure.eraseClicks(link);
  while (!(await isSwept())) await sweep();
  const late = await visit(link);
  const next = await visit(await now());
  expect((await records()).length).toBe(2);
  await deliver([late]);
  await deliver([next]);
  expect([await clickCount(), (await records()).length]).toEqual([1, 1]);
});

test('If two erasures run at once, the clicks are erased once, and neither fails.', async () => {
  const { link, now, clickCount, isSwept, sweep } = await newLink();
  await deliver([await visit(link)]);
  await overtaken(
    () => erasure.eraseClicks(link),
    () => erasure.eraseClicks(link),
  );
  const { clickEpoch } = await now();
  expect([await epochOfNote(link), await epochOfSweep(link), await clickCount()]).toEqual([clickEpoch, clickEpoch, 0]);
  while (!(await isSwept())) await sweep();
});

test('An erasure is noted under the workspace at once, as long as rows of clicks are kept, and the latest one is kept.', async () => {
  const { link, now } = await newLink();
  expect(await epochOfNote(link)).toBeUndefined();
  for (let again = 0; again < 2; again++) {
    const before = await now();
    await erasure.eraseClicks(before);
    const { clickEpoch } = await now();
    expect(clickEpoch).toBeGreaterThan(before.clickEpoch);
    expect(await epochOfNote(link)).toBe(clickEpoch);
  }
  const { ttl } = (await store.getItem(erasedNoteKey(link.workspaceId, link.id))) ?? {};
  expect(Number(ttl)).toBeGreaterThan(Date.now() / 1_000 + 1_099 * 24 * 60 * 60);
});

test.for([
  ['a link whose clicks were never erased', 0, 1_900_000_000_999, 1_900_000_000],
  ['a link that was restored to an earlier epoch', 1_800_000_000, 1_900_000_000_000, 1_900_000_000],
  ['a second erasure in the same second', 1_900_000_000, 1_900_000_000_999, 1_900_000_001],
  ['a clock that was set back', 1_900_000_000, 1_800_000_000_000, 1_900_000_001],
] as const)('The epoch of %s is later than any before.', ([, clickEpoch, now, next]) => {
  expect(erasure.nextEpoch({ clickEpoch }, now)).toBe(next);
});

test.for([
  ['as the table', 1_000],
  ['an hour behind', 3_600_000],
] as const)(
  'A link that is restored to epoch 0 and erased again uses no epoch twice, with a clock that is %s.',
  async ([, ms]) => {
    const { link, now } = await newLink();
    // A clock that was ahead, or is now behind.
    await erasure.eraseClicks(link, erasure.nextEpoch(link, Date.now() + ms));
    const { clickEpoch: first } = await now();
    await store.updateItem(linkKeyOf(link.id), { text: 'REMOVE #clickEpoch' });
    await erasure.eraseClicks(await now());
    const { clickEpoch: second } = await now();
    expect(second).toBeGreaterThan(first);
    expect([await epochOfNote(link), await epochOfSweep(link)]).toEqual([second, second]);
  },
);

test('The clicks of a link that is deleted meanwhile cannot be erased, because the link is not found.', async () => {
  const { link } = await newLink();
  const erasing = overtaken(
    () => store.deleteLink({ link, clickCount: 0 }),
    () => erasure.eraseClicks(link),
  );
  await expect(erasing).rejects.toMatchObject({ code: 'not_found' });
});

/** Ways to delete a link. */
const deletions: Record<string, (found: FoundLink) => Promise<unknown>> = {
  'a deletion': (found) => store.deleteLink(found),
  'a bulk deletion': (found) => store.deleteLinks(found.link.workspaceId, [found]),
};

test.for(Object.entries(deletions))(
  'If %s of a link overlaps an erasure, a late click from before is removed.',
  async ([, remove]) => {
    const { link, records, isSwept, sweep } = await newLink();
    await overtaken(
      () => erasure.eraseClicks(link),
      () => remove({ link, clickCount: 0 }),
    );
    while (!(await isSwept())) await sweep();
    const late = await visit(link);
    await deliver([late]);
    expect([await store.findLink(link.workspaceId, link.id), await records()]).toEqual([undefined, []]);
  },
);

test('A sweep that continues after the closed counter of a deleted link has expired makes no counter.', async () => {
  const { link, now, isSwept, sweep } = await newLink();
  await erasure.eraseClicks(link);
  await store.deleteLink({ link: await now(), clickCount: 0 });
  // The table removes it after 48 hours.
  await store.deleteItem(countKey(link.id));
  while (!(await isSwept())) await sweep();
  expect(await store.getItem(countKey(link.id))).toBeUndefined();
});

test('A sweep and the deletion of its link leave one counter, which expires, whichever is first.', async () => {
  for (const command of ['GetItem', 'UpdateItem'] as const) {
    const { link, now, isSwept, sweep } = await newLink();
    await erasure.eraseClicks(link);
    const number = command === 'GetItem' ? 1 : 0;
    await overtaken(async () => store.deleteLink({ link: await now(), clickCount: 0 }), sweep, { command, number });
    expect([await isSwept(), await store.getItem(countKey(link.id))]).toMatchObject([
      true,
      { epoch: expect.any(Number), ttl: expect.any(Number) },
    ]);
  }
});

const changes: Record<string, (found: FoundLink) => Promise<unknown>> = {
  change: (found) => store.updateLink(found, { title: 'New' }, { asRead: true }),
  'change of the tags': async (found) => {
    const { id } = await store.createTag(found.link.workspaceId, { name: 'Tag', color: '#123456' });
    return store.updateLink(found, { tagIds: [id] }, { asRead: true });
  },
  deletion: (found) => store.deleteLink(found, { asRead: true }),
};

test.for(Object.entries(changes))(
  "A %s of a link version is refused if the link's clicks have been erased since.",
  async ([, change]) => {
    const { link, now } = await newLink();
    await erasure.eraseClicks(link);
    await expect(change({ link, clickCount: 2 })).rejects.toMatchObject({ code: 'precondition_failed' });
    const { clickEpoch, title, tagIds } = await now();
    expect({ clickEpoch, title, tagIds }).toEqual({ clickEpoch: await epochOfNote(link), title: null, tagIds: [] });
  },
);

test('A sweep that is repeated or overtaken by another erasure removes only erased clicks.', async () => {
  const { link, now, records, isSwept, sweep } = await newLink();
  await deliver([await visit(link)]);
  await erasure.eraseClicks(link);
  const second = await visit(await now());
  await Promise.all([sweep(), sweep()]);
  expect((await records()).map(({ sk }) => String(sk).split('#').at(-1))).toEqual([second.id]);
  await erasure.eraseClicks(await now());
  await sweep();
  expect([await records(), await isSwept()]).toEqual([[], true]);
  await sweep();
});
