import { readFileSync } from 'node:fs';
import { isIPv6 } from 'node:net';
import { numberOf, parseAddress } from '../../lambdas/core/host/ip-address.ts';
import { parseCountry } from '../../lambdas/core/visitor/country.ts';
import { type CountryTable, widths } from '../../lambdas/core/visitor/country-table.ts';

/** The addresses of one country, from `start` up to but not including `end`. */
type Range = { readonly start: bigint; readonly end: bigint; readonly country: string };

/** The code for addresses without a country. */
const none = '\0\0';

/**
 * Makes a table of countries from files that have a line `first address,last address,country` for each range, as
 * ip-location-db and DB-IP Lite publish them. IPv4 and IPv6 may be in one file. Codes that aren't countries, such as
 * `EU`, and IPv6 /64s that a range covers only partly, get no country. If ranges overlap, as some do in these files,
 * the one that starts last wins, and among those with the same start the shortest.
 *
 * @throws Error with one line for the operator if a file cannot be read, has a malformed line, or has no line.
 */
export function countryTableOf(files: readonly string[]): CountryTable {
  const ranges = files.flatMap((file) => {
    const lines = readFileSync(file, 'utf8').split('\n');
    const read = lines.flatMap((line, index) => (line.trim() === '' ? [] : [rangeOf(line, `${file}:${index + 1}`)]));
    if (read.length === 0) throw new Error(`${file} has no line like 192.0.2.0,192.0.2.255,DE`);
    return read;
  });
  const bordersOfBits = (bits: 32 | 64) =>
    bordersOf(
      ranges.filter((range) => range.bits === bits),
      1n << BigInt(bits),
    );
  const [ipv4, ipv6] = [bordersOfBits(32), bordersOfBits(64)];
  const head = Buffer.alloc(widths.head);
  head.writeUInt32LE(ipv4.length, 0);
  head.writeUInt32LE(ipv6.length, 4);
  return Buffer.concat([head, partOf(ipv4, 'ipv4'), partOf(ipv6, 'ipv6')]);
}

function rangeOf(line: string, where: string): Range & { readonly bits: 32 | 64 } {
  const [first, last, code, ...more] = line.split(',').map((field) => field.trim().replace(/^"(.*)"$/, '$1'));
  const [from, to] = [parseAddress(first ?? ''), parseAddress(last ?? '')];
  if (from === undefined || to === undefined || code === undefined || more.length > 0 || isIPv6(from) !== isIPv6(to)) {
    throw new Error(`${where} isn't like 192.0.2.0,192.0.2.255,DE`);
  }
  const [start, end] = [numberOf(from), numberOf(to) + 1n];
  const country = parseCountry(code) ?? none;
  if (!isIPv6(from)) return { bits: 32, start, end, country };
  return { bits: 64, start: (start + (1n << 64n) - 1n) >> 64n, end: end >> 64n, country };
}

type Border = Pick<Range, 'start' | 'country'>;

/** The addresses at which the country changes, in ascending order. @param all how many addresses there are. */
function bordersOf(ranges: readonly Range[], all: bigint): Border[] {
  const borders: Border[] = [];
  const begin = (start: bigint, country: string) => {
    if (borders.at(-1)?.start === start) borders.pop();
    if (start < all && country !== (borders.at(-1)?.country ?? none)) borders.push({ start, country });
  };
  /** The ranges that have started, the winning one last. */
  const open: Range[] = [];
  const endUpTo = (position: bigint) => {
    for (let last = open.at(-1); last && last.end <= position; last = open.at(-1)) {
      const { end } = last;
      while ((open.at(-1)?.end ?? all + 1n) <= end) open.pop();
      begin(end, open.at(-1)?.country ?? none);
    }
  };
  const sorted = ranges
    .filter(({ start, end }) => start < end)
    .sort((a, b) => (a.start < b.start || (a.start === b.start && a.end > b.end) ? -1 : 1));
  for (const range of sorted) {
    endUpTo(range.start);
    open.push(range);
    begin(range.start, range.country);
  }
  endUpTo(all);
  return borders;
}

function partOf(borders: readonly Border[], family: 'ipv4' | 'ipv6'): Buffer {
  const starts = Buffer.alloc(borders.length * widths[family]);
  for (const [index, { start }] of borders.entries()) {
    if (family === 'ipv6') starts.writeBigUInt64LE(start, index * widths.ipv6);
    else starts.writeUInt32LE(Number(start), index * widths.ipv4);
  }
  return Buffer.concat([starts, Buffer.from(borders.map(({ country }) => country).join(''), 'latin1')]);
}
