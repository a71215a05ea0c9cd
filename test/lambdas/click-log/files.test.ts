import fc from 'fast-check';
import { expect, test } from 'vitest';
import { currentFiles, logFileKey, logFilePrefix, nextNumber, parseLogFileKey } from '../../../lambdas/click-log/files.ts';

const month = { workspaceId: 'ws_A', month: '2030-01' };
const named = (first: number, last: number, revision: number) => ({ ...month, first, last, revision });
const nameOf = (file: ReturnType<typeof named>) => `${file.first}-${file.last}-${file.revision}`;

test('A key has workspace, month, numbers and revision, and sorts by number.', () => {
  const key = 'clicks/workspace=ws_A/month=2030-01/000001-000031-1.parquet';
  expect(logFileKey(named(1, 31, 1))).toBe(key);
  expect(parseLogFileKey(key)).toEqual(named(1, 31, 1));
  expect(key.startsWith(logFilePrefix('ws_A', '2030-01'))).toBe(true);
  expect(key.startsWith(logFilePrefix('ws_A'))).toBe(true);
  expect(key.startsWith(logFilePrefix())).toBe(true);
  expect(logFileKey(named(9, 9, 0)) < logFileKey(named(10, 10, 0))).toBe(true);
});

test('A file after number 999,999 of a month is refused, because its key would sort elsewhere.', () => {
  expect(logFileKey(named(999_999, 999_999, 0))).toContain('/999999-999999-0.');
  expect(() => logFileKey(named(1_000_000, 1_000_000, 0))).toThrow('has no number left');
});

test.for([
  'clicks/workspace=ws_A/month=2030-01/1-1-0.parquet',
  'clicks/workspace=ws_A/month=2030-01/000001-000001-0.parquet.part',
  'clicks/workspace=ws_A/month=2030-01/000001-000001.parquet',
  'clicks/workspace=ws_A/000001-000001-0.parquet',
  'clicks/query-results/000001-000001-0.parquet',
  'clicks/',
])("Another object in the bucket isn't taken for a file of clicks: %s", (key) => {
  expect(parseLogFileKey(key)).toBeUndefined();
});

const examples: readonly (readonly [string, string[], string[]])[] = [
  ['sealed files', ['2-2-0', '1-1-0', '3-3-0'], ['1-1-0', '2-2-0', '3-3-0']],
  ['a merge', ['1-1-0', '2-2-0', '3-3-0', '1-3-1'], ['1-3-1']],
  ['a late click', ['1-3-1', '4-4-0'], ['1-3-1', '4-4-0']],
  ['a second merge', ['1-3-1', '4-4-0', '1-4-1'], ['1-4-1']],
  ['a late merge', ['4-4-0', '1-4-1', '1-3-1', '2-2-0'], ['1-4-1']],
  ['rewritten files', ['1-1-0', '1-1-1', '2-2-0', '1-1-2'], ['1-1-2', '2-2-0']],
  ['nothing', [], []],
];

test.for(examples)('After %s, each number is in exactly one current file.', ([, files, current]) => {
  const parsed = files.map((name) => named(...(name.split('-').map(Number) as [number, number, number])));
  expect(currentFiles(parsed).map(nameOf)).toEqual(current);
});

/** Files that sealing, merging and rewriting may leave. */
const anyMonth = fc
  .record({
    sealed: fc.integer({ min: 1, max: 12 }),
    merges: fc.array(fc.integer({ min: 1, max: 12 }), { maxLength: 3 }),
    anew: fc.array(fc.record({ file: fc.nat(), by: fc.constantFrom(1, 2) }), { maxLength: 4 }),
  })
  .map(({ sealed, merges, anew }) => {
    const files = Array.from({ length: sealed }, (_, index) => named(index + 1, index + 1, 0));
    for (const last of merges) if (last <= sealed && last > 1) files.push(named(1, last, 1));
    for (const { file, by } of anew) {
      const found = files[file % files.length];
      if (found) files.push({ ...found, revision: found.revision + by });
    }
    return files;
  });

test('Whatever files runs leave behind, in any order, each number is in exactly one current file.', () => {
  fc.assert(
    fc.property(anyMonth, fc.infiniteStream(fc.nat()), (files, random) => {
      const shuffled = files
        .map((file) => ({ file, rank: random.next().value }))
        .sort((a, b) => Number(a.rank) - Number(b.rank))
        .map(({ file }) => file);
      const current = currentFiles(shuffled);
      const numbers = current.flatMap(({ first, last }) => Array.from({ length: last - first + 1 }, (_, index) => first + index));
      expect(numbers).toEqual(Array.from({ length: nextNumber(files) - 1 }, (_, index) => index + 1));
      // Replaced files change nothing.
      expect(currentFiles(current)).toEqual(current);
      for (const { first, last, revision } of files) {
        const covering = current.filter((file) => file.first <= first && last <= file.last);
        expect(covering).toHaveLength(1);
        if (covering[0]?.first === first && covering[0].last === last)
          expect(covering[0].revision).toBeGreaterThanOrEqual(revision);
      }
    }),
  );
});

test('The next number is above those of all files, merged ones too.', () => {
  expect(nextNumber([])).toBe(1);
  expect(nextNumber([named(1, 3, 1), named(4, 4, 0)])).toBe(5);
});
