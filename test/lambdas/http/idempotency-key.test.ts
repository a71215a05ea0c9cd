import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { idempotencyKey } from '../../../lambdas/http/idempotency-key.ts';
import { apiEvent } from '../../support/http/api-event.ts';

const refused = (code: string) => expect.objectContaining({ name: 'RequestError', code });
const withKey = (...keys: string[]) => apiEvent({ headers: { 'idempotency-key': keys } });

test('A key of 1 to 255 visible ASCII characters is used as it is.', () => {
  const visible = fc.integer({ min: 0x21, max: 0x7e }).map((code) => String.fromCharCode(code));
  fc.assert(
    fc.property(fc.string({ unit: visible, minLength: 1, maxLength: 255 }), (key) => idempotencyKey(withKey(key)) === key),
  );
});

test('A request may have no key.', () => {
  expect(idempotencyKey(apiEvent())).toBeUndefined();
  expect(idempotencyKey(withKey())).toBeUndefined();
});

describe('A refused key', () => {
  test.for([
    ['that is empty', ''],
    ['of 256 characters', 'a'.repeat(256)],
    ['with a space', 'a b'],
    ['with a tab', 'a\tb'],
    ['with a line break behind it', 'a\n'],
    ['with NUL', 'a\0'],
    ['with DEL', 'a\x7f'],
    ['with a letter beyond ASCII', 'é'],
    ['with an emoji', '😀'],
  ] as const)('A key %s is refused.', ([, key]) => {
    expect(() => idempotencyKey(withKey(key))).toThrow(refused('validation_failed'));
  });

  test('A key that is sent twice is refused, even if it is the same.', () => {
    expect(() => idempotencyKey(withKey('a', 'a'))).toThrow(refused('bad_request'));
  });

  test('A refused key is not quoted.', () => {
    const messageOf = (key: string) => {
      try {
        return idempotencyKey(withKey(key));
      } catch (error) {
        return String(error);
      }
    };
    expect(messageOf('top secret')).not.toContain('secret');
  });
});
