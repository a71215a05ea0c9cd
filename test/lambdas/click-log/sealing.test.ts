import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { befalling, dying, meanwhile } from '../../support/clicks/befalling.ts';
import type { fakeBucket } from '../../support/clicks/fake-bucket.ts';
import { atEnd, type Log, nextMonth, oldMonth, useLog } from '../../support/clicks/log.ts';
import { someNumbers } from '../../support/run/proof.ts';

const bucket = vi.hoisted(() => ({}) as ReturnType<typeof fakeBucket>);
vi.mock('../../../lambdas/outbound/click-files.ts', async () => {
  const { fakeBucket } = await import('../../support/clicks/fake-bucket.ts');
  return Object.assign(bucket, fakeBucket()).module;
});

let log: Log;
beforeAll(async () => {
  await import('../../../lambdas/outbound/click-files.ts');
  log = await useLog(bucket);
});
beforeEach(() => bucket.calm());

const linkId = 'lnk_AAAAAAAAAAAAAAAAAAAAAAAAAAAA';
const slugs = (rows: readonly { readonly slug?: unknown }[]) => rows.map(({ slug }) => String(slug)).sort();

/** Clicks on both sides of a month's end, of two visitors, with more on the same day. */
const clicksAtEnd = () => [
  log.newClick({ linkId, at: atEnd(-7_200), visitor: 'v1' }),
  log.newClick({ linkId, at: atEnd(-3_600), visitor: 'v1' }),
  log.newClick({ linkId, at: atEnd(-1), visitor: 'v2' }),
  log.newClick({ linkId, at: atEnd(0), visitor: 'v2' }),
  log.newClick({ linkId, at: atEnd(60) }),
];

/** A workspace with these clicks in its tail, in two pieces. */
async function newTail(clicks = clicksAtEnd()) {
  const workspaceId = await log.newLog();
  await log.writeTail(workspaceId, 'ShardA', clicks.slice(0, 3));
  await log.writeTail(workspaceId, 'ShardB', clicks.slice(3));
  return { workspaceId, clicks };
}

/** Expects each click to be in one file, once, and the tail to be empty. */
async function expectSealed(workspaceId: string, clicks: readonly { readonly slug: string }[]) {
  expect(slugs(await log.inFiles(workspaceId))).toEqual(slugs(clicks));
  expect(await log.inTail(workspaceId)).toEqual([]);
}

const uniqueIn = async (workspaceId: string) => slugs((await log.inFiles(workspaceId)).filter(({ is_unique }) => is_unique));

test('A tail becomes a file for each month (UTC), and is then gone.', async () => {
  const { workspaceId, clicks } = await newTail();
  expect(await log.seal(workspaceId)).toBe('sealed');
  expect(bucket.keysOf(workspaceId)).toEqual([
    `month=${oldMonth}/000001-000001-0.parquet`,
    `month=${nextMonth}/000001-000001-0.parquet`,
  ]);
  await expectSealed(workspaceId, clicks);
  expect(await uniqueIn(workspaceId)).toEqual(slugs([clicks[0], clicks[2], clicks[3]].filter((click) => click !== undefined)));
});

test('The next tail gets the next number, even with late clicks.', async () => {
  const { workspaceId, clicks } = await newTail();
  await log.seal(workspaceId);
  const late = [
    log.newClick({ linkId, at: atEnd(-10_000), visitor: 'v1' }),
    log.newClick({ linkId, at: atEnd(-9_000), visitor: 'v3' }),
  ];
  await log.writeTail(workspaceId, 'ShardC', late);
  expect(await log.seal(workspaceId)).toBe('sealed');
  expect(bucket.keysOf(workspaceId)).toContain(`month=${oldMonth}/000002-000002-0.parquet`);
  await expectSealed(workspaceId, [...clicks, ...late]);
  // The late click is earlier, but sealed clicks keep their uniqueness.
  expect(await uniqueIn(workspaceId)).toEqual(
    slugs([clicks[0], clicks[2], clicks[3], late[1]].filter((click) => click !== undefined)),
  );
});

test('An empty tail makes no file.', async () => {
  const workspaceId = await log.newLog();
  expect(await log.seal(workspaceId)).toBe('sealed');
  expect(bucket.keysOf(workspaceId)).toEqual([]);
});

