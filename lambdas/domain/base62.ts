import { randomBytes } from 'node:crypto';

export const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The bytes as a big-endian number in base 62, padded with zeros to `length` digits. */
export function toBase62(bytes: Uint8Array, length: number): string {
  let number = BigInt(`0x${Buffer.from(bytes).toString('hex')}`);
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
      if (byte < limit && picked.length < length) picked += alphabet.charAt(byte % alphabet.length);
    }
  }
  return picked;
}

/** `length` random base62 characters, from the system's secure generator. */
export const randomBase62 = (length: number): string => pickUniformly(base62Digits, length, () => randomBytes(length * 2));
