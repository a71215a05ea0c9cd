import { marshall, unmarshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { attributeJson, itemJson, itemOf } from '../../../../lambdas/store/table/attribute-values.ts';
import { runs } from '../../../support/run/proof.ts';
import { attributes, item } from '../../../support/store/attributes.ts';

/** AWS's library takes a map with this name for an instance of a class that it cannot store. */
const forLibrary = item.filter((values) => !/"constructor":/.test(JSON.stringify(values)));

test("Items are written as AWS's own library writes them, byte for byte.", () => {
  fc.assert(
    fc.property(forLibrary, (values) => {
      // The library leaves bytes to the SDK, which encodes them in Base64.
      const base64 = (_: string, value: unknown) => (value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value);
      expect(itemJson(values)).toBe(JSON.stringify(marshall(values, { removeUndefinedValues: true }), base64));
    }),
    { numRuns: runs(300) },
  );
});

test("Items are read as AWS's own library reads them, and equal the written ones.", () => {
  fc.assert(
    fc.property(item, (values) => {
      const wire = itemJson(values);
      const bytes = (type: string, value: unknown) =>
        type === 'B' && typeof value === 'string' ? new Uint8Array(Buffer.from(value, 'base64')) : value;
      expect(itemOf(JSON.parse(wire))).toEqual(unmarshall(JSON.parse(wire, bytes)));
      expect(JSON.parse(itemJson(itemOf(JSON.parse(wire))))).toEqual(JSON.parse(wire));
    }),
    { numRuns: runs(300) },
  );
});

test('The attributes of an item are sorted, whatever their order.', () => {
  const named = fc.uniqueArray(fc.string({ minLength: 1 }).filter((name) => name !== '__proto__' && !/^\d/.test(name)));
  const orders = named.chain((names) =>
    fc.shuffledSubarray(names, { minLength: names.length }).map((other) => [names, other] as const),
  );
  fc.assert(
    fc.property(orders, (both) => {
      const [one, other] = both.map((names) => Object.keys(itemOf(Object.fromEntries(names.map((name) => [name, { S: name }])))));
      expect(one).toEqual(other);
    }),
  );
});

test.for([
  { N: '9007199254740993' },
  { N: '-9007199254740993' },
  { N: '1.5' },
  { NS: ['1', '9007199254740993'] },
  { SS: ['a'] },
  { NULL: true },
  { L: [{ M: {} }, { L: [] }] },
])('Values that other programs may have written are read as by the library: %j.', (value) => {
  expect(itemOf({ value })).toEqual(unmarshall({ value } as never));
});

test('Binary values are read as bytes.', () => {
  expect(itemOf({ one: { B: 'AQI=' }, many: { BS: ['AQI='] } })).toEqual({
    one: Uint8Array.of(1, 2),
    many: new Set([Uint8Array.of(1, 2)]),
  });
});

const impossible = [
  Number.NaN,
  Number.POSITIVE_INFINITY,
  2 ** 53,
  -(2 ** 53),
  new Set(),
  new Set(['a', 1]),
  new Set([true]),
  new Date(0),
  () => 1,
  Symbol('a'),
  undefined,
];
test.for(impossible.map((value) => ({ value })))('A value that DynamoDB cannot store is refused: $value.', ({ value }) => {
  expect(() => attributeJson(value)).toThrow();
  expect(() => attributeJson({ list: [[value ?? new Date(0)]] })).toThrow();
});

test('An attribute of an unknown type is refused.', () => {
  expect(() => itemOf({ value: { X: 1 } })).toThrow('unknown type');
});

test('Each kind of value occurs in the items above.', () => {
  const kinds = new Set(fc.sample(attributes, 1_000).map((value) => Object.prototype.toString.call(value)));
  expect([...kinds].sort()).toEqual(
    ['Array', 'Boolean', 'Null', 'Number', 'Object', 'Set', 'String', 'Uint8Array'].map((kind) => `[object ${kind}]`),
  );
});
