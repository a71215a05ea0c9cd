import fc from 'fast-check';
import { expect, test } from 'vitest';
import { reportName, tagAfter } from '../../../../clients/console/import/planned.ts';
import { foldTagName, parseTagName } from '../../../../lambdas/core/tag/tag.ts';
import { anyCharacter } from '../../../support/run/any-character.ts';

test('A tag is named after the file, and is one that no link has.', () => {
  expect(tagAfter('spring 2026 (final).csv', [])).toBe('spring 2026 final');
  expect(tagAfter('dub.csv', ['Dub', 'dub 2'])).toBe('dub 3');
  expect(tagAfter('.csv', [])).toBe('import');
  expect(tagAfter('üÄ漢.x.json', [])).toBe('üÄ漢 x');
});

test.for([
  ['links30.csv', 'report of links30.csv'],
  ['dub.export.json', 'report of dub.export.csv'],
  ['links', 'report of links.csv'],
  ['.csv', 'report of import.csv'],
] as const)('The report of %s is called %s.', ([fileName, report]) => {
  expect(reportName(fileName)).toBe(report);
});

test('Whatever a file is called, its tag can be created.', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: anyCharacter, maxLength: 80 }),
      fc.array(fc.string({ maxLength: 5 }), { maxLength: 5 }),
      (fileName, taken) => {
        const name = tagAfter(fileName, taken);
        expect(parseTagName(name)).toBe(name);
        expect(taken.map(foldTagName)).not.toContain(foldTagName(name));
      },
    ),
  );
});
