import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base62Digits } from '../../../../lambdas/core/base62.ts';
import { apiKeyId, fingerprintInId, fingerprintOf, looksLikeApiKey, newApiKey } from '../../../../lambdas/core/key/api-key.ts';
import { anyCharacter } from '../../../support/run/any-character.ts';
import { runs } from '../../../support/run/proof.ts';

/** A key of any secret with the right checksum, which anyone who has read the code can make. */
const key = fc.string({ unit: fc.constantFrom(...base62Digits), minLength: 30, maxLength: 30 }).map((secret) => {
  let rest = crc32(secret);
  let sum = '';
  for (let digit = 0; digit < 6; digit++) {
    sum = base62Digits.charAt(rest % 62) + sum;
    rest = Math.floor(rest / 62);
  }
  return `lk_${secret}${sum}`;
});

test('A new key is lk_ and 36 base62 characters, and passes its own check.', () => {
  for (let made = 0; made < 200; made++) {
    const fresh = newApiKey();
    expect(fresh).toMatch(/^lk_[0-9A-Za-z]{36}$/);
    expect(looksLikeApiKey(fresh)).toBe(true);
  }
});

test('No two new keys are the same.', () => {
  expect(new Set(Array.from({ length: 1000 }, newApiKey)).size).toBe(1000);
});

test('The checksum is the CRC-32 of the secret in six base62 digits.', () => {
  fc.assert(fc.property(key, looksLikeApiKey));
});

test('A key with any one character changed is refused.', () => {
  fc.assert(
    fc.property(key, fc.nat(38), fc.constantFrom(...base62Digits, '_', '-', ' ', '\0', 'é'), (good, at, other) => {
      fc.pre(good[at] !== other);
      return !looksLikeApiKey(good.slice(0, at) + other + good.slice(at + 1));
    }),
    { numRuns: runs(1_000) },
  );
});

test('A key with two neighbouring characters swapped is refused.', () => {
  fc.assert(
    fc.property(key, fc.integer({ min: 3, max: 37 }), (good, at) => {
      fc.pre(good[at] !== good[at + 1]);
      return !looksLikeApiKey(`${good.slice(0, at)}${good[at + 1]}${good[at]}${good.slice(at + 2)}`);
    }),
    { numRuns: runs(1_000) },
  );
});

test('A key with one character too many or too few is refused.', () => {
  fc.assert(
    fc.property(key, fc.nat(39), fc.constantFrom(...base62Digits, '\n', ' '), (good, at, more) => {
      expect(looksLikeApiKey(good.slice(0, at) + more + good.slice(at))).toBe(false);
      expect(looksLikeApiKey(good.slice(0, at) + good.slice(at + 1))).toBe(good.length === at);
    }),
  );
});

test('No other text passes for a key.', () => {
  fc.assert(fc.property(fc.string({ unit: anyCharacter, maxLength: 60 }), (text) => !looksLikeApiKey(text)));
});

describe('The fingerprint of a key', () => {
  test('The fingerprint is the SHA-256 of the whole key in base64url.', () => {
    fc.assert(
      fc.property(key, (good) => {
        expect(Buffer.from(fingerprintOf(good), 'base64url')).toEqual(createHash('sha256').update(good, 'utf8').digest());
        expect(fingerprintOf(good)).toMatch(/^[0-9A-Za-z_-]{43}$/);
      }),
    );
  });

  test('The id of a key contains its fingerprint.', () => {
    fc.assert(fc.property(key, (good) => fingerprintInId(apiKeyId(fingerprintOf(good))) === fingerprintOf(good)));
  });

  test.for([
    ['an empty text', ''],
    ['a key itself', newApiKey()],
    ['a prefix only', 'key_'],
    ['an id with a character too few', `key_${'a'.repeat(42)}`],
    ['an id with a character too many', `key_${'a'.repeat(44)}`],
    ['an id with a character that is only in base64', `key_${'a'.repeat(42)}+`],
    ['an id with a line break at its end', `key_${'a'.repeat(43)}\n`],
    ['an id with text before it', `xkey_${'a'.repeat(43)}`],
  ] as const)('No fingerprint is found in %s.', ([, id]) => {
    expect(fingerprintInId(id)).toBeUndefined();
  });
});
