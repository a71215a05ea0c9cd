import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { isMerged, parseLogFileKey } from '../../../lambdas/click-log/files.ts';
import type { ClickRow } from '../../../lambdas/core/click/row.ts';
import { befalling, dying, meanwhile } from '../../support/clicks/befalling.ts';
import type { fakeBucket } from '../../support/clicks/fake-bucket.ts';
import { atEnd, type Log, nextMonth, oldMonth, useLog } from '../../support/clicks/log.ts';
import { contextWith } from '../../support/http/invoke.ts';
import { someNumbers } from '../../support/run/proof.ts';

const bucket = vi.hoisted(() => ({}) as ReturnType<typeof fakeBucket>);
vi.mock('../../../lambdas/outbound/click-files.ts', async () => {
  const { fakeBucket } = await import('../../support/clicks/fake-bucket.ts');
  return Object.assign(bucket, fakeBucket()).module;
});

let log: Log;
let handler: typeof import('../../../lambdas/events/seal-clicks.ts').handler;
let notes: typeof import('../../../lambdas/store/clicks/erased-notes.ts');
let replayNote: typeof import('../../../lambdas/operator/click-replay.ts').replayNote;
let keys: typeof import('../../../lambdas/store/table/keys.ts');
beforeAll(async () => {
  await import('../../../lambdas/outbound/click-files.ts');
  log = await useLog(bucket);
  keys = await import('../../../lambdas/store/table/keys.ts');
  ({ handler } = await import('../../../lambdas/events/seal-clicks.ts'));
  notes = await import('../../../lambdas/store/clicks/erased-notes.ts');
  ({ replayNote } = await import('../../../lambdas/operator/click-replay.ts'));
});
beforeEach(async () => {
  bucket.calm();
  bucket.files.clear();
  vi.spyOn(console, 'error').mockImplementation(() => {});
  await log.putItem({ ...keys.mergeRoundKey, startedAt: new Date().toISOString(), token: 'before', isDone: true });
});

