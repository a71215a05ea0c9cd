import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { ApiKey } from '../../../../lambdas/core/key/api-key.ts';
import { endOfOverlap, expiryOfReplacement, hasExpired } from '../../../../lambdas/core/key/key-expiry.ts';

const now = Date.parse('2030-01-02T03:04:05.678Z');
const iso = (time: number) => new Date(time).toISOString();
const year = 365 * 86_400_000;
const times = fc.integer({ min: now - year, max: now + year });

test('A key is valid until the millisecond before it expires, and never again from then on.', () => {
  fc.assert(
    fc.property(times, fc.oneof(times, fc.constantFrom(-1, 0, 1)), (expiry, at) => {
      const time = Math.abs(at) <= 1 ? expiry + at : at;
      expect(hasExpired(iso(expiry), time)).toBe(time >= expiry);
    }),
  );
});

test('A key without an expiry never expires, and one with an unreadable expiry has expired.', () => {
  expect(hasExpired(undefined, Number.MAX_SAFE_INTEGER)).toBe(false);
  for (const text of ['', 'never', 'null', '2030-13-01T00:00:00Z']) expect(hasExpired(text, 0)).toBe(true);
});

test('A replaced key expires with its overlap or with its own expiry, whichever comes first.', () => {
  fc.assert(
    fc.property(fc.option(times, { nil: undefined }), fc.nat(year), (expiry, overlap) => {
      const end = endOfOverlap(expiry === undefined ? {} : { expiresAt: iso(expiry) }, overlap, now);
      expect(Date.parse(end)).toBe(Math.min(expiry ?? Number.POSITIVE_INFINITY, now + overlap));
    }),
  );
});

test('A replacement has the same lifetime as the key that it replaces, or none if that one has none.', () => {
  fc.assert(
    fc.property(times, fc.integer({ min: 1, max: year }), (created, life) => {
      const old = { createdAt: iso(created), expiresAt: iso(created + life) } as ApiKey;
      expect(expiryOfReplacement(old, now)).toBe(iso(now + life));
    }),
  );
  expect(expiryOfReplacement({ createdAt: iso(now) } as ApiKey, now)).toBeUndefined();
});
