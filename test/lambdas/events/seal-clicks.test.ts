import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { alarming } from '../../../lambdas/core/alarms.ts';
import { clickFolder } from '../../../lambdas/core/click/files.ts';
import { largeTail } from '../../../lambdas/core/click/tail.ts';
import { localStage } from '../../../lib/stages/stages.ts';
import type { fakeBucket } from '../../support/clicks/fake-bucket.ts';
import { atEnd, type Log, nextMonth, oldMonth, useLog } from '../../support/clicks/log.ts';
import { contextWith } from '../../support/http/invoke.ts';
import { functionsOf, type Template } from '../../support/stacks/policies.ts';
import { stacksOf } from '../../support/stacks/stacks.ts';

const bucket = vi.hoisted(() => ({}) as ReturnType<typeof fakeBucket>);
vi.mock('../../../lambdas/outbound/click-files.ts', async () => {
  const { fakeBucket } = await import('../../support/clicks/fake-bucket.ts');
  return Object.assign(bucket, fakeBucket()).module;
});
/** Whether EventBridge's rule is on. */
const rule = vi.hoisted(() => ({ isOn: false }));
vi.mock('../../../lambdas/outbound/schedules.ts', () => ({
  switchRule: async (_name: string, isOn: boolean) => {
    rule.isOn = isOn;
  },
}));

let log: Log;
let handler: typeof import('../../../lambdas/events/seal-clicks.ts').handler;
let keys: typeof import('../../../lambdas/store/table/keys.ts');
beforeAll(async () => {
  process.env.SEALING_SCHEDULE = 'sealing';
  await import('../../../lambdas/outbound/click-files.ts');
  log = await useLog(bucket);
  keys = await import('../../../lambdas/store/table/keys.ts');
  ({ handler } = await import('../../../lambdas/events/seal-clicks.ts'));
});
/** The log's lines with a message. */
const logged: { readonly message: string }[] = [];
beforeEach(async () => {
  bucket.calm();
  rule.isOn = false;
  logged.length = 0;
  vi.spyOn(console, 'error').mockImplementation((line) => void logged.push(line));
  for await (const { workspaceId } of log.tailsToSeal()) await log.deleteItem(keys.tailEntryKey(workspaceId));
  await log.deleteItem(keys.mergeRoundKey);
  await log.deleteItem(keys.sealingScheduleKey);
});

const run = (event: Parameters<typeof handler>[0] = {}, ms = 300_000) => handler(event, contextWith(ms));
const daysAgo = (days: number) => new Date(Date.now() - days * log.dayMs).toISOString();
const linesOf = (wanted: string) => logged.filter(({ message }) => message === wanted);

/** A workspace with a click in its tail, and its entry. */
async function newTail({ since = daysAgo(10), bytes = 0, at = daysAgo(10) } = {}) {
  const workspaceId = await log.newLog();
  const click = log.newClick({ at: since });
  const written = await log.writeTail(workspaceId, 'ShardA', [click]);
  await log.putItem({ ...keys.tailEntryKey(workspaceId), bytes: Math.max(bytes, written), since, at: Date.parse(at) });
  return { workspaceId, click };
}
const entryOf = (workspaceId: string) => log.getItem(keys.tailEntryKey(workspaceId));
const isSealed = async (workspaceId: string) =>
  (await log.inTail(workspaceId)).length === 0 && bucket.keysOf(workspaceId).length === 1;

test('A run seals only tails that are due by age or by size.', async () => {
  const old = await newTail();
  const large = await newTail({ since: daysAgo(0), bytes: largeTail + 1 });
  const young = await newTail({ since: daysAgo(1) });
  await run();
  expect(await isSealed(old.workspaceId)).toBe(true);
  expect(await isSealed(large.workspaceId)).toBe(true);
  expect(bucket.keysOf(young.workspaceId)).toEqual([]);
  expect(await log.inTail(young.workspaceId)).toHaveLength(1);
  expect(await entryOf(old.workspaceId)).toBeUndefined();
  expect(await entryOf(young.workspaceId)).toBeDefined();
});

test('The schedule is on only while a tail is due.', async () => {
  await newTail({ since: daysAgo(1) });
  await run({ isHourly: true });
  expect(rule.isOn).toBe(false);
  const { workspaceId } = await newTail();
  // A run without time seals nothing, and the next one continues.
  await run({ isHourly: true }, 20_000);
  expect(rule.isOn).toBe(true);
  expect(bucket.keysOf(workspaceId)).toEqual([]);
  await run();
  expect(rule.isOn).toBe(false);
  expect(await isSealed(workspaceId)).toBe(true);
});

