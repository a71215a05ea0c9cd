import { randomBytes } from 'node:crypto';

export const base62Digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** The bytes, read as one big-endian number, in base 62, padded with zeros to `length` digits. */
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
 * `length` characters of `alphabet`, each equally likely: bytes that would favour the first characters are left out.
 *
 * @param source where the bytes come from; call after call it gives fresh ones.
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
