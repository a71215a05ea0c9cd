import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressOf } from '../../../../lambdas/core/click/address.ts';
import { rowDimensions } from '../../../../lambdas/core/click/click.ts';
import { parseFilter } from '../../../../lambdas/core/click/filter.ts';
import { escapedValue } from '../../../../lambdas/core/click/listed-values.ts';
import { pathsBehind } from '../../../../lambdas/core/visit/link-path.ts';
import { anyCharacter } from '../../../support/run/any-character.ts';
import { runs } from '../../../support/run/proof.ts';

const link = { shortCode: 'Summer', aliases: ['sale', 'Sale/2030'] };
const reached = (slug: string, query = '', behind?: string) => addressOf({ slug, query, behind }, link);

test.for([
  ['Summer', 'Summer'],
  ['SUMMER', 'Summer'],
  ['sale/2030', 'Sale/2030'],
  ['SALE', 'sale'],
  // A slug that the link has lost since the function read it.
  ['Old', 'old'],
])("The slug %s is recorded as %s, in the link's own spelling.", ([slug = '', recorded]) => {
  expect(reached(slug).slug).toBe(recorded);
});

test.for<[string | undefined, string]>([
  [undefined, 'none'],
  ['docs', 'docs'],
  ['docs/', 'docs'],
  ['docs/Guides/start/page', 'docs/Guides/start'],
  ['gr%C3%BC%C3%9Fe/50%25', 'grüße/50%'],
  ['a%00b%E2%80%8Bc', 'abc'],
  ['%E2%80%8B', 'none'],
  ['x'.repeat(200), 'x'.repeat(128)],
  ['%F0%9F%98%80'.repeat(200), '\u{1f600}'.repeat(128)],
])('The path %s behind a slug is recorded as %s.', ([behind, recorded]) => {
  expect(reached('sale', '', behind).path).toBe(recorded);
});

test.for([
  ['', ['none', 'none', 'none']],
  ['utm_source=Newsletter&utm_medium=E-Mail&utm_campaign=May+2030', ['newsletter', 'e-mail', 'may 2030']],
  ['utm_source=&utm_medium=%20&utm_campaign=%E2%80%8B', ['none', 'none', 'none']],
  ['utm_source=a%00b&utm_medium=%E2%80%AEx', ['ab', 'x', 'none']],
  ['utm_source=one&utm_source=two', ['one', 'none', 'none']],
  [`utm_campaign=${'İ'.repeat(100)}`, ['none', 'none', 'i̇'.repeat(32)]],
  ['source=a&UTM_SOURCE=b&fbclid=c', ['none', 'none', 'none']],
  ['utm_source=%&utm_medium=%FF', ['%', '\ufffd', 'none']],
] as const)('The query %j is recorded as %j.', ([query, recorded]) => {
  const { utmSource, utmMedium, utmCampaign } = reached('sale', query);
  expect([utmSource, utmMedium, utmCampaign]).toEqual(recorded);
});

test('Whatever a visitor sends, values are short, have no invisible characters, and are never empty.', () => {
  const text = fc.string({ unit: anyCharacter, maxLength: 300 });
  fc.assert(
    fc.property(text, text, text, (path, value, query) => {
      const behind = pathsBehind(`/sale/${path}`).find(({ slug }) => slug === 'sale')?.behind;
      const utm = new URLSearchParams({ utm_source: value.toWellFormed() }).toString();
      for (const sent of [utm, query]) {
        const { slug: _slug, ...recorded } = reached('sale', sent, behind);
        for (const [name, value] of Object.entries(recorded)) {
          expect(value).toMatch(/^[^\p{Cc}\p{Cf}]+$/u);
          expect([...value].length).toBeLessThanOrEqual(name === 'path' ? 128 : 64);
        }
      }
    }),
    { numRuns: runs(100) },
  );
});

test('A filter by what a click records finds the click.', () => {
  const part = fc.string({
    unit: fc.constantFrom('x', ' ', '/', '\u200b', ',', 'İ', '\u{1f600}', 'x'.repeat(60)),
    maxLength: 20,
  });
  fc.assert(
    fc.property(part, part, (path, value) => {
      const behind = pathsBehind(`/sale/${path}`).find(({ slug }) => slug === 'sale')?.behind;
      const recorded = Object.entries(reached('sale', new URLSearchParams({ utm_source: value }).toString(), behind));
      for (const dimension of rowDimensions)
        for (const [name, value] of recorded)
          if (name === dimension) expect(parseFilter(dimension, escapedValue(value))).toEqual([value]);
    }),
    {
      numRuns: runs(300),
      examples: [
        ['', `${'x'.repeat(63)} y`],
        [`${'x'.repeat(127)}/y`, ''],
        ['a/\u200b/b', ''],
        [' /a', ''],
      ],
    },
  );
});
