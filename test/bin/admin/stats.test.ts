import { Command } from 'commander';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { addStatsCommands } from '../../../bin/admin/stats.ts';
import type { Store as OperatorsStore } from '../../../bin/shared/store.ts';
import { randomBase62 } from '../../../lambdas/core/base62.ts';
import { type ClickRow, replayedShard } from '../../../lambdas/core/click/row.ts';
import { markName } from '../../../lambdas/store/clicks/marks.ts';
import { capKey, countKey, linkKeyOf } from '../../../lambdas/store/table/keys.ts';
import { localStage } from '../../../lib/stages/stages.ts';
import type { fakeBucket } from '../../support/clicks/fake-bucket.ts';
import { type Log, useLog } from '../../support/clicks/log.ts';
import { overtaken } from '../../support/faults/overtaken.ts';
import { countClicks } from '../../support/things/counting.ts';

const bucket = vi.hoisted(() => ({}) as ReturnType<typeof fakeBucket>);
vi.mock('../../../lambdas/outbound/click-files.ts', async () => {
  const { fakeBucket } = await import('../../support/clicks/fake-bucket.ts');
  return Object.assign(bucket, fakeBucket()).module;
});

let log: Log;
let store: OperatorsStore;
beforeAll(async () => {
  await import('../../../lambdas/outbound/click-files.ts');
  log = await useLog(bucket);
  store = await (await import('../../../bin/shared/store.ts')).openStore();
});
beforeEach(() => bucket.calm());

const hourAgo = () => new Date(Date.now() - 60 * 60_000).toISOString();
const daysAgo = (days: number) => new Date(Date.now() - days * log.dayMs).toISOString();

/** A workspace with a link whose clicks arrive through one shard. */
async function newLink() {
  const workspace = await log.newWorkspace();
  const [found] = await log.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { id, workspaceId } = found.link;
  const shardId = `shardId-${randomBase62(8)}`;
  let last = 0;
  const rowOf = (fields: Partial<ClickRow>) =>
    log.newClick({ linkId: id, at: hourAgo(), shard: markName(shardId), sequenceNumber: String(++last), ...fields });
  const keep = (rows: readonly ClickRow[]) => log.writeTail(workspaceId, markName(shardId), rows);
  const count = (rows: readonly ClickRow[]) =>
    countClicks(
      id,
      shardId,
      rows.map(({ epoch, sequenceNumber }) => ({ epoch, sequenceNumber, createdAt: 1_900_000_000 })),
    );
  /** Clicks that have rows and are counted. */
  const click = async (many: number, fields: Partial<ClickRow> = {}) => {
    const rows = Array.from({ length: many }, () => rowOf(fields));
    await keep(rows);
    await count(rows);
  };
  const now = async () => {
    const again = await log.getLink(workspaceId, id);
    if (!again) throw new Error('the link is gone');
    return again;
  };
  const clickCount = async () => (await now()).clickCount;
  const on = async (name: 'verify' | 'recount', ...args: string[]) => {
    const said = { code: 0, differences: [] as object[] };
    const program = new Command().exitOverride();
    addStatsCommands(program, {
      exitWith: (code) => {
        said.code = code;
      },
      settings: () => localStage(0).settings,
      run: (work) => async (options) => {
        const target = { openClickFiles: async () => {} } as never;
        Object.assign(said, await work(options, store, target));
      },
    });
    await program.parseAsync(['stats', name, '--workspace', workspaceId, ...args], { from: 'user' });
    return said;
  };
  return { workspace, link: found.link, id, workspaceId, rowOf, keep, count, click, now, clickCount, on };
}

/** Changes the count of a link, as a restoration may leave it. */
const setCountOf = (id: string, count: number) =>
  log.updateItem(countKey(id), { text: 'SET #count = :count', values: { ':count': count } });

const nothing = { code: 0, links: 1, differences: [] };

test('Counts agree with the rows of the tail and of files, even while a click that has a row is not counted yet.', async () => {
  const { click, rowOf, keep, workspaceId, on } = await newLink();
  await click(2, { at: daysAgo(40) });
  expect(await log.seal(workspaceId)).toBe('sealed');
  await click(3);
  await keep([rowOf({})]);
  expect(await on('verify')).toEqual(nothing);
});

test.for([
  ['too low', 1, []],
  ['too high', 9, ['--lower']],
] as const)(
  'A count that is %s is reported and not changed by `verify`, and corrected by `recount`.',
  async ([, wrong, args]) => {
    const { click, rowOf, keep, count, id, clickCount, on } = await newLink();
    await click(3);
    const late = rowOf({});
    await keep([late]);
    await setCountOf(id, wrong);
    const difference = { linkId: id, what: 'clickCount', found: wrong, expected: 3 };
    expect(await on('verify')).toMatchObject({ code: 1, differences: [difference] });
    expect(await clickCount()).toBe(wrong);
    expect(await on('recount', ...args)).toMatchObject({ code: 0, differences: [{ ...difference, repaired: true }] });
    expect(await clickCount()).toBe(3);
    // The click that was not counted yet is still counted once.
    await count([late]);
    await count([late]);
    expect([await clickCount(), await on('verify')]).toEqual([4, nothing]);
  },
);

