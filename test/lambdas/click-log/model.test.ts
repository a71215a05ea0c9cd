import fc from 'fast-check';
import { beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { isMerged, parseLogFileKey } from '../../../lambdas/click-log/files.ts';
import type { ClickRow } from '../../../lambdas/core/click/row.ts';
import { befalling, dying, meanwhile } from '../../support/clicks/befalling.ts';
import type { fakeBucket } from '../../support/clicks/fake-bucket.ts';
import { atEnd, type Log, nextMonth, oldMonth, useLog } from '../../support/clicks/log.ts';
import { runs } from '../../support/run/proof.ts';

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

const links = ['lnk_AAAAAAAAAAAAAAAAAAAAAAAAAAAA', 'lnk_BBBBBBBBBBBBBBBBBBBBBBBBBBBB'] as const;

/** A click: its link, its visitor if known, and its time, mostly on the days around a month's end. */
const anyClick = fc.record({
  link: fc.nat(1),
  visitor: fc.option(fc.constantFrom('v1', 'v2', 'v3')),
  seconds: fc.oneof(fc.integer({ min: -90_000, max: 90_000 }), fc.constantFrom(-1, 0)),
});

/** A shard's batch: some earlier clicks again, then new ones, in pieces of some size. */
const batch = fc.record({
  does: fc.constant('batch' as const),
  shard: fc.constantFrom('ShardA', 'ShardB', 'ShardC'),
  clicks: fc.array(anyClick, { maxLength: 6 }),
  again: fc.nat(4),
  pieces: fc.integer({ min: 1, max: 3 }),
});
/** A run may die at a call, or be overtaken by another run before a call. */
const mishap = fc.option(fc.record({ at: fc.nat(22), kind: fc.constantFrom('dies before', 'dies after', 'is overtaken') }), {
  freq: 2,
});
const step = fc.oneof(
  { weight: 5, arbitrary: batch },
  { weight: 5, arbitrary: fc.record({ does: fc.constant('seal' as const), mishap, mostBytes: fc.constantFrom(1, 1_000_000) }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('merge' as const), erases: fc.boolean(), mishap }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('age' as const), days: fc.constantFrom(1, 20, 40) }) },
  { weight: 1, arbitrary: fc.record({ does: fc.constant('erase' as const), link: fc.nat(1) }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

/** Carries out the steps, and checks the clicks after each. */
async function history(steps: readonly Step[]) {
  const workspaceId = await log.newLog();
  const clicks = new Map<string, ClickRow>();
  const byShard = new Map<string, ClickRow[]>();
  const epochs = [0, 0];
  /** Files that were checked, and their clicks by slug, with whether each is unique, and the number of its file. */
  const seenFiles = new Set<string>();
  const sealed = new Map<string, { readonly isUnique: boolean; readonly number: number }>();
  const dayKey = ({ linkId, epoch, visitor, at }: ClickRow) => `${linkId} ${epoch} ${visitor} ${at.slice(0, 10)}`;
  /** Whether a file still shows that the visitor has clicked the link on that day: merged files don't. */
  const isKnown = (key: string) =>
    [...sealed].some(([slug, { number }]) => {
      const click = clicks.get(slug);
      return click !== undefined && dayKey(click) === key && number > mergedUpTo(click.at.slice(0, 7));
    });
  const mergedUpTo = (month: string) =>
    Math.max(
      0,
      ...[...bucket.files.keys()].flatMap((key) => {
        const file = parseLogFileKey(key);
        return file?.workspaceId === workspaceId && file.month === month && isMerged(file) ? [file.last] : [];
      }),
    );

  const run = async (work: () => Promise<unknown>, befallen: typeof mishap extends fc.Arbitrary<infer T> ? T : never) => {
    if (!befallen) return work();
    const { at, kind } = befallen;
    const befall = kind === 'is overtaken' ? meanwhile(at, work) : dying(at, kind === 'dies before' ? 'before' : 'after');
    await befalling(bucket, befall, work);
  };

  /** Checks the new sealed files, in the order of their numbers: each click is new, and unique if the rule says so. */
  async function lookAtFiles() {
    const fresh = [...bucket.files.keys()]
      .filter((key) => key.includes(`workspace=${workspaceId}/`) && !seenFiles.has(key))
      .filter((key) => parseLogFileKey(key)?.revision === 0)
      .sort();
    for (const key of fresh) {
      seenFiles.add(key);
      const rows = (await log.rowsIn(key)).map(({ slug, is_unique }) => ({ slug: String(slug), is_unique }));
      expect(rows.filter(({ slug }) => sealed.has(slug))).toEqual([]);
      const own = rows.map(({ slug }) => clicks.get(slug)).filter((click) => click !== undefined);
      const firsts = new Set(
        [
          ...Map.groupBy(
            own.filter(({ visitor }) => visitor !== undefined),
            dayKey,
          ),
        ].flatMap(([day, some]) => {
          const [first] = some.toSorted((a, b) => (`${a.at.slice(0, 19)} ${a.id}` < `${b.at.slice(0, 19)} ${b.id}` ? -1 : 1));
          return isKnown(day) || !first ? [] : [first.slug];
        }),
      );
      for (const { slug, is_unique } of rows) expect(is_unique).toBe(firsts.has(slug));
      for (const { slug } of rows) sealed.set(slug, { isUnique: firsts.has(slug), number: parseLogFileKey(key)?.last ?? 0 });
    }
  }

  /** Checks that each click that is not erased exists once: in a file, or in the tail. */
  async function lookAtAll() {
    const there = (await log.slugsOf(workspaceId)).filter((slug) => isLeft(clicks.get(slug)));
    expect(there).toEqual(
      [...clicks.values()]
        .filter(isLeft)
        .map(({ slug }) => slug)
        .sort(),
    );
  }
  const isLeft = (click: ClickRow | undefined) =>
    click !== undefined && click.epoch >= (epochs[links.indexOf(click.linkId as never)] ?? 0);

  for (const one of steps) {
    if (one.does === 'batch') {
      const before = byShard.get(one.shard) ?? [];
      const made = one.clicks.map(({ link, visitor, seconds }) =>
        log.newClick({
          linkId: links[link] ?? links[0],
          epoch: epochs[link] ?? 0,
          at: atEnd(seconds),
          ...(visitor !== null && { visitor }),
          shard: one.shard,
        }),
      );
      for (const click of made) clicks.set(click.slug, click);
      byShard.set(one.shard, [...before, ...made]);
      const rows = [...before.slice(Math.max(0, before.length - one.again)), ...made];
      const size = Math.max(1, Math.ceil(rows.length / one.pieces));
      for (let index = 0; index < rows.length; index += size) {
        await log.writeTail(workspaceId, one.shard, rows.slice(index, index + size));
      }
    } else if (one.does === 'seal') {
      await run(() => log.seal(workspaceId, one.mostBytes), one.mishap);
    } else if (one.does === 'merge') {
      for (const month of [oldMonth, nextMonth]) await run(() => log.tendMonth(workspaceId, month, one.erases), one.mishap);
    } else if (one.does === 'age') {
      // Such old batches are not delivered again.
      if (one.days > 1) byShard.clear();
      bucket.age(workspaceId, one.days * log.dayMs);
    } else {
      epochs[one.link] = (epochs[one.link] ?? 0) + 1;
      await log.noteErasure(workspaceId, links[one.link] ?? links[0], epochs[one.link] ?? 0);
    }
    await lookAtFiles();
    await lookAtAll();
  }
  // In the end, all clicks are sealed and merged, and no erased click is left.
  while ((await log.inTail(workspaceId)).length > 0) await log.seal(workspaceId);
  await lookAtFiles();
  bucket.age(workspaceId, 40 * log.dayMs);
  for (const month of [oldMonth, nextMonth]) await log.tendMonth(workspaceId, month, true);
  await lookAtAll();
  bucket.age(workspaceId, log.dayMs);
  for (const month of [oldMonth, nextMonth]) await log.tendMonth(workspaceId, month);
  expect(bucket.keysOf(workspaceId).length).toBeLessThanOrEqual(2);
  const merged = await log.inFiles(workspaceId);
  expect(merged.filter(({ slug }) => !isLeft(clicks.get(String(slug))))).toEqual([]);
  expect(merged.map(({ slug, is_unique }) => [slug, is_unique]).sort()).toEqual(
    [...sealed].flatMap(([slug, { isUnique }]) => (isLeft(clicks.get(slug)) ? [[slug, isUnique]] : [])).sort(),
  );
}

test('However batches are repeated, and runs die, overlap and are repeated, each click is kept once, and is unique if the rule says so.', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 14 }), (steps) => history(steps)),
    { numRuns: runs(6) },
  );
});