test('A tail that cannot be sealed does not prevent others, is retried, and is reported once it is a day late.', async () => {
  const failing = await newTail();
  const other = await newTail();
  bucket.state.befall = async ([name, key], execute) => {
    if (name === 'putNewFile' && key.includes(failing.workspaceId)) throw new Error('S3 refuses');
    return execute();
  };
  await run();
  expect(await isSealed(other.workspaceId)).toBe(true);
  expect(linesOf('a tail was not sealed')).toMatchObject([{ workspaceId: failing.workspaceId, reason: 'S3 refuses' }]);
  expect(rule.isOn).toBe(true);
  await run({ isHourly: true });
  expect(linesOf(alarming.tailOverdue)).toMatchObject([{ workspaceId: failing.workspaceId }]);
  bucket.calm();
  logged.length = 0;
  await run({ isHourly: true });
  expect(logged).toEqual([]);
  expect(await isSealed(failing.workspaceId)).toBe(true);
});

test('A tail that has been due for less than a day raises no alarm.', async () => {
  await newTail({ since: daysAgo(3) });
  bucket.state.befall = async ([name], execute) => {
    if (name === 'putNewFile') throw new Error('S3 refuses');
    return execute();
  };
  await run({ isHourly: true });
  expect(linesOf(alarming.tailOverdue)).toEqual([]);
});

test('The operator can seal tails that are not due, all or those of a workspace, and learns how many were sealed.', async () => {
  const [one, other] = [await newTail({ since: daysAgo(0) }), await newTail({ since: daysAgo(0) })];
  expect(await run({ now: { workspaceId: one.workspaceId } })).toEqual({ tails: 1, sealed: 1 });
  expect([await isSealed(one.workspaceId), await isSealed(other.workspaceId)]).toEqual([true, false]);
  const { tails = 0 } = (await run({ now: {} })) ?? {};
  expect([tails > 0, await isSealed(other.workspaceId)]).toEqual([true, true]);
  expect(await run({ now: { workspaceId: 'ws_none' } })).toEqual({ tails: 0, sealed: 0 });
  expect(await run()).toBeUndefined();
  const late = await newTail({ since: daysAgo(0) });
  expect(await run({ now: { workspaceId: late.workspaceId } }, 20_000)).toEqual({ tails: 1, sealed: 0 });
});

test('While a run seals a tail, another one leaves it alone.', async () => {
  const { workspaceId } = await newTail();
  await log.putItem({ ...keys.sealingLeaseKey(workspaceId), owner: 'somebody', leaseUntil: Date.now() + 4_000 });
  await run();
  expect(bucket.keysOf(workspaceId)).toEqual([]);
  expect(rule.isOn).toBe(true);
  await log.deleteItem(keys.sealingLeaseKey(workspaceId));
});

test('The tail of a deleted workspace is deleted with its entry.', async () => {
  const { workspaceId } = await newTail();
  await log.noteGone(workspaceId, Date.now());
  await log.deleteWorkspaceItem(workspaceId);
  await run();
  expect(await log.inTail(workspaceId)).toEqual([]);
  expect(bucket.keysOf(workspaceId)).toEqual([]);
  expect(await entryOf(workspaceId)).toBeUndefined();
});

/** A workspace with three files of one month, and one of the next month, all of this age. */
async function newFiles(days: number) {
  const workspaceId = await log.newLog();
  const clicks = [-7_200, -3_600, -1].map((seconds) => log.newClick({ at: atEnd(seconds), visitor: 'v1' }));
  for (const [index, click] of [...clicks, log.newClick({ at: atEnd(5) })].entries()) {
    await log.writeTail(workspaceId, `Shard${index}`, [click]);
    await log.seal(workspaceId);
  }
  bucket.age(workspaceId, days * log.dayMs);
  return { workspaceId, clicks };
}
const slugs = (rows: readonly { readonly slug?: unknown }[]) => rows.map(({ slug }) => String(slug)).sort();

/** The rights of each call: https://docs.aws.amazon.com/service-authorization/latest/reference/list_amazons3.html */
const rights: Readonly<Record<string, readonly string[]>> = {
  deleteFile: ['s3:DeleteObject'],
  deleteVersions: ['s3:DeleteObjectVersion', 's3:ListBucketVersions'],
  filesUnder: ['s3:ListBucket'],
  getFile: ['s3:GetObject'],
  listFiles: ['s3:ListBucket'],
  putNewFile: ['s3:PutObject'],
};
/** The function's rights in S3. */
const actions = functionsOf(stacksOf(localStage(3000)).events.toJSON() as Template)
  .filter(({ id }) => id.startsWith('sealclicks'))
  .flatMap(({ statements }) => statements.flatMap(({ Action }) => Action))
  .filter((action) => action.startsWith('s3:'));

