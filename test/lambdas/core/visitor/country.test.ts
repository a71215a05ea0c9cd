import { expect, test } from 'vitest';
import { parseCountry } from '../../../../lambdas/core/visitor/country.ts';

test.for([
  ['DE', 'DE'],
  ['de', 'DE'],
  ['AD', 'AD'],
  ['ZW', 'ZW'],
  ['XK', 'XK'],
  ['XX', undefined],
  ['T1', undefined],
  ['A1', undefined],
  ['EU', undefined],
  ['UK', undefined],
  ['ZZ', undefined],
  ['D A', undefined],
  ['D ', undefined],
  ['DEU', undefined],
  ['AD AE', undefined],
  ['', undefined],
  ['\0\0', undefined],
  ['ſt', undefined],
] as const)('The text %j is the country %j.', ([text, country]) => {
  expect(parseCountry(text)).toBe(country);
});

test('All 249 codes of ISO 3166-1 and XK are countries, and no other text of two letters is.', () => {
  const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];
  const pairs = letters.flatMap((one) => letters.map((other) => one + other));
  expect(pairs.filter((pair) => parseCountry(pair) !== undefined)).toHaveLength(250);
});