test('A count that is higher than its rows is lowered only with --lower.', async () => {
  const { click, id, clickCount, on } = await newLink();
  await click(1);
  await setCountOf(id, 5);
  expect(await on('recount')).toMatchObject({ code: 1, differences: [{ repaired: false, lowers: true }] });
  expect(await clickCount()).toBe(5);
});

test('Clicks that no stream delivers any more are counted after two days, or at once with --settled.', async () => {
  for (const [at, ...args] of [[daysAgo(3)], [hourAgo(), '--settled']] as const) {
    const { rowOf, keep, clickCount, on } = await newLink();
    await keep([rowOf({ at }), rowOf({ at })]);
    if (args.length > 0) expect(await on('recount')).toEqual(nothing);
    expect(await on('recount', ...args)).toMatchObject({ code: 0, differences: [{ found: 0, expected: 2, repaired: true }] });
    expect(await clickCount()).toBe(2);
  }
});

test('A click that was replayed, and is then read from its stream again, is counted once.', async () => {
  const { rowOf, keep, count, clickCount, workspaceId, on } = await newLink();
  const click = rowOf({});
  await log.writeTail(workspaceId, replayedShard, [{ ...click, shard: replayedShard }]);
  expect(await on('recount')).toEqual(nothing);
  await keep([click]);
  await count([click]);
  expect([await on('recount'), await clickCount(), await on('verify', '--settled')]).toEqual([nothing, 1, nothing]);
});

test('A click that is counted between the comparison and the correction is neither lost nor counted twice.', async () => {
  const { click, rowOf, id, keep, count, clickCount, on } = await newLink();
  await click(3);
  await setCountOf(id, 1);
  const late = rowOf({});
  const counting = async () => {
    await keep([late]);
    await count([late]);
  };
  await overtaken(counting, () => on('recount'), { command: 'UpdateItem', number: 0 });
  await on('recount');
  expect([await clickCount(), await on('verify')]).toEqual([4, nothing]);
});

test("A link's count keeps its expired clicks.", async () => {
  const { click, link, clickCount, on } = await newLink();
  await click(2, { at: daysAgo(1_200) });
  await log.updateItem(linkKeyOf(link.id), { text: 'SET #createdAt = :at', values: { ':at': daysAgo(1_300) } });
  expect([await on('recount', '--lower'), await clickCount()]).toEqual([nothing, 2]);
});

test('A link that was restored to before its clicks were erased gets the epoch of the erasure, and its new clicks count.', async () => {
  const { click, link, id, workspaceId, clickCount, on, now } = await newLink();
  await click(2);
  await log.noteErasure(workspaceId, id, 1_900_000_000);
  await click(1, { epoch: 1_900_000_000 });
  expect(await clickCount()).toBe(1);
  const difference = { what: 'epoch', found: 0, expected: 1_900_000_000 };
  expect(await on('verify')).toMatchObject({ code: 1, differences: [difference] });
  expect(await on('recount')).toMatchObject({ code: 0, differences: [{ ...difference, repaired: true }] });
  expect([(await now()).link.clickEpoch, await clickCount(), await on('verify')]).toEqual([1_900_000_000, 1, nothing]);
  expect(link.clickEpoch).toBe(0);
});

test.for(['a link', 'a cap', 'no cap'] as const)(
  'If %s was restored without its later link or cap, visitors pass with a new cap, and with the old one after a recount.',
  async (restored) => {
    const one = await newLink();
    const { id } = one;
    const cappedAgain = async (maxClicks: number) => {
      await log.updateLink(await one.now(), { maxClicks: null });
      await log.updateLink(await one.now(), { maxClicks });
    };
    await log.updateLink(await one.now(), { maxClicks: 5 });
    await cappedAgain(6);
    const restore = {
      'a link': () => log.updateItem(linkKeyOf(id), { text: 'SET #capGeneration = :one', values: { ':one': 1 } }),
      'a cap': () => log.updateItem(capKey(id), { text: 'SET #generation = :one', values: { ':one': 1 } }),
      'no cap': () => log.deleteItem(capKey(id)),
    }[restored];
    const passes = async () => (await log.claimVisit((await one.now()).link)).isClaimed;
    expect(await passes()).toBe(true);

    await restore();
    expect(await passes()).toBe(false);
    expect(await one.on('verify')).toMatchObject({ code: 1, differences: [{ linkId: id, what: 'cap' }] });
    expect(await one.on('recount')).toMatchObject({ code: 0, differences: [{ what: 'cap', repaired: true }] });
    expect([await passes(), await one.on('verify')]).toEqual([true, nothing]);

    await restore();
    await cappedAgain(7);
    expect([await passes(), await one.on('verify')]).toEqual([true, nothing]);
  },
);

test('A click that is in two files is reported.', async () => {
  const { workspaceId, rowOf, on } = await newLink();
  const twice = rowOf({ at: daysAgo(3) });
  await log.writeTail(workspaceId, 'ShardA', [twice]);
  await log.seal(workspaceId);
  const folder = `clicks/workspace=${workspaceId}/month=${twice.at.slice(0, 7)}`;
  const file = bucket.files.get(`${folder}/000001-000001-0.parquet`);
  if (!file) throw new Error('no file');
  bucket.files.set(`${folder}/000002-000002-0.parquet`, file);
  expect((await on('verify')).differences).toContainEqual(
    expect.objectContaining({ what: 'duplicate', clickId: twice.id, found: 2, expected: 1 }),
  );
});
