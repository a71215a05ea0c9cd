import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { RowDimension } from '../../../lambdas/core/click/click.ts';
import type { ClickRow } from '../../../lambdas/core/click/row.ts';
import { befalling, meanwhile } from '../../support/clicks/befalling.ts';
import type { fakeBucket } from '../../support/clicks/fake-bucket.ts';
import { atEnd, type Log, oldMonth, useLog } from '../../support/clicks/log.ts';
import { someNumbers } from '../../support/run/proof.ts';

const bucket = vi.hoisted(() => ({}) as ReturnType<typeof fakeBucket>);
vi.mock('../../../lambdas/outbound/click-files.ts', async () => {
  const { fakeBucket } = await import('../../support/clicks/fake-bucket.ts');
  return Object.assign(bucket, fakeBucket()).module;
});

let log: Log;
let asking: typeof import('../../../lambdas/click-log/asking.ts');
let statistics: typeof import('../../../lambdas/click-log/statistics.ts');
let ranking: typeof import('../../../lambdas/click-log/ranking.ts');
beforeAll(async () => {
  await import('../../../lambdas/outbound/click-files.ts');
  log = await useLog(bucket);
  asking = await import('../../../lambdas/click-log/asking.ts');
  statistics = await import('../../../lambdas/click-log/statistics.ts');
  ranking = await import('../../../lambdas/click-log/ranking.ts');
});
beforeEach(() => bucket.calm());

const linkId = 'lnk_AAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const otherId = 'lnk_BBBBBBBBBBBBBBBBBBBBBBBBBBBB';
const range = { from: Date.parse(atEnd(-86_400)), to: Date.parse(atEnd(86_400)) };

/** A workspace with two visitors on both sides of a month's end. */
async function newTail(more: Partial<ClickRow> = {}) {
  const workspaceId = await log.newLog();
  const clicks = [
    log.newClick({ linkId, at: atEnd(-7_200), visitor: 'v1', country: 'DE', ...more }),
    log.newClick({ linkId, at: atEnd(-3_600), visitor: 'v1', country: 'FR', ...more }),
    log.newClick({ linkId: otherId, at: atEnd(-1), visitor: 'v2', country: 'DE', ...more }),
    log.newClick({ linkId, at: atEnd(0), visitor: 'v2', country: 'DE', ...more }),
    log.newClick({ linkId, at: atEnd(60), country: 'IT', ...more }),
  ];
  await log.writeTail(workspaceId, 'ShardA', clicks.slice(0, 3));
  await log.writeTail(workspaceId, 'ShardB', clicks.slice(2));
  return { workspaceId, clicks };
}

const askAll = (workspaceId: string, more: object = {}, groupBy: readonly RowDimension[] = [], groupLimit = 20) =>
  statistics.askStatistics(workspaceId, { ...range, ...more }, { starts: [range.from], groupBy, groupLimit });

test('A click counts once, whether it is in the tail, twice in the tail, in a file, or in a merged file.', async () => {
  const { workspaceId, clicks } = await newTail();
  const expectAll = async () => {
    expect((await askAll(workspaceId)).total).toEqual({ clicks: 5, unique: 3 });
  };
  await expectAll();
  await log.seal(workspaceId);
  await expectAll();
  // The batch is delivered again after its rows were sealed.
  await log.writeTail(workspaceId, 'ShardA', clicks.slice(0, 2));
  await expectAll();
  await log.seal(workspaceId);
  bucket.age(workspaceId, 40 * log.dayMs);
  await log.tendMonth(workspaceId, oldMonth);
  expect(bucket.keysOf(workspaceId)).toContain(`month=${oldMonth}/000001-000001-1.parquet`);
  await expectAll();
});

