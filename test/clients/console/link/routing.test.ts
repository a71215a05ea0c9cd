import { expect, test } from 'vitest';
import {
  moved,
  rulesOf,
  shareOf,
  type VariantValue,
  variantsOf,
  withVariant,
} from '../../../../clients/console/link/fields/routing.ts';

const variant = (id: string, weight: string): VariantValue => ({ id, url: `https://${id}/`, weight, rest: {} });

test("A new split begins with two variants, the first of which leads to the link's destination.", () => {
  const two = withVariant([], 'https://example.com/');
  expect(two).toMatchObject([
    { id: 'a', url: 'https://example.com/' },
    { id: 'b', url: '' },
  ]);
  expect(withVariant(two, 'https://example.com/')[2]).toMatchObject({ id: 'c', url: '' });
});

test('Each variant shows its share of the visitors, unless all weights are 0.', () => {
  const variants = [variant('a', '1'), variant('b', '3')];
  expect(variants.map((one) => shareOf(one, variants))).toEqual([0.25, 0.75]);
  const without = [variant('a', '0'), variant('b', '0')];
  expect(without.map((one) => shareOf(one, without))).toEqual([undefined, undefined]);
});

test("A weight that isn't a number is sent to the service as it is.", () => {
  expect(variantsOf([variant('a', ''), variant('b', '2')])).toMatchObject([{ weight: '' }, { weight: 2 }]);
});

test('A parameter without a name is not sent.', () => {
  const query = {
    name: 'query',
    value: [
      ['', 'x'],
      ['ref', 'mail'],
      ['', ''],
    ],
  };
  expect(rulesOf([{ url: ' https://a/ ', conditions: [query], rest: {} }])).toEqual([
    { if: { query: { ref: 'mail' } }, url: 'https://a/' },
  ]);
});

test('An item moves by one place, and never out of the list.', () => {
  expect(moved([1, 2, 3], 2, -1)).toEqual([1, 3, 2]);
  expect(moved([1, 2, 3], 0, -1)).toEqual([1, 2, 3]);
});

test('An address without a scheme gets one, in rules and variants.', () => {
  expect(rulesOf([{ url: 'a.example/x', conditions: [], rest: {} }])).toMatchObject([{ url: 'https://a.example/x' }]);
  expect(variantsOf([{ id: 'a', url: 'a.example/x', weight: '1', rest: {} }])).toMatchObject([{ url: 'https://a.example/x' }]);
});
