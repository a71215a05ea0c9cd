import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { numberOf } from '../../../lambdas/core/host/ip-address.ts';
import { countryIn } from '../../../lambdas/core/visitor/country-table.ts';
import { countryTableOf } from '../../../lib/countries/country-table.ts';
import { runs } from '../../support/run/proof.ts';

const folder = mkdtempSync(join(tmpdir(), 'countries-'));
afterAll(() => rmSync(folder, { recursive: true }));

let written = 0;
function fileOf(...lines: readonly string[]): string {
  const file = join(folder, `${++written}.csv`);
  writeFileSync(file, lines.join('\n'));
  return file;
}

const ipv4 = (number: number) => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255).join('.');
const ipv6 = (network: number, rest = '') => `2001:db8:0:${network.toString(16)}:${rest}`;

test('An address has the country of its range, up to the first and the last address.', () => {
  const table = countryTableOf([
    fileOf('192.0.2.0,192.0.2.255,DE', '"192.0.3.0","192.0.3.0","FR"', '', '255.255.255.0,255.255.255.255,US\r'),
    fileOf('2001:db8::,2001:db8:0:1:ffff:ffff:ffff:ffff,JP', '0.0.0.0,0.0.0.9,KE'),
  ]);
  const countries = {
    '0.0.0.0': 'KE',
    '0.0.0.9': 'KE',
    '0.0.0.10': undefined,
    '192.0.1.255': undefined,
    '192.0.2.0': 'DE',
    '192.0.2.255': 'DE',
    '192.0.3.0': 'FR',
    '192.0.3.1': undefined,
    '255.255.255.255': 'US',
    '::': undefined,
    '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff': undefined,
    '2001:db8::': 'JP',
    '2001:db8:0:1:ffff:ffff:ffff:ffff': 'JP',
    '2001:db8:0:2::': undefined,
    'ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff': undefined,
  };
  expect(Object.fromEntries(Object.keys(countries).map((address) => [address, countryIn(table, address)]))).toEqual(countries);
});

test('A table may have only one of IPv4 and IPv6, and all of their addresses.', () => {
  const all4 = countryTableOf([fileOf('0.0.0.0,255.255.255.255,DE')]);
  expect([countryIn(all4, '0.0.0.0'), countryIn(all4, '255.255.255.255'), countryIn(all4, '::1')]).toEqual([
    'DE',
    'DE',
    undefined,
  ]);
  const all6 = countryTableOf([fileOf('::,ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff,DE')]);
  expect([countryIn(all6, '::'), countryIn(all6, 'ffff::'), countryIn(all6, '192.0.2.1')]).toEqual(['DE', 'DE', undefined]);
});

test('An unknown country code, and a part of a /64, have no country.', () => {
  const table = countryTableOf([fileOf('192.0.2.0,192.0.2.255,EU', `${ipv6(1, ':1')},${ipv6(2, 'ffff:ffff:ffff:ffff')},DE`)]);
  expect(['192.0.2.1', ipv6(1, ':1'), ipv6(2, ':1')].map((address) => countryIn(table, address))).toEqual([
    undefined,
    undefined,
    'DE',
  ]);
});

test('An address has the country of the range that begins last before it, even if ranges overlap.', () => {
  const range = fc.record({
    first: fc.integer({ min: 0, max: 60 }),
    length: fc.integer({ min: 1, max: 20 }),
    country: fc.constantFrom('DE', 'FR', 'US', 'ZZ'),
  });
  fc.assert(
    fc.property(fc.uniqueArray(range, { selector: ({ first, length }) => `${first}/${length}`, maxLength: 12 }), (ranges) => {
      fc.pre(ranges.length > 0);
      const end = ({ first, length }: { first: number; length: number }) => first + length - 1;
      const file4 = fileOf(...ranges.map((one) => [ipv4(one.first), ipv4(end(one)), one.country].join()));
      const file6 = fileOf(
        ...ranges.map((one) => [ipv6(one.first, ':'), ipv6(end(one), 'ffff:ffff:ffff:ffff'), one.country].join()),
      );
      const table = countryTableOf([file4, file6]);
      for (let number = 0; number < 90; number++) {
        const [found] = ranges
          .filter((one) => one.first <= number && number <= end(one))
          .sort((a, b) => b.first - a.first || a.length - b.length);
        const expected = found?.country === 'ZZ' ? undefined : found?.country;
        expect(countryIn(table, ipv4(number))).toBe(expected);
        expect(countryIn(table, ipv6(number, ':7'))).toBe(expected);
      }
    }),
    { numRuns: runs(50) },
  );
  expect(numberOf(ipv6(90, ':7')) >> 64n).toBe((0x20010db8n << 32n) + 90n);
});

test.for([
  ['192.0.2.0,192.0.2.255'],
  ['192.0.2.0,192.0.2.255,DE,Berlin'],
  ['192.0.2.0,2001:db8::,DE'],
  ['first,last,country'],
  ['3221225984,3221226239,DE'],
  ['192.0.2.0/24,DE'],
])('A line of a data set that is %j is refused, by file and line.', ([line]) => {
  const file = fileOf('192.0.0.0,192.0.0.255,DE', line ?? '');
  expect(() => countryTableOf([file])).toThrow(new Error(`${file}:2 isn't like 192.0.2.0,192.0.2.255,DE`));
});

test('A data set that is empty or missing is refused.', () => {
  const empty = fileOf('');
  expect(() => countryTableOf([empty])).toThrow(new Error(`${empty} has no line like 192.0.2.0,192.0.2.255,DE`));
  expect(() => countryTableOf([join(folder, 'missing.csv')])).toThrow(/missing\.csv/);
});