const [linkId, otherId] = ['lnk_AAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'lnk_BBBBBBBBBBBBBBBBBBBBBBBBBBBB'] as const;
const minute = 60_000;
const hourly = (ms = 300_000) => handler({ isHourly: true }, contextWith(ms));
const slugs = (rows: readonly { readonly slug?: unknown }[]) => rows.map(({ slug }) => String(slug)).sort();
const inFiles = async (workspaceId: string) => slugs(await log.inFiles(workspaceId));
/** The time until erasures are due, in days; undefined if there are none. */
async function dueIn(workspaceId: string): Promise<number | undefined> {
  const due = (await notes.dueErasures(Date.now() + 10 * log.dayMs)).filter((erasure) => erasure.workspaceId === workspaceId);
  const [at] = due.map(({ position }) => Date.parse(position.split('#')[0] ?? '')).sort();
  return at && Math.round((at - Date.now()) / log.dayMs);
}

/** Three files with clicks of two links in two months. */
async function newFiles() {
  const workspaceId = await log.newLog();
  const others = [-7_200, 60].map((seconds) => log.newClick({ linkId: otherId, at: atEnd(seconds), visitor: 'v1' }));
  const erased = [-7_000, -60, 100].map((seconds) => log.newClick({ linkId, at: atEnd(seconds), visitor: 'v2' }));
  for (const rows of [[others[0], erased[0]], [erased[1]], [erased[2], others[1]]]) {
    await log.writeTail(workspaceId, 'ShardA', rows as ClickRow[]);
    await log.seal(workspaceId);
  }
  return { workspaceId, others, erased };
}
const erase = (workspaceId: string) => log.noteErasure(workspaceId, linkId, 1_800_000_000, 2 * minute);
/** The names of all files, without their revisions. */
const numbers = (workspaceId: string) => bucket.keysOf(workspaceId).map((key) => key.slice(0, key.lastIndexOf('-')));

test('Within the hour after an erasure, files with erased clicks are replaced by others without them; others stay as they are.', async () => {
  const { workspaceId, others } = await newFiles();
  const newer = log.newClick({ linkId, at: atEnd(-50), epoch: 1_900_000_000 });
  await log.writeTail(workspaceId, 'ShardB', [newer]);
  await log.seal(workspaceId);
  const before = new Map(bucket.files);
  await erase(workspaceId);
  await hourly();
  expect(await inFiles(workspaceId)).toEqual(slugs([...others, newer]));
  // The file of the newer click has no erased click.
  expect(numbers(workspaceId)).toEqual([
    `month=${oldMonth}/000001-000001`,
    `month=${oldMonth}/000001-000001`,
    `month=${oldMonth}/000002-000002`,
    `month=${oldMonth}/000002-000002`,
    `month=${oldMonth}/000003-000003`,
    `month=${nextMonth}/000001-000001`,
    `month=${nextMonth}/000001-000001`,
  ]);
  for (const [key, file] of before) expect(bucket.files.get(key)).toEqual(file);
  // An hour later, the replaced files are deleted.
  bucket.age(workspaceId, 61 * minute);
  await log.deleteItem(keys.mergeRoundKey);
  await hourly();
  expect(bucket.keysOf(workspaceId)).toHaveLength(4);
  expect(await inFiles(workspaceId)).toEqual(slugs([...others, newer]));
});

test('A rewritten file has the same columns, types and order, and the other clicks as they were.', async () => {
  const { workspaceId, others } = await newFiles();
  const [key = ''] = [...bucket.files.keys()];
  const describe = (name: string) => log.columnsIn(name);
  const before = { columns: await describe(key), rows: (await log.rowsIn(key)).filter(({ link_id }) => link_id === otherId) };
  await erase(workspaceId);
  await hourly();
  const anew = [...bucket.files.keys()].find((name) => name !== key && name.startsWith(key.slice(0, key.lastIndexOf('-')))) ?? '';
  expect({ columns: await describe(anew), rows: await log.rowsIn(anew) }).toEqual(before);
  expect(before.rows.map(({ slug }) => slug)).toEqual([others[0]?.slug]);
});

test('Clicks in merged files are erased, too, and merging leaves erased clicks out.', async () => {
  for (const isMergedBefore of [true, false]) {
    const { workspaceId, others } = await newFiles();
    bucket.age(workspaceId, 40 * log.dayMs);
    if (isMergedBefore) for (const month of [oldMonth, nextMonth]) await log.tendMonth(workspaceId, month);
    await erase(workspaceId);
    await hourly();
    expect(await inFiles(workspaceId)).toEqual(slugs(others));
    bucket.age(workspaceId, log.dayMs);
    await log.deleteItem(keys.mergeRoundKey);
    await hourly();
    expect(bucket.keysOf(workspaceId)).toHaveLength(2);
    for (const name of bucket.files.keys()) {
      const file = parseLogFileKey(name);
      if (file?.workspaceId === workspaceId) expect(isMerged(file)).toBe(true);
    }
    expect(await inFiles(workspaceId)).toEqual(slugs(others));
  }
});

test('If all clicks of a file are erased, an empty file remains, so that no number is missing.', async () => {
  const { workspaceId, others } = await newFiles();
  await erase(workspaceId);
  await hourly();
  const late = log.newClick({ linkId: otherId, at: atEnd(-30) });
  await log.writeTail(workspaceId, 'ShardC', [late]);
  expect(await log.seal(workspaceId)).toBe('sealed');
  bucket.age(workspaceId, 61 * minute);
  await log.tendMonth(workspaceId, oldMonth);
  expect(numbers(workspaceId).filter((name) => name.includes(oldMonth))).toHaveLength(3);
  expect(await inFiles(workspaceId)).toEqual(slugs([...others, late]));
});

test('Clicks that were erased after a run had read them, and sealed after the sweep, leave the files two days later.', async () => {
  const workspaceId = await log.newLog();
  const [erased, other] = [log.newClick({ linkId, at: atEnd(-9) }), log.newClick({ linkId: otherId, at: atEnd(-8) })];
  await log.writeTail(workspaceId, 'ShardA', [erased, other]);
  bucket.state.befall = async ([name], execute) => {
    if (name === 'putNewFile') {
      bucket.calm();
      await erase(workspaceId);
      await hourly();
      expect(bucket.keysOf(workspaceId)).toEqual([]);
    }
    return execute();
  };
  await log.seal(workspaceId);
  expect(await inFiles(workspaceId)).toEqual(slugs([erased, other]));
  expect(await dueIn(workspaceId)).toBe(2);
  await hourly();
  expect(bucket.keysOf(workspaceId)).toHaveLength(1);
  await log.hastenErasures(workspaceId, 2 * log.dayMs + minute);
  await hourly();
  expect(await inFiles(workspaceId)).toEqual([other.slug]);
  expect(await dueIn(workspaceId)).toBeUndefined();
  // Queries leave out erased clicks as long as there may be rows.
  expect(await log.erasedLinks(workspaceId)).toEqual(new Map([[linkId, 1_800_000_000]]));
});

test('A second erasure of a link is swept like the first one.', async () => {
  const { workspaceId, others } = await newFiles();
  await erase(workspaceId);
  await hourly();
  expect(await dueIn(workspaceId)).toBe(2);
  const newer = log.newClick({ linkId, at: atEnd(-50), epoch: 1_800_000_000 });
  await log.writeTail(workspaceId, 'ShardB', [newer]);
  await log.seal(workspaceId);
  await log.noteErasure(workspaceId, linkId, 1_900_000_000, 2 * minute);
  await hourly();
  expect(await inFiles(workspaceId)).toEqual(slugs(others));
  expect(await dueIn(workspaceId)).toBe(2);
});

test.for(['before', 'after'] as const)(
  'A death %s any call of a sweep loses no other click, and the next runs complete it.',
  async (when) => {
    for (const number of someNumbers(15)) {
      const { workspaceId, others, erased } = await newFiles();
      await erase(workspaceId);
      const { error } = await befalling(bucket, dying(number, when), () => hourly());
      const left = await inFiles(workspaceId);
      expect(left).toEqual(expect.arrayContaining(slugs(others)));
      expect(new Set(left)).toHaveLength(left.length);
      expect(slugs([...others, ...erased])).toEqual(expect.arrayContaining(left));
      // The lease of the dead run expires.
      await log.deleteItem(keys.sealingLeaseKey(workspaceId));
      for (let again = 0; again < 3; again++) await hourly();
      expect(await inFiles(workspaceId)).toEqual(slugs(others));
      expect(await dueIn(workspaceId)).toBe(2);
      bucket.files.clear();
      if (error) continue;
      expect(number).toBeGreaterThan(20);
      return;
    }
  },
);

test.for(['before', 'after'] as const)(
  'A death %s any call of a merge, or of the deletion of replaced and expired files, loses and doubles no click.',
  async (when) => {
    for (const number of someNumbers(8)) {
      const { workspaceId, others, erased } = await newFiles();
      const all = slugs([...others, ...erased]);
      bucket.age(workspaceId, 40 * log.dayMs);
      const tend = () => log.tendMonth(workspaceId, oldMonth);
      const { error: merging } = await befalling(bucket, dying(number, when), tend);
      expect(await inFiles(workspaceId)).toEqual(all);
      await tend();
      expect(await inFiles(workspaceId)).toEqual(all);
      bucket.age(workspaceId, log.dayMs);
      const { error: deleting } = await befalling(bucket, dying(number, when), tend);
      expect(await inFiles(workspaceId)).toEqual(all);
      await tend();
      expect(bucket.keysOf(workspaceId)).toHaveLength(2);
      expect(await inFiles(workspaceId)).toEqual(all);
      bucket.files.clear();
      if (!merging && !deleting) return;
    }
  },
);

test('Whenever sealing, merging and another sweep interrupt a sweep, no other click is lost or doubled, and the sweep completes.', async () => {
  const [late, more] = [log.newClick({ linkId: otherId, at: atEnd(-20) }), log.newClick({ linkId, at: atEnd(-19) })];
  for (const number of someNumbers(15)) {
    const { workspaceId, others } = await newFiles();
    await erase(workspaceId);
    await log.writeTail(workspaceId, 'ShardC', [late, more]);
    const { calls } = await befalling(
      bucket,
      meanwhile(number, async () => {
        await log.seal(workspaceId);
        for (const month of [oldMonth, nextMonth]) await log.tendMonth(workspaceId, month, true);
        await hourly();
      }),
      () => hourly(),
    );
    if (number >= calls) return;
    await log.seal(workspaceId);
    await hourly();
    expect(await inFiles(workspaceId)).toEqual(slugs([...others, late]));
    expect(await dueIn(workspaceId)).toBe(2);
    bucket.files.clear();
  }
});

test('If a file cannot be read, or another run has the lease, the erasure stays due, and other workspaces are swept.', async () => {
  const [broken, held, fine] = [await newFiles(), await newFiles(), await newFiles()];
  for (const { workspaceId } of [broken, held, fine]) await erase(workspaceId);
  const key = [...bucket.files.keys()].find((name) => name.includes(broken.workspaceId)) ?? '';
  const good = bucket.files.get(key);
  if (good) bucket.files.set(key, { ...good, content: Buffer.from('PAR1 is how it begins') });
  const lease = { ...keys.sealingLeaseKey(held.workspaceId), owner: 'somebody', leaseUntil: Date.now() + 15_000 };
  await log.putItem(lease);
  await hourly();
  expect(await inFiles(fine.workspaceId)).toEqual(slugs(fine.others));
  expect(await Promise.all([broken, held, fine].map(({ workspaceId }) => dueIn(workspaceId)))).toEqual([-0, -0, 2]);
  if (good) bucket.files.set(key, good);
  await log.deleteItem(lease);
  await hourly();
  expect(await Promise.all([broken, held, fine].map(({ workspaceId }) => dueIn(workspaceId)))).toEqual([2, 2, 2]);
  for (const { workspaceId, others } of [broken, held]) expect(await inFiles(workspaceId)).toEqual(slugs(others));
});

test('A sweep that runs out of time continues in the next run, and the erasure stays due until all files are swept.', async () => {
  const { workspaceId, others } = await newFiles();
  await erase(workspaceId);
  await hourly(50_000);
  expect(bucket.keysOf(workspaceId)).toHaveLength(3);
  expect(await dueIn(workspaceId)).toBe(-0);
  await hourly();
  expect(await inFiles(workspaceId)).toEqual(slugs(others));
});

test('The files of a deleted workspace are deleted with all versions within the hour, late files and clicks two days later.', async () => {
  const [gone, other] = [await newFiles(), await newFiles()];
  const { workspaceId } = gone;
  const some = [...bucket.files].find(([key]) => key.includes(workspaceId));
  if (!some) throw new Error('no file');
  await log.deleteWorkspace(workspaceId, { wait: async () => {} });
  await log.hastenErasures(workspaceId, 2 * minute);
  bucket.versions.length = 0;
  await hourly();
  expect(bucket.keysOf(workspaceId)).toEqual([]);
  await log.writeTail(workspaceId, 'ShardZ', [log.newClick({ linkId })]);
  expect(await log.seal(workspaceId)).toBe('gone');
  expect([await log.inTail(workspaceId), bucket.keysOf(workspaceId)]).toEqual([[], []]);
  // A run that hung, and late clicks without an entry.
  bucket.files.set(...some);
  await log.writeTail(workspaceId, 'ShardZ', [log.newClick({ linkId })]);
  expect(await dueIn(workspaceId)).toBe(2);
  await log.hastenErasures(workspaceId, 2 * log.dayMs + minute);
  await hourly();
  expect([await log.inTail(workspaceId), bucket.keysOf(workspaceId)]).toEqual([[], []]);
  expect(await dueIn(workspaceId)).toBeUndefined();
  expect(bucket.versions).toEqual(Array(2).fill(`clicks/workspace=${workspaceId}/`));
  expect(await inFiles(other.workspaceId)).toEqual(slugs([...other.others, ...other.erased]));
});

test('A workspace that is missing in the tables, as after a restoration, keeps its files.', async () => {
  const { workspaceId, others, erased } = await newFiles();
  bucket.age(workspaceId, 40 * log.dayMs);
  await log.deleteWorkspaceItem(workspaceId);
  await erase(workspaceId);
  await log.deleteItem(keys.mergeRoundKey);
  await hourly();
  expect(bucket.keysOf(workspaceId)).toHaveLength(3);
  expect(await inFiles(workspaceId)).toEqual(slugs([...others, ...erased]));
});

test('A workspace that was deleted and then restored keeps its files, and its new clicks.', async () => {
  const { workspaceId, others, erased } = await newFiles();
  await log.noteGone(workspaceId, Date.now() - 2 * minute);
  const newer = log.newClick({ linkId, at: atEnd(300) });
  await log.writeTail(workspaceId, 'ShardA', [newer]);
  expect(await log.seal(workspaceId)).toBe('sealed');
  await hourly();
  expect(await inFiles(workspaceId)).toEqual(slugs([...others, ...erased, newer]));
  expect(await dueIn(workspaceId)).toBe(2);
});

test('A note of an erasure that is copied after a restoration sweeps the files again, and replaces no later note.', async () => {
  const { workspaceId, others } = await newFiles();
  const { gsi1pk: _, gsi1sk: __, ...settled } = notes.erasedNote(workspaceId, linkId, 1_800_000_000, Date.now());
  expect(await replayNote(settled, true, Date.now() - 2 * minute)).toBe(true);
  await hourly();
  expect(await inFiles(workspaceId)).toEqual(slugs(others));
  await replayNote({ ...settled, epoch: 7 }, true, Date.now());
  expect([...(await notes.erasedLinks(workspaceId))]).toEqual([[linkId, 1_800_000_000]]);
});

test.for([true, false])(
  'The note that a workspace was deleted is copied unless the workspace was restored: %s.',
  async (isLive) => {
    const workspaceId = await log.newLog();
    expect(await replayNote(keys.goneNoteKey(workspaceId), isLive, Date.now())).toBe(!isLive);
    expect(await notes.isNotedGone(workspaceId)).toBe(!isLive);
  },
);

test('A death before or after any call of the deletion of files leaves it due, and the next run completes it.', async () => {
  for (const when of ['before', 'after'] as const) {
    for (const number of someNumbers(10)) {
      const { workspaceId } = await newFiles();
      await log.noteGone(workspaceId, Date.now() - 2 * minute);
      await log.deleteWorkspaceItem(workspaceId);
      const { error } = await befalling(bucket, dying(number, when), () => hourly());
      await hourly();
      expect([bucket.keysOf(workspaceId), await dueIn(workspaceId)]).toEqual([[], 2]);
      if (!error) break;
    }
  }
});
