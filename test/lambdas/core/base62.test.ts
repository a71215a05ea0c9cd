import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base62Digits, pickUniformly, randomBase62, toBase62 } from '../../../lambdas/core/base62.ts';

/** The number that these base62 digits stand for. */
const numberOf = (digits: string) => [...digits].reduce((sum, digit) => sum * 62n + BigInt(base62Digits.indexOf(digit)), 0n);

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');

/** Pearson's statistic of these counts: about their number if all are equally likely. */
const chiSquare = (counts: readonly number[]) => {
  const expected = counts.reduce((sum, count) => sum + count, 0) / counts.length;
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
};

/** The mean plus five standard deviations, which chance exceeds once in a few million cases. */
const chiSquareLimit = (kinds: number) => kinds - 1 + 5 * Math.sqrt(2 * (kinds - 1));

/** Bytes that look random and are the same in every run. */
const fixedBytes = (seed: string) => {
  let block = 0;
  return () => createHash('sha256').update(`${seed}/${block++}`).digest();
};

describe('A number in base 62', () => {
  test('toBase62 writes the number that the hexadecimal digits stand for.', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 1, maxLength: 40 }), (bytes) => {
        expect(numberOf(toBase62(hexOf(bytes), 0))).toBe(BigInt(`0x${hexOf(bytes)}`));
      }),
    );
  });

  test('toBase62 writes 16 bytes in 22 digits, and 4 bytes in 6.', () => {
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 16, maxLength: 16 }), (bytes) => {
        expect(toBase62(hexOf(bytes), 22)).toMatch(/^[0-9A-Za-z]{22}$/);
        expect(toBase62(hexOf(bytes.subarray(0, 4)), 6)).toMatch(/^[0-9A-Za-z]{6}$/);
      }),
    );
  });

  test.for([
    ['all zeros', 0, '0000000000000000000000'],
    ['all ones', 255, '7n42DGM5Tflk9n8mt7Fhc7'],
  ] as const)('toBase62 fits 16 bytes of %s into 22 digits.', ([, byte, digits]) => {
    expect(toBase62(hexOf(new Uint8Array(16).fill(byte)), 22)).toBe(digits);
  });

  test('Numbers in base 62 sort like their bytes.', () => {
    const bytes = fc.uint8Array({ minLength: 16, maxLength: 16 });
    fc.assert(
      fc.property(
        bytes,
        bytes,
        (a, b) => Math.sign(Buffer.compare(a, b)) === compare(toBase62(hexOf(a), 22), toBase62(hexOf(b), 22)),
      ),
    );
  });
});

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

describe('pickUniformly', () => {
  test('pickUniformly maps equally many of the 256 bytes to each character, for alphabets of every size.', () => {
    for (let size = 1; size <= 256; size++) {
      const alphabet = String.fromCharCode(...Array.from({ length: size }, (_, index) => 0x100 + index));
      const each = Math.floor(256 / size);
      const picked = pickUniformly(alphabet, each * size, () => Uint8Array.from({ length: 256 }, (_, byte) => byte));
      const counts = Array.from(alphabet, (character) => picked.split(character).length - 1);
      expect(new Set(counts)).toEqual(new Set([each]));
    }
  });

  test.for([31, 36, 62, 64, 100])('pickUniformly favours none of %i characters.', (size) => {
    const alphabet = String.fromCharCode(...Array.from({ length: size }, (_, index) => 0x100 + index));
    const picked = pickUniformly(alphabet, 100_000, fixedBytes(`alphabet of ${size}`));
    const counts = Array.from(alphabet, (character) => picked.split(character).length - 1);
    expect(chiSquare(counts)).toBeLessThan(chiSquareLimit(size));
  });

  test('pickUniformly asks for more bytes until it has enough.', () => {
    const bytes = [[255, 255], [], [255, 3], [1]];
    expect(pickUniformly('abcdefg', 2, () => Uint8Array.from(bytes.shift() ?? []))).toBe('db');
    expect(bytes).toEqual([]);
  });

  test('pickUniformly returns exactly the requested number of characters, all from the alphabet.', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.string(), (length, seed) => {
        const picked = pickUniformly('abc', length, fixedBytes(seed));
        expect(picked).toMatch(new RegExp(`^[abc]{${length}}$`));
      }),
    );
  });
});

test('Random base62 has the requested length and differs each time.', () => {
  fc.assert(fc.property(fc.integer({ min: 1, max: 64 }), (length) => /^[0-9A-Za-z]+$/.test(randomBase62(length))));
  for (const length of [6, 16, 30, 32]) expect(randomBase62(length)).toHaveLength(length);
  expect(new Set(Array.from({ length: 1000 }, () => randomBase62(16))).size).toBe(1000);
});
