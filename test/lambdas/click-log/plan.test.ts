import fc from 'fast-check';
import { expect, test } from 'vitest';
import { currentFiles, logFileKey, nextRevision } from '../../../lambdas/click-log/files.ts';
import { filesSince, type ListedFile, planMonth, withoutErased } from '../../../lambdas/click-log/plan.ts';

const now = Date.parse('2030-04-01T00:00:00.000Z');
const day = 24 * 60 * 60_000;

/** A file of January, such as `1-1-0`. */
function listed(name: string, daysOld = 40, size = 1_000): ListedFile {
  const [first = 0, last = 0, revision = 0] = name.split('-').map(Number);
  const file = { workspaceId: 'ws_A', month: '2030-01', first, last, revision };
  return { ...file, key: logFileKey(file), size, modifiedAt: now - daysOld * day };
}

const named = ({ first, last, revision }: { first: number; last: number; revision: number }) => `${first}-${last}-${revision}`;
const planned = (files: readonly ListedFile[], at = now) => {
  const { merges, superfluous, isBroken } = planMonth(files, at, 1_100);
  return {
    merges: merges.map(({ from, to }) => `${from.map(named).join(' ')} → ${named(to)}`),
    superfluous: superfluous.map(named),
    isBroken,
  };
};
const nothing = { merges: [], superfluous: [], isBroken: false };

test('The files of a month are merged 36 days after the last was made.', () => {
  const files = (daysOld: number) => [listed('1-1-0', 60), listed('2-2-0', 50), listed('3-3-0', daysOld)];
  expect(planned(files(36))).toEqual({ ...nothing, merges: ['1-1-0 2-2-0 3-3-0 → 1-3-1'] });
  expect(planned(files(100))).toEqual({ ...nothing, merges: ['1-1-0 2-2-0 3-3-0 → 1-3-1'] });
});

test("A file younger than that, which may be needed to find a restored table's duplicates, is not merged, nor are those after it.", () => {
  expect(planned([listed('1-1-0', 60), listed('2-2-0', 60), listed('3-3-0', 35.9)])).toEqual({
    ...nothing,
    merges: ['1-1-0 2-2-0 → 1-2-1'],
  });
  expect(planned([listed('1-1-0', 35), listed('2-2-0', 60)])).toEqual(nothing);
});

test('A month is not merged before it is over, however old its files are.', () => {
  const files = [listed('1-1-0', 3_000)];
  expect(planned(files, Date.parse('2030-01-31T23:59:59.999Z'))).toEqual(nothing);
  expect(planned(files, Date.parse('2030-02-01T00:00:00.000Z')).merges).toEqual(['1-1-0 → 1-1-1']);
});

test('A merged month is merged again only if a late click has a file.', () => {
  expect(planned([listed('1-3-1')])).toEqual(nothing);
  expect(planned([listed('1-3-1'), listed('4-4-0', 10)])).toEqual(nothing);
  expect(planned([listed('1-3-1'), listed('4-4-0')])).toEqual({ ...nothing, merges: ['1-3-1 4-4-0 → 1-4-1'] });
});

test('However often and lately a file was rewritten without erased clicks, it is merged when the original would have been.', () => {
  for (const times of [1, 2, 90]) {
    let file = listed('1-1-0', 36 + 1);
    for (let time = 0; time < times; time++) {
      const to = withoutErased(file);
      file = { ...to, key: logFileKey(to), size: 1_000, modifiedAt: now - day / 2 };
    }
    expect(planned([file, listed('2-2-0')]).merges).toEqual([`${named(file)} 2-2-0 → 1-2-1`]);
    expect(planned([file]).merges).toEqual([`${named(file)} → 1-1-${file.revision + 1}`]);
    expect(planned([file, listed('2-2-0')], now - 2 * day).merges).toEqual([]);
  }
  // A rewritten merged file counts as merged.
  expect(nextRevision(listed('1-3-1'))).toBe(3);
});