test("The daily round merges months and deletes replaced files and those of deleted workspaces, which takes exactly the function's rights to files.", async () => {
  const earlier = bucket.calls.length;
  const { workspaceId } = await newFiles(36);
  const young = await newFiles(35);
  const before = slugs(await log.inFiles(workspaceId));
  await run();
  expect(bucket.keysOf(workspaceId)).toHaveLength(4);
  await run({ isHourly: true });
  expect(bucket.keysOf(workspaceId)).toHaveLength(6);
  expect(slugs(await log.inFiles(workspaceId))).toEqual(before);
  expect(bucket.keysOf(young.workspaceId)).toHaveLength(4);
  bucket.age(workspaceId, log.dayMs);
  // The day's round is done.
  await run({ isHourly: true });
  expect(bucket.keysOf(workspaceId)).toHaveLength(6);
  await log.deleteItem(keys.mergeRoundKey);
  await log.noteGone(young.workspaceId, Date.now() - 120_000);
  await log.deleteWorkspaceItem(young.workspaceId);
  await run({ isHourly: true });
  expect(bucket.keysOf(young.workspaceId)).toEqual([]);
  expect(bucket.keysOf(workspaceId)).toEqual([
    `month=${oldMonth}/000001-000003-1.parquet`,
    `month=${nextMonth}/000001-000001-1.parquet`,
  ]);
  expect(slugs(await log.inFiles(workspaceId))).toEqual(before);
  expect(linesOf(alarming.clicksNotMerged)).toEqual([]);
  const calls = bucket.calls.slice(earlier);
  expect([...new Set(calls.flatMap(([name]) => rights[name]))].sort()).toEqual(actions);
  for (const [, key] of calls) expect(key.startsWith(clickFolder)).toBe(true);
});

test("While a tail has a click of a month, the month's files are not merged, because they have the ids.", async () => {
  const { workspaceId, clicks } = await newFiles(40);
  await log.writeTail(workspaceId, 'ShardZ', clicks.slice(0, 1));
  await run({ isHourly: true });
  expect(bucket.keysOf(workspaceId).filter((key) => key.includes(oldMonth))).toHaveLength(3);
  expect(bucket.keysOf(workspaceId).filter((key) => key.includes(nextMonth))).toHaveLength(2);
});

test('A month with a missing or unreadable file is left as it is and reported, and the others are merged.', async () => {
  const lacking = await newFiles(40);
  const broken = await newFiles(40);
  const good = await newFiles(40);
  const filesOf = (workspaceId: string) =>
    [...bucket.files.keys()].filter((key) => key.includes(`${workspaceId}/month=${oldMonth}`));
  bucket.files.delete(filesOf(lacking.workspaceId)[1] ?? '');
  const [key = ''] = filesOf(broken.workspaceId);
  const file = bucket.files.get(key);
  if (file) bucket.files.set(key, { ...file, content: Buffer.from('PAR1 is how it begins') });
  await run({ isHourly: true });
  expect(filesOf(lacking.workspaceId)).toHaveLength(2);
  expect(filesOf(broken.workspaceId)).toHaveLength(3);
  expect(filesOf(good.workspaceId)).toHaveLength(4);
  const reported = linesOf(alarming.clicksNotMerged) as unknown as { workspaceId: string; month: string }[];
  expect(reported.map(({ workspaceId, month }) => `${workspaceId} ${month}`).sort()).toEqual(
    [`${lacking.workspaceId} ${oldMonth}`, `${broken.workspaceId} ${oldMonth}`].sort(),
  );
});

test('A round that runs out of time continues in the next run.', async () => {
  const workspaces = [await newFiles(40), await newFiles(40)].map(({ workspaceId }) => workspaceId).sort();
  const counts = () => workspaces.map((workspaceId) => bucket.keysOf(workspaceId).length);
  await run({ isHourly: true }, 40_000);
  expect(counts()).toEqual([4, 4]);
  const round = await log.getItem(keys.mergeRoundKey);
  expect(round).toMatchObject({ isDone: false });
  const after = [...bucket.files.keys()]
    .filter((key) => key.includes(workspaces[0] ?? ''))
    .sort()
    .at(-1);
  await log.putItem({ ...round, ...keys.mergeRoundKey, after });
  await run({ isHourly: true });
  expect(counts()).toEqual([4, 6]);
  expect(await log.getItem(keys.mergeRoundKey)).toMatchObject({ isDone: true });
});