test('A very large tail is sealed in parts.', async () => {
  const { workspaceId, clicks } = await newTail();
  expect(await log.seal(workspaceId, 1)).toBe('sealed');
  expect((await log.inTail(workspaceId)).length).toBeGreaterThan(0);
  expect(await log.slugsOf(workspaceId)).toEqual(slugs(clicks));
  while ((await log.inTail(workspaceId)).length > 0) await log.seal(workspaceId, 1);
  await expectSealed(workspaceId, clicks);
});

test.for(['before', 'after'] as const)(
  'A death %s any call loses no click and doubles none, and the next run completes the work.',
  async (when) => {
    for (const number of someNumbers(8)) {
      const { workspaceId, clicks } = await newTail();
      const { error } = await befalling(bucket, dying(number, when), () => log.seal(workspaceId));
      expect(await log.slugsOf(workspaceId)).toEqual(slugs(clicks));
      const unique = error ? undefined : await uniqueIn(workspaceId);
      await log.seal(workspaceId);
      await expectSealed(workspaceId, clicks);
      expect(await uniqueIn(workspaceId)).toHaveLength(3);
      if (error) continue;
      expect(number).toBeGreaterThan(15);
      expect(unique).toHaveLength(3);
      return;
    }
  },
);

/** Runs `other` before each call of a run, each time with a new tail, and then `then`. */
async function beforeEachCall(
  other: (workspaceId: string, clicks: readonly ReturnType<Log['newClick']>[]) => Promise<unknown>,
  then: (workspaceId: string, clicks: readonly ReturnType<Log['newClick']>[], number: number) => Promise<void>,
) {
  for (const number of someNumbers(8)) {
    const { workspaceId, clicks } = await newTail();
    const { calls } = await befalling(
      bucket,
      meanwhile(number, () => other(workspaceId, clicks)),
      () => log.seal(workspaceId),
    );
    if (number >= calls) return;
    await then(workspaceId, clicks, number);
  }
}

test('Whenever a second run seals the same tail during the first, each click is in one file.', async () => {
  await beforeEachCall(
    (workspaceId) => log.seal(workspaceId),
    async (workspaceId, clicks) => {
      expect(await log.slugsOf(workspaceId)).toEqual(slugs(clicks));
      await log.seal(workspaceId);
      await expectSealed(workspaceId, clicks);
      expect(await uniqueIn(workspaceId)).toHaveLength(3);
    },
  );
});

test('A run that loses the race for a number leaves the clicks that only it has read in the tail.', async () => {
  const { workspaceId, clicks } = await newTail(clicksAtEnd().slice(0, 2));
  const more = log.newClick({ linkId, at: atEnd(-10) });
  const [later, made] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  let other: Promise<unknown> = Promise.resolve();
  let puts = 0;
  bucket.state.befall = async ([name], execute) => {
    if (name !== 'putNewFile') return execute();
    if (++puts > 1) {
      // The other run has read one more click, and has not seen a file yet.
      later.resolve();
      await made.promise;
      return execute();
    }
    await log.writeTail(workspaceId, 'ShardG', [more]);
    other = log.seal(workspaceId);
    await later.promise;
    const result = execute();
    made.resolve();
    return result;
  };
  expect(await log.seal(workspaceId)).toBe('sealed');
  expect(await other).toBe('lost');
  bucket.calm();
  expect(slugs(await log.inTail(workspaceId))).toContain(more.slug);
  await log.seal(workspaceId);
  await expectSealed(workspaceId, [...clicks, more]);
});

test('Several runs at the same time leave each click in one file.', async () => {
  const { workspaceId, clicks } = await newTail();
  const results = await Promise.all(Array.from({ length: 6 }, () => log.seal(workspaceId)));
  expect(results).toContain('sealed');
  await log.seal(workspaceId);
  await expectSealed(workspaceId, clicks);
});

test('Whenever during a run a batch is delivered again in other pieces, no click is doubled or lost.', async () => {
  const more = log.newClick({ linkId, at: atEnd(-1_800), visitor: 'v4' });
  await beforeEachCall(
    (workspaceId, clicks) => log.writeTail(workspaceId, 'ShardA', [...clicks.slice(0, 3), more]),
    async (workspaceId, clicks) => {
      expect(await log.slugsOf(workspaceId)).toEqual(slugs([...clicks, more]));
      await log.seal(workspaceId);
      await expectSealed(workspaceId, [...clicks, more]);
      expect(await uniqueIn(workspaceId)).toHaveLength(4);
    },
  );
});