test('A day after all clicks of a month have expired, its files are deleted in an order that leaves no gap.', () => {
  const files = [listed('1-1-0'), listed('2-2-0'), listed('1-2-1', 1), listed('3-3-0')];
  const expired = Date.parse('2030-02-01') + 1_101 * day;
  expect(planned(files, expired - 1).superfluous).toEqual(['1-1-0', '2-2-0']);
  const gone = planned(files, expired).superfluous;
  expect(gone).toHaveLength(4);
  for (let deleted = 1; deleted <= 4; deleted++) {
    const left = files.filter((file) => !gone.slice(0, deleted).includes(named(file)));
    expect(planned(left).isBroken).toBe(false);
  }
  expect(planned([], expired)).toEqual(nothing);
});

test('The files of a month that is too large to merge are rewritten one by one.', () => {
  const files = [listed('1-1-0', 40, 100_000_000), listed('2-2-1', 40, 70_000_000), listed('3-3-0', 40, 5_000_001)];
  expect(planned(files).merges).toEqual(['1-1-0 → 1-1-1', '3-3-0 → 3-3-1']);
});

test('Only replaced files are deleted, an hour after their replacement was made.', () => {
  const files = (minutes: number) => [listed('1-1-0'), listed('2-2-0'), listed('1-2-1', minutes / 24 / 60), listed('3-3-0', 1)];
  expect(planned(files(59)).superfluous).toEqual([]);
  expect(planned(files(60)).superfluous).toEqual(['1-1-0', '2-2-0']);
});

test('If a number is missing, nothing is merged.', () => {
  expect(planned([listed('1-1-0'), listed('3-3-0')])).toEqual({ ...nothing, isBroken: true });
  expect(planned([listed('2-2-0')])).toEqual({ ...nothing, isBroken: true });
  expect(planned([])).toEqual(nothing);
});

test('However often a plan is carried out, whole or in part, each row is in exactly one current file.', () => {
  const fileOf = fc.record({ daysOld: fc.integer({ min: 0, max: 80 }), size: fc.constantFrom(1_000, 90_000_000) });
  const doing = fc.record({ takes: fc.nat(3), deletes: fc.nat(3), later: fc.constantFrom(0, 1, 40), seals: fc.boolean() });
  fc.assert(
    fc.property(fc.array(fileOf, { minLength: 1, maxLength: 6 }), fc.array(doing, { maxLength: 8 }), (made, doings) => {
      let time = now;
      let number = 0;
      /** By file, the numbers whose rows it has. */
      const rows = new Map<string, readonly number[]>();
      let files: ListedFile[] = [];
      const add = (file: ListedFile, has: readonly number[]) => {
        files.push(file);
        rows.set(file.key, has);
      };
      const seal = ({ daysOld, size }: { daysOld: number; size: number }) => {
        number++;
        add({ ...listed(`${number}-${number}-0`, 0, size), modifiedAt: time - daysOld * day }, [number]);
      };
      made.forEach(seal);
      for (const { takes, deletes, later, seals } of doings) {
        const { merges, superfluous, isBroken } = planMonth(files, time, 1_100);
        expect(isBroken).toBe(false);
        for (const { from, to } of merges.slice(0, takes)) {
          const size = from.reduce((sum, file) => sum + file.size, 0);
          const key = logFileKey(to);
          expect(rows.has(key)).toBe(false);
          add(
            { ...to, key, size, modifiedAt: time },
            from.flatMap((file) => rows.get(file.key) ?? []),
          );
        }
        const gone = superfluous.slice(0, deletes);
        files = files.filter((file) => !gone.includes(file));
        if (seals) seal({ daysOld: 0, size: 1_000 });
        const has = currentFiles(files).flatMap((file) => rows.get(file.key) ?? []);
        expect(has).toEqual(Array.from({ length: number }, (_, index) => index + 1));
        time += later * day;
      }
    }),
  );
});

test('Sealing reads only files that may have the same clicks, or others of the same day, even if clocks are a day apart.', () => {
  const since = new Date(now - 2 * day + 1_000).toISOString();
  const files = [listed('1-1-0', 3.1), listed('2-2-0', 2.9), listed('3-3-1', 0), listed('4-4-0', 0)];
  expect(filesSince(files, since).map(named)).toEqual(['2-2-0', '4-4-0']);
});
