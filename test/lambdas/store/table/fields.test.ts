import { describe, expect, test } from 'vitest';
import type { Item } from '../../../../lambdas/store/table/client.ts';
import {
  defined,
  flag,
  knownOf,
  maybeMap,
  maybeNumber,
  maybeText,
  number,
  numbers,
  oneOf,
  text,
  textSet,
  texts,
} from '../../../../lambdas/store/table/fields.ts';

const key = { pk: 'LINK#place', sk: 'ATTEMPTS#id' };
const colours = ['red', 'green'] as const;

const readers: [string, (item: Item, name: string) => unknown, good: unknown, bad: readonly unknown[]][] = [
  ['text', text, '', [undefined, null, 1, ['secret'], { secret: 'secret' }]],
  ['maybeText', maybeText, 'secret', [1, false, ['secret']]],
  ['number', number, 0, [undefined, null, '1', Number, new Set([1])]],
  ['maybeNumber', maybeNumber, 1.5, ['1', true, [1]]],
  ['flag', flag, false, [undefined, null, 0, 'secret']],
  ['oneOf', (item, name) => oneOf(item, name, colours), 'green', [undefined, null, 'secret', 1, ['red']]],
  ['knownOf', (item, name) => knownOf(item, name, colours), ['red', 'green'], [undefined, 'red', new Set(['red'])]],
  ['texts', texts, ['secret', ''], [undefined, 'secret', ['secret', 1], new Set(['secret'])]],
  ['textSet', textSet, new Set(['secret']), ['secret', ['secret'], new Set([1])]],
  ['numbers', numbers, { secret: 1 }, ['secret', [1], { secret: 'secret' }, new Set([1])]],
];

describe.for(readers)('%s', ([, read, good, bad]) => {
  test('returns an attribute of the right type.', () => {
    expect(read({ ...key, field: good }, 'field')).toEqual(good);
  });

  test.for(bad.map((value) => [value]))('names the item and the attribute if it is %j, and never quotes a value.', ([value]) => {
    const attempt = () => read({ ...key, field: value }, 'field');
    expect(attempt).toThrow(/^the item LINK ATTEMPTS is broken: its attribute field must be (?!.*secret)/);
  });
});

describe('An attribute that is absent or null', () => {
  const items = [key, { ...key, field: null }];

  test("is the caller's default.", () => {
    for (const item of items) {
      const read = [
        text(item, 'field', 'a'),
        number(item, 'field', 0),
        flag(item, 'field', false),
        oneOf(item, 'field', colours, 'red'),
        texts(item, 'field', []),
      ];
      expect(read).toEqual(['a', 0, false, 'red', []]);
    }
  });

  test('is undefined, or empty, for readers that allow this.', () => {
    for (const item of items) {
      const read = [maybeText(item, 'field'), maybeNumber(item, 'field'), maybeMap(item, 'field')];
      expect([...read, textSet(item, 'field'), numbers(item, 'field')]).toEqual([undefined, undefined, undefined, new Set(), {}]);
    }
  });
});

test('Only undefined values are left out.', () => {
  expect(Object.entries(defined({ a: undefined, b: null, c: 0 }))).toEqual([
    ['b', null],
    ['c', 0],
  ]);
});

test.for([['secret'], [['secret']], [new Set(['secret'])]])('The text, list or set %j is never read as a map.', ([field]) => {
  expect(() => maybeMap({ ...key, field }, 'field')).toThrow('its attribute field must be a map');
});

test('An attribute within a map is named with the map and the item that has it.', () => {
  const item = { pk: 'DOMAIN#example.com', sk: 'DOMAIN', deletion: { id: 5 } };
  const map = maybeMap(item, 'deletion') ?? {};
  expect(number(map, 'id')).toBe(5);
  expect(() => text(map, 'id')).toThrow('the item DOMAIN DOMAIN deletion is broken: its attribute id must be a text');
});

test('knownOf leaves out texts that only a newer version of the service knows.', () => {
  expect(knownOf({ ...key, field: ['red', 'ultraviolet'] }, 'field', colours)).toEqual(['red']);
});
