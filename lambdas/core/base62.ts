import { randomFillSync } from 'node:crypto';

export const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The hexadecimal number in base 62, padded with zeros to `length` digits. */
export function toBase62(hex: string, length: number): string {
  let number = BigInt(`0x${hex}`);
  let digits = '';
  while (number > 0n) {
    digits = base62Digits.charAt(Number(number % 62n)) + digits;
    number /= 62n;
  }
  return digits.padStart(length, '0');
}

/**
 * Picks `length` characters of `alphabet`, each equally likely. Bytes that would favour the first characters are
 * skipped.
 *
 * @param source returns fresh random bytes on each call.
 */
export function pickUniformly(alphabet: string, length: number, source: () => Uint8Array): string {
  const limit = 256 - (256 % alphabet.length);
  let picked = '';
  while (picked.length < length) {
    for (const byte of source()) {
      if (picked.length === length) break;
      if (byte < limit) picked += alphabet.charAt(byte % alphabet.length);
    }
  }
  return picked;
}

/**
 * Random bytes from the system's secure generator. A few take almost as long as many, so more are drawn and kept, as
 * Node's own `randomUUID` does. The pool is not filled at load time, because functions that start from one snapshot
 * would share it
 * (https://docs.aws.amazon.com/lambda/latest/dg/snapstart-uniqueness.html).
 */
const pool = new Uint8Array(2_048);
const bytesPerDraw = 64;
let used = pool.length;

/** 64 random bytes, each of which is handed out once. */
function freshBytes(): Uint8Array {
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  used += bytesPerDraw;
  return pool.subarray(used - bytesPerDraw, used);
}

/** `length` random base62 characters, from the system's secure generator. */
export const randomBase62 = (length: number): string => pickUniformly(base62Digits, length, freshBytes);
