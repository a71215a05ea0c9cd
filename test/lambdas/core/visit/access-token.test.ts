import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Link } from '../../../../lambdas/core/link/link.ts';
import { isAccessToken, newAccessToken } from '../../../../lambdas/core/visit/access-token.ts';

const now = Date.parse('2030-01-01T00:00:00Z');
const link = { id: 'lnk_x', passwordHash: '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA' } as Link;
const token = newAccessToken(link, now);

describe('An access token', () => {
  test('An access token is valid for 15 minutes, and not a millisecond longer.', () => {
    expect(isAccessToken(link, token, now)).toBe(true);
    expect(isAccessToken(link, token, now + 899_999)).toBe(true);
    expect(isAccessToken(link, token, now + 900_000)).toBe(false);
  });

  test('An access token is valid only for its link and its password.', () => {
    expect(isAccessToken({ ...link, id: 'lnk_y' }, token, now)).toBe(false);
    expect(isAccessToken({ ...link, passwordHash: `${link.passwordHash}x` }, token, now)).toBe(false);
    expect(isAccessToken({ ...link, passwordHash: null }, token, now)).toBe(false);
  });

  test('An access token with a character changed, removed or added is invalid.', () => {
    fc.assert(
      fc.property(fc.nat(token.length), fc.string({ minLength: 1, maxLength: 2 }), fc.constantFrom(0, 1), (at, text, left) => {
        const changed = token.slice(0, at) + text + token.slice(at + left);
        if (changed !== token) expect(isAccessToken(link, changed, now)).toBe(false);
      }),
    );
  });

  test.for([
    '',
    '.',
    'x',
    `${now + 1}.`,
    `${now + 1}.${'A'.repeat(43)}`,
    `9999999999999.${token.split('.')[1]}`,
    token.toUpperCase(),
  ])('%j is not an access token.', (text) => {
    expect(isAccessToken(link, text, now)).toBe(false);
  });

  test("An access token reveals nothing of the password's hash.", () => {
    expect(token).toMatch(/^\d{13}\.[\w-]{43}$/);
    expect(token).not.toContain('aGFzaA');
  });
});