test('Whenever during a query a tail is sealed or a month is merged, each click counts once.', async () => {
  for (const number of someNumbers(6)) {
    const { workspaceId } = await newTail();
    let total: unknown;
    const question = async () => {
      total = (await askAll(workspaceId)).total;
    };
    const { calls } = await befalling(
      bucket,
      meanwhile(number, () => log.seal(workspaceId)),
      question,
    );
    expect(total, `sealed before call ${number}`).toEqual({ clicks: 5, unique: 3 });
    await log.seal(workspaceId);
    bucket.age(workspaceId, 40 * log.dayMs);
    await befalling(
      bucket,
      meanwhile(number, () => log.tendMonth(workspaceId, oldMonth)),
      question,
    );
    expect(total, `merged before call ${number}`).toEqual({ clicks: 5, unique: 3 });
    if (number < calls) continue;
    expect(number).toBeGreaterThan(9);
    return;
  }
});

test('Whenever during sealing a query runs, each click counts once.', async () => {
  for (const number of someNumbers(6)) {
    const { workspaceId } = await newTail();
    const totals: unknown[] = [];
    const { calls } = await befalling(
      bucket,
      meanwhile(number, async () => totals.push((await askAll(workspaceId)).total)),
      () => log.seal(workspaceId),
    );
    for (const total of totals) expect(total).toEqual({ clicks: 5, unique: 3 });
    if (number < calls) continue;
    return;
  }
});

/** Files of five clicks, of which one is erased, so that a sweep or a merge rewrites them. */
async function erasedFiles(mergeable: boolean) {
  const { workspaceId } = await newTail();
  await log.seal(workspaceId);
  if (mergeable) bucket.age(workspaceId, 40 * log.dayMs);
  await log.noteErasure(workspaceId, otherId, 1);
  return workspaceId;
}

test('Whenever a merge or a sweep of erased clicks and a query interrupt each other, each click that is not erased counts once.', async () => {
  for (const mergeable of [true, false]) {
    for (const swapped of [true, false]) {
      for (const number of someNumbers(6)) {
        const workspaceId = await erasedFiles(mergeable);
        const totals: unknown[] = [];
        const question = async () => totals.push((await askAll(workspaceId)).total);
        const sweep = () => log.tendMonth(workspaceId, oldMonth, true);
        const [first, second] = swapped ? [sweep, question] : [question, sweep];
        const { calls, error } = await befalling(bucket, meanwhile(number, second), first);
        expect(error).toBeUndefined();
        for (const total of totals) expect(total).toEqual({ clicks: 4, unique: 2 });
        if (number >= calls) break;
      }
    }
  }
});

