import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  countMarks,
  type ListedShard,
  listedAs,
  listedPlace,
  namesOnList,
  writeMarks,
} from '../../../../lambdas/core/host/listed-hosts.ts';
import { marksOf } from '../../../support/things/harmful-hosts.ts';

/** A list as it is stored. */
function stored(names: readonly string[], excused: readonly string[] = []): Map<number, ListedShard> {
  const ofShard = (shard: number) => new Set(excused.filter((name) => listedPlace(name).shard === shard));
  return new Map(marksOf(names).map((marks, shard) => [shard, { marks, excused: ofShard(shard) }] as const));
}

const label = fc.constantFrom('a', 'b', 'www', 'evil', 'shop');
const names = fc.array(label, { minLength: 1, maxLength: 4 }).map((labels) => [...labels, 'example'].join('.'));

test('A host is on a list exactly if it, or a parent of two labels or more, is a name on it.', () => {
  fc.assert(
    fc.property(fc.array(names), names, (list, host) => {
      const labels = host.split('.');
      const above = labels.slice(0, -1).map((_, index) => labels.slice(index).join('.'));
      expect(listedAs(host, stored(list))).toBe(above.find((name) => list.includes(name)));
    }),
  );
});

test('An excused name frees itself and its subdomains, except listed ones, but no parent.', () => {
  const shards = stored(['evil.example', 'bad.good.evil.example', 'shared.example'], ['good.evil.example', 'shared.example']);
  const listed = (host: string) => listedAs(host, shards);
  expect(['evil.example', 'www.evil.example'].map(listed)).toEqual(['evil.example', 'evil.example']);
  expect(['good.evil.example', 'a.good.evil.example', 'shared.example', 'a.shared.example'].map(listed)).toEqual(
    Array(4).fill(undefined),
  );
  expect(listed('bad.good.evil.example')).toBe('bad.good.evil.example');
});

test('For a host of many labels, five names are looked up: itself, and its four highest parents of two labels or more.', () => {
  expect(namesOnList('1.2.3.4.5.6.7.evil.co.uk')).toEqual([
    '1.2.3.4.5.6.7.evil.co.uk',
    '6.7.evil.co.uk',
    '7.evil.co.uk',
    'evil.co.uk',
    'co.uk',
  ]);
  expect(namesOnList('evil.example')).toEqual(['evil.example']);
});

test('An IP address has no parents.', () => {
  expect(namesOnList('192.0.2.1')).toEqual(['192.0.2.1']);
  expect(namesOnList('[2606:4700::1]')).toEqual(['[2606:4700::1]']);
});

test('A shard has each name once, however often the list has it, and no other name.', () => {
  fc.assert(
    fc.property(fc.array(fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })), (marks) => {
      expect(countMarks(writeMarks(BigUint64Array.from([...marks, ...marks])))).toBe(new Set(marks).size);
    }),
  );
  expect(listedAs('good.example', stored(['evil.example']))).toBeUndefined();
  expect(listedAs('good.example', new Map())).toBeUndefined();
});
