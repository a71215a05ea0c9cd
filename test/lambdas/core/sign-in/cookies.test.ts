import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressName } from '../../../../lambdas/core/sign-in/address.ts';
import {
  attemptCookie,
  clearingCookie,
  cookieIn,
  sessionCookie,
  settingCookie,
} from '../../../../lambdas/core/sign-in/cookies.ts';
import { newSessionSecret, signInIdOf } from '../../../../lambdas/core/sign-in/session.ts';

test('No script, no other site and no other host gets a cookie, and each ends by itself.', () => {
  expect(settingCookie(sessionCookie, 'abc', 43_200)).toBe(
    '__Host-links-session=abc; Max-Age=43200; Path=/; Secure; HttpOnly; SameSite=Strict',
  );
  expect(settingCookie(attemptCookie, 'abc', 600)).toBe(
    '__Host-links-sign-in=abc; Max-Age=600; Path=/; Secure; HttpOnly; SameSite=Lax',
  );
  expect(clearingCookie(sessionCookie)).toContain('__Host-links-session=; Max-Age=0;');
});

test('A cookie is found among others, by its whole name.', () => {
  expect(cookieIn('a=b; __Host-links-session=xyz; c=d', sessionCookie)).toBe('xyz');
  expect(cookieIn('__Host-links-session=x=y==', sessionCookie)).toBe('x=y==');
  for (const header of ['', 'a=b', 'x__Host-links-session=xyz', '__Host-links-session2=xyz', '__host-links-session=xyz'])
    expect(cookieIn(header, sessionCookie)).toBeUndefined();
  fc.assert(fc.property(fc.string(), (header) => void cookieIn(header, sessionCookie)));
});

test('A session has 256 random bits, and its id does not tell them.', () => {
  const secret = newSessionSecret();
  expect(secret).toMatch(/^[0-9A-Za-z]{43}$/);
  expect(newSessionSecret()).not.toBe(secret);
  expect(signInIdOf(secret)).toMatch(/^sgn_[\w-]{43}$/);
  expect(signInIdOf(secret)).not.toContain(secret);
  for (const text of ['', 'x', `${secret}x`, `${secret.slice(1)}-`]) expect(signInIdOf(text)).toBeUndefined();
});

test('Addresses are counted under a name that many share; of IPv6, the first half counts.', () => {
  expect(addressName('192.0.2.1')).toMatch(/^[0-9a-f]{6}$/);
  expect(addressName('192.0.2.1')).not.toBe(addressName('192.0.2.2'));
  expect(addressName('::ffff:192.0.2.1')).toBe(addressName('192.0.2.1'));
  expect(addressName('2001:db8::1')).toBe(addressName('2001:db8:0:0:ffff::2'));
  expect(addressName('2001:db8::1')).not.toBe(addressName('2001:db8:0:1::1'));
  expect(addressName('')).toMatch(/^[0-9a-f]{6}$/);
});