test('Clicks that a split shard delivers again through another shard are in one file.', async () => {
  const { workspaceId, clicks } = await newTail();
  await log.seal(workspaceId);
  await log.writeTail(
    workspaceId,
    'ShardD',
    clicks.map((click) => ({ ...click, shard: 'ShardD' })),
  );
  await log.seal(workspaceId);
  await expectSealed(workspaceId, clicks);
  expect(bucket.keysOf(workspaceId)).toHaveLength(2);
});

test('Clicks that are erased after a run has read the tail are not in its files, and all others are.', async () => {
  const { workspaceId, clicks } = await newTail();
  const other = log.newClick({ linkId: 'lnk_BBBBBBBBBBBBBBBBBBBBBBBBBBBB', at: atEnd(-5) });
  const newer = log.newClick({ linkId, at: atEnd(-4), epoch: 1_900_000_000 });
  await log.writeTail(workspaceId, 'ShardC', [other, newer]);
  // The run has read the tail, and lists the files next.
  const isListing = ([name]: readonly [string, string]) => name === 'listFiles';
  bucket.state.befall = async (call, execute) => {
    if (isListing(call)) await log.noteErasure(workspaceId, linkId, 1_900_000_000);
    return execute();
  };
  await log.seal(workspaceId);
  bucket.calm();
  expect(clicks).toHaveLength(5);
  await expectSealed(workspaceId, [other, newer]);
});

test('Sealing deletes expired clicks.', async () => {
  const workspaceId = await log.newLog();
  const expired = log.newClick({ at: new Date(Date.now() - 1_101 * log.dayMs).toISOString() });
  const kept = log.newClick({ at: new Date(Date.now() - 1_099 * log.dayMs).toISOString() });
  await log.writeTail(workspaceId, 'ShardA', [expired, kept]);
  await log.seal(workspaceId);
  await expectSealed(workspaceId, [kept]);
});

test('If the response to a PUT is lost, the tail stays as it is, and the next run completes the work.', async () => {
  for (const arrives of [true, false]) {
    const { workspaceId, clicks } = await newTail();
    bucket.state.befall = async ([name], execute) => {
      if (name !== 'putNewFile') return execute();
      if (arrives) await execute();
      throw Object.assign(new Error('no answer'), { name: 'TimeoutError' });
    };
    await expect(log.seal(workspaceId)).rejects.toThrow('no answer');
    bucket.calm();
    expect(await log.inTail(workspaceId)).toHaveLength(clicks.length);
    expect(await log.slugsOf(workspaceId)).toEqual(slugs(clicks));
    await log.seal(workspaceId);
    await expectSealed(workspaceId, clicks);
  }
});

test('A listed file that is missing or unreadable ends the run, which makes, replaces and deletes nothing.', async () => {
  const { workspaceId, clicks } = await newTail();
  await log.seal(workspaceId);
  const more = [log.newClick({ linkId, at: atEnd(-20), visitor: 'v1' }), log.newClick({ linkId, at: atEnd(30) })];
  await log.writeTail(workspaceId, 'ShardC', more);
  const [key = ''] = [...bucket.files.keys()].filter((name) => name.includes(`workspace=${workspaceId}/month=${oldMonth}`));
  const good = bucket.files.get(key);
  if (!good) throw new Error('no file');
  bucket.files.set(key, { ...good, content: good.content.subarray(0, 100) });
  const before = new Map(bucket.files);
  await expect(log.seal(workspaceId)).rejects.toThrow('magic bytes');
  expect(bucket.files).toEqual(before);
  bucket.state.befall = async ([name, file], execute) => {
    if (name === 'getFile' && file === key) throw Object.assign(new Error(`no file ${key}`), { name: 'NoSuchKey' });
    return execute();
  };
  await expect(log.seal(workspaceId)).rejects.toThrow(key);
  bucket.calm();
  expect(bucket.files).toEqual(before);
  expect(await log.inTail(workspaceId)).toHaveLength(more.length);
  bucket.files.set(key, good);
  await log.seal(workspaceId);
  await expectSealed(workspaceId, [...clicks, ...more]);
});

test('Late clicks of a deleted workspace are deleted, and make no file.', async () => {
  const { workspaceId } = await newTail();
  await log.noteGone(workspaceId, Date.now());
  await log.deleteWorkspaceItem(workspaceId);
  expect(await log.seal(workspaceId)).toBe('gone');
  expect(bucket.keysOf(workspaceId)).toEqual([]);
  expect(await log.inTail(workspaceId)).toEqual([]);
});