test('A query restarts if a listed file is gone, and is refused if this happens again, or if a file is damaged.', async () => {
  const { workspaceId } = await newTail();
  await log.seal(workspaceId);
  const [key = ''] = [...bucket.files.keys()].filter((name) => name.includes(workspaceId));
  let gone = 1;
  bucket.state.befall = async ([name], execute) => {
    if (name === 'getFile' && gone-- > 0) throw Object.assign(new Error('gone'), { name: 'NoSuchKey' });
    return execute();
  };
  expect((await askAll(workspaceId)).total.clicks).toBe(5);
  const { workspaceId: second } = await newTail();
  await log.seal(second);
  gone = 100;
  await expect(askAll(second)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  bucket.calm();
  expect((await askAll(second)).total.clicks).toBe(5);
  const { workspaceId: third } = await newTail();
  await log.seal(third);
  const damaged = [...bucket.files.keys()].find((name) => name.includes(third)) ?? '';
  const file = bucket.files.get(damaged);
  if (!file) throw new Error('no file');
  bucket.files.set(damaged, { ...file, content: Buffer.from('PAR1 nonsense PAR1') });
  await expect(askAll(third)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  // Once the file is repaired, its damaged copy is not used again.
  bucket.files.set(damaged, file);
  expect((await askAll(third)).total.clicks).toBe(5);
  // A number is missing.
  await log.writeTail(second, 'ShardC', [log.newClick({ linkId, at: atEnd(-10) })]);
  await log.seal(second);
  for (const name of [...bucket.files.keys()]) if (name.includes(second) && name.includes('/000001-')) bucket.files.delete(name);
  await expect(askAll(second)).rejects.toMatchObject({ code: 'temporarily_unavailable' });
  expect(key).not.toBe('');
});

test("An answer has exactly the requested scope, filter, range and groups, and a group's rest counts the other values.", async () => {
  const { workspaceId } = await newTail();
  await log.seal(workspaceId);
  const { total, groups } = await askAll(workspaceId, {}, ['country', 'utmSource'], 1);
  expect(total).toEqual({ clicks: 5, unique: 3 });
  expect(groups).toEqual([
    {
      dimension: 'country',
      values: [{ value: 'DE', clicks: 3, unique: 3 }],
      rest: { values: 2, clicks: 2, unique: 0 },
    },
    {
      dimension: 'utmSource',
      values: [{ value: 'unknown', clicks: 5, unique: 3 }],
      rest: { values: 0, clicks: 0, unique: 0 },
    },
  ]);
  const of = async (more: object) => (await askAll(workspaceId, more)).total.clicks;
  expect(await of({ linkIds: [otherId] })).toBe(1);
  expect(await of({ linkIds: [] })).toBe(0);
  expect(await of({ host: 'go.example.com' })).toBe(5);
  expect(await of({ host: "' OR '1' = '1" })).toBe(0);
  expect(await of({ filter: { country: ['DE', 'IT'] } })).toBe(4);
  expect(await of({ filter: { country: ['DE'], utmSource: ["'); DROP TABLE rows; --"] } })).toBe(0);
  expect(await of({ to: Date.parse(atEnd(-1)) })).toBe(2);
  expect(await of({ from: Date.parse(atEnd(-1)), to: Date.parse(atEnd(0)) })).toBe(1);
});

test('The most clicked links are paged, with their clicks of the period before.', async () => {
  const { workspaceId } = await newTail();
  const half = { from: Date.parse(atEnd(-60)), to: Date.parse(atEnd(86_400)) };
  const first = await ranking.askRanking(workspaceId, half, { limit: 1 });
  expect(first).toEqual([
    { id: linkId, clicks: 2, unique: 1, previous: { clicks: 2, unique: 1 } },
    { id: otherId, clicks: 1, unique: 1, previous: { clicks: 0, unique: 0 } },
  ]);
  const [top] = first;
  expect(await ranking.askRanking(workspaceId, half, { limit: 1, after: top })).toEqual(first.slice(1));
});

test('Whenever during a query clicks are erased, it counts all or none of them, and the next one counts none.', async () => {
  for (let number = 0; ; number++) {
    const { workspaceId } = await newTail();
    if (number % 2 === 0) await log.seal(workspaceId);
    let total = 0;
    const { calls } = await befalling(
      bucket,
      meanwhile(number, () => log.noteErasure(workspaceId, linkId, 1)),
      async () => {
        total = (await askAll(workspaceId)).total.clicks;
      },
    );
    if (number >= calls) break;
    expect([1, 5]).toContain(total);
    expect((await askAll(workspaceId)).total.clicks).toBe(1);
  }
});

test('A query for more than a function can read is refused before anything is downloaded.', async () => {
  const { workspaceId } = await newTail();
  await log.seal(workspaceId);
  const before = bucket.calls.length;
  await expect(asking.askClicks(workspaceId, range, async (ask) => ask('SELECT 1'), 100)).rejects.toMatchObject({
    code: 'too_much_to_read',
  });
  expect(bucket.calls.slice(before).filter(([name]) => name === 'getFile')).toEqual([]);
});

test('A function downloads each file once, also for concurrent queries, and only files of the range.', async () => {
  const { workspaceId } = await newTail();
  await log.seal(workspaceId);
  const downloads = () =>
    bucket.calls.filter(([name, key]) => name === 'getFile' && key.includes(workspaceId)).map(([, key]) => key);
  await Promise.all(Array.from({ length: 4 }, () => askAll(workspaceId, { to: Date.parse(atEnd(0)) })));
  expect(downloads()).toEqual([expect.stringContaining(`month=${oldMonth}`)]);
  await askAll(workspaceId);
  await askAll(workspaceId);
  expect(downloads()).toHaveLength(2);
});
