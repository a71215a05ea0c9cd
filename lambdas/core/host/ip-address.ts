// Without `node:net`, because the console checks destinations in the browser before it imports them.

const byte = '(25[0-5]|2[0-4]\\d|1\\d\\d|[1-9]?\\d)';
const fourBytes = /* @__PURE__ */ new RegExp(`^${byte}(\\.${byte}){3}$`);

/** Whether a text is an IPv4 address of four decimal numbers. */
export const isIPv4 = (text: string): boolean => fourBytes.test(text);

/** Whether a text is an IPv6 address without a zone. */
export const isIPv6 = (text: string): boolean =>
  /^[\da-f:]+(:\d+\.\d+\.\d+\.\d+)?$/i.test(text) && URL.canParse(`http://[${text}]/`);

/**
 * The canonical form of a visitor's IP address: an IPv4-mapped IPv6 address (`::ffff:192.0.2.1`) becomes IPv4, and an
 * IPv6 address loses its zone.
 *
 * @returns undefined if the text isn't an IP address.
 */
export function parseAddress(text: string): string | undefined {
  const address = text.split('%', 1)[0] ?? '';
  if (!isIPv6(address)) return isIPv4(address) ? address : undefined;
  const groups = groupsOf(address);
  const [high = 0, low = 0] = groups.slice(6);
  const isMapped = groups[5] === 0xffff && groups.slice(0, 5).every((group) => group === 0);
  return isMapped ? [high >> 8, high & 255, low >> 8, low & 255].join('.') : address;
}

/**
 * The network of an address, for logs: the first 24 bits of IPv4, or the first 48 of IPv6, which cover at least one
 * site.
 *
 * @returns undefined if the text isn't an IP address.
 */
export function networkOf(text: string): string | undefined {
  const address = parseAddress(text);
  if (address === undefined) return undefined;
  if (!address.includes(':')) return address.replace(/\.\d+$/, '.0/24');
  const groups = groupsOf(address).slice(0, 3);
  return `${groups.map((group) => group.toString(16)).join(':')}::/48`;
}

/**
 * The part of a visitor's address that identifies one customer of a provider: all of IPv4, but only the first 64 bits
 * of IPv6, because a customer has all addresses that share them. '' if the text isn't an IP address.
 */
export function networkOfOne(text: string): string {
  const address = parseAddress(text) ?? '';
  return address.includes(':') ? groupsOf(address).slice(0, 4).join(':') : address;
}

/** The eight groups of a valid IPv6 address, without its zone. */
export function groupsOf(address: string): number[] {
  const text = (address.split('%', 1)[0] ?? '').replace(/[\d.]+$/, (end) => (end.includes('.') ? asGroups(end) : end));
  const [head = [], tail = []] = text.split('::').map((side) => (side === '' ? [] : side.split(':')));
  const missing = Array<string>(8 - head.length - tail.length).fill('0');
  return [...head, ...missing, ...tail].map((group) => Number.parseInt(group, 16));
}

/** An IPv4 address as two groups. */
function asGroups(address: string): string {
  const [a, b, c, d] = address.split('.').map(Number) as [number, number, number, number];
  return `${((a << 8) | b).toString(16)}:${((c << 8) | d).toString(16)}`;
}

/** An address as a number of 32 bits, or 128 for IPv6. @param address in the form of `parseAddress` */
export const numberOf = (address: string): bigint =>
  address.includes(':')
    ? groupsOf(address).reduce((number, group) => (number << 16n) | BigInt(group), 0n)
    : address.split('.').reduce((number, byte) => (number << 8n) | BigInt(byte), 0n);

/** The addresses of one family that begin with the same bits. */
export type Network = { readonly isV6: boolean; readonly first: bigint; readonly free: bigint };

/** @param text such as `10.0.0.0/8` */
export function networkNamed(text: string): Network {
  const [address = '', length] = text.split('/');
  const isV6 = address.includes(':');
  return { isV6, first: numberOf(address), free: BigInt((isV6 ? 128 : 32) - Number(length)) };
}

/** @param address in the form of `parseAddress` */
export const isWithin = (address: string, { isV6, first, free }: Network): boolean =>
  address.includes(':') === isV6 && numberOf(address) >> free === first >> free;