test('Clicks of a workspace that is missing in the tables, as after a restoration, are kept in files.', async () => {
  const { workspaceId, clicks } = await newTail();
  await log.deleteWorkspaceItem(workspaceId);
  expect(await log.seal(workspaceId)).toBe('sealed');
  await expectSealed(workspaceId, clicks);
});

test('Whenever during a run its workspace is deleted, it makes no file that the deletion cannot find.', async () => {
  let listed: string[] = [];
  await beforeEachCall(
    async (workspaceId) => {
      await log.beginDeletion(workspaceId);
      listed = bucket.keysOf(workspaceId);
    },
    async (workspaceId) => {
      expect(bucket.keysOf(workspaceId).filter((key) => !listed.includes(key))).toEqual([]);
      expect(await log.seal(workspaceId)).toBe('gone');
      expect(await log.inTail(workspaceId)).toEqual([]);
    },
  );
});

test("If a restored table's tail has clicks that were sealed since, each click is still in one file.", async () => {
  const { workspaceId, clicks } = await newTail();
  await log.seal(workspaceId);
  const newer = log.newClick({ linkId, at: atEnd(7_200), visitor: 'v9' });
  await log.writeTail(workspaceId, 'ShardB', [newer]);
  await log.seal(workspaceId);
  bucket.age(workspaceId, 34 * log.dayMs);
  // The tables are as they were before, but the files are new.
  await log.writeTail(workspaceId, 'ShardA', clicks.slice(0, 3));
  await log.writeTail(workspaceId, 'ShardB', clicks.slice(3));
  await log.tendMonth(workspaceId, oldMonth);
  await log.seal(workspaceId);
  await expectSealed(workspaceId, [...clicks, newer]);
});

test.for([-1, 1])('Clocks that are an hour apart double no click: S3 by %i hours.', async (hours) => {
  // The clicks are new, so the files are made in the same hour.
  const clicks = [0, 1, 2].map((index) =>
    log.newClick({ linkId, at: new Date(Date.now() - index).toISOString(), visitor: 'v1' }),
  );
  const { workspaceId } = await newTail(clicks);
  bucket.state.clock = () => Date.now() + hours * 60 * 60_000;
  await befalling(bucket, dying(15, 'after'), () => log.seal(workspaceId));
  await log.seal(workspaceId);
  await log.writeTail(workspaceId, 'ShardA', clicks);
  await log.seal(workspaceId);
  await expectSealed(workspaceId, clicks);
  expect(await uniqueIn(workspaceId)).toHaveLength(1);
});

test('A click with a future time, from a wrong clock, is sealed, too.', async () => {
  const click = log.newClick({ at: new Date(Date.now() + 60 * 60_000).toISOString() });
  const { workspaceId } = await newTail([click]);
  await log.seal(workspaceId);
  await log.writeTail(workspaceId, 'ShardE', [click]);
  await log.seal(workspaceId);
  await expectSealed(workspaceId, [click]);
});

test('A run that hung until its number was merged and deleted fails, and its file is ignored.', async () => {
  const { workspaceId, clicks } = await newTail(clicksAtEnd().slice(0, 3));
  const late = log.newClick({ linkId, at: atEnd(-30) });
  let isFirst = true;
  bucket.state.befall = async ([name], execute) => {
    if (name === 'putNewFile' && isFirst) {
      isFirst = false;
      // Others seal these and more clicks, and merge the files, while this run hangs.
      await log.seal(workspaceId);
      await log.writeTail(workspaceId, 'ShardF', [late]);
      await log.seal(workspaceId);
      bucket.age(workspaceId, 40 * log.dayMs);
      await log.tendMonth(workspaceId, oldMonth);
      bucket.age(workspaceId, log.dayMs);
      await log.tendMonth(workspaceId, oldMonth);
      expect(bucket.keysOf(workspaceId)).toEqual([`month=${oldMonth}/000001-000002-1.parquet`]);
    }
    return execute();
  };
  await expect(log.seal(workspaceId)).rejects.toThrow('was replaced before it was made');
  bucket.calm();
  expect(slugs(await log.inFiles(workspaceId))).toEqual(slugs([...clicks, late]));
});
