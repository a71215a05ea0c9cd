import { numberOf } from '../host/ip-address.ts';
import { parseCountry } from './country.ts';

/**
 * A table of the countries of all addresses, which `lib/countries/country-table.ts` writes. All numbers are
 * little-endian: the number of ranges of IPv4 and of IPv6 (4 bytes each); then for IPv4 the first address of each
 * range, ascending (4 bytes each), and the country of each (2 ASCII letters, or zeros if it has none); then the same
 * for the first 64 bits of IPv6 addresses (8 bytes each). A range ends where the next begins.
 */
export type CountryTable = Buffer;

/** In bytes: the two numbers at the start, the first address of a range, and its country. */
export const widths = { head: 8, ipv4: 4, ipv6: 8, country: 2 } as const;

/** The country of an address by the table; undefined if it has none. @param address in the form of `parseAddress` */
export function countryIn(table: CountryTable, address: string): string | undefined {
  const isV6 = address.includes(':');
  const position = isV6 ? numberOf(address) >> 64n : numberOf(address);
  const [ipv4Ranges, ipv6Ranges] = [table.readUInt32LE(0), table.readUInt32LE(4)];
  const start = isV6 ? widths.head + ipv4Ranges * (widths.ipv4 + widths.country) : widths.head;
  const [count, width] = isV6 ? [ipv6Ranges, widths.ipv6] : [ipv4Ranges, widths.ipv4];
  const firstOf = (range: number) => {
    const offset = start + range * width;
    return isV6 ? table.readBigUInt64LE(offset) : BigInt(table.readUInt32LE(offset));
  };
  // Ranges before `low` begin at or before the address, and ranges from `high` on after it.
  let [low, high] = [0, count];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (firstOf(middle) <= position) low = middle + 1;
    else high = middle;
  }
  const country = start + count * width + (low - 1) * widths.country;
  return low === 0 ? undefined : parseCountry(table.toString('latin1', country, country + widths.country));
}
