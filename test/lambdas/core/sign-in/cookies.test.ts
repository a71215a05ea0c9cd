import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addressName } from '../../../../lambdas/core/sign-in/address.ts';
import {
  attemptCookie,
  clearingCookie,
  cookiesIn,
  crowdedOut,
  sessionCookie,
  settingCookie,
} from '../../../../lambdas/core/sign-in/cookies.ts';
import { newSessionSecret, personOfSignIn, signInIdOf } from '../../../../lambdas/core/sign-in/session.ts';

test('No script, no other site and no other host gets a cookie, and each expires.', () => {
  expect(settingCookie(sessionCookie, 'abc', 43_200)).toBe(
    '__Host-links-session=abc; Max-Age=43200; Path=/; Secure; HttpOnly; SameSite=Strict',
  );
  expect(settingCookie(attemptCookie('state'), 'abc', 600)).toBe(
    '__Host-links-sign-in-state=abc; Max-Age=600; Path=/; Secure; HttpOnly; SameSite=Lax',
  );
  expect(clearingCookie(sessionCookie)).toContain('__Host-links-session=; Max-Age=0;');
});

const session = (header: string) => cookiesIn(header).get(sessionCookie);

test('A cookie is found among others, by its whole name.', () => {
  expect(session('a=b; __Host-links-session=xyz; c=d')).toBe('xyz');
  expect(session('a=b;\t __Host-links-session=x=y==')).toBe('x=y==');
  for (const header of ['', 'a=b', 'x__Host-links-session=xyz', '__Host-links-session2=xyz', '__host-links-session=xyz'])
    expect(session(header)).toBeUndefined();
  fc.assert(fc.property(fc.string(), (header) => void cookiesIn(header)));
});

test('A cookie of another host is never taken for the session, whatever it adds before or behind the name.', () => {
  const foreign = fc.string({ unit: 'binary', minLength: 1, maxLength: 3 }).filter((text) => !/[;=]|^[ \t]+$/.test(text));
  fc.assert(
    fc.property(foreign, fc.boolean(), (text, isBefore) => {
      const name = isBefore ? `${text}${sessionCookie}` : `${sessionCookie}${text}`;
      expect(session(`${name}=theirs; ${sessionCookie}=ours`)).toBe('ours');
      expect(session(`${name}=theirs`)).toBeUndefined();
    }),
    {
      examples: [
        ['\u00a0', true],
        ['\ufeff', true],
        ['\u2028', false],
        ['\v', true],
      ],
    },
  );
});

test('A session cookie that is sent twice is ignored, because one of the two may be from another host.', () => {
  expect(session('__Host-links-session=a; __Host-links-session=b')).toBeUndefined();
  expect(session('__Host-links-session=a; c=d; \t__Host-links-session=a')).toBeUndefined();
});

test('A browser keeps its newest attempts, and has room for one more.', () => {
  const header = (states: string) => [...states].map((state) => `${attemptCookie(state)}=x`).join('; ');
  const out = (states: string) => crowdedOut(cookiesIn(`${sessionCookie}=s; ${header(states)}`));
  expect(out('')).toEqual([]);
  expect(out('abc')).toEqual([]);
  expect(out('abcde')).toEqual([attemptCookie('a'), attemptCookie('b')]);
});

test('A session has a random secret of 43 base62 characters, which its id does not reveal.', () => {
  const personId = 'per_0123456789abcdef';
  const secret = newSessionSecret(personId);
  expect(secret).toMatch(/^0123456789abcdef[0-9A-Za-z]{43}$/);
  expect(newSessionSecret(personId)).not.toBe(secret);
  const id = signInIdOf(secret) ?? '';
  expect(id).toMatch(/^sgn_0123456789abcdef[\w-]{43}$/);
  expect(id).not.toContain(secret.slice(16));
  expect(personOfSignIn(id)).toBe(personId);
  for (const text of ['', 'x', `${id}x`, secret, `sgn_${'#'.repeat(59)}`]) expect(personOfSignIn(text)).toBeUndefined();
  for (const text of ['', 'x', `${secret}x`, `${secret.slice(1)}-`]) expect(signInIdOf(text)).toBeUndefined();
});

test('Addresses are counted by a short hash, IPv6 addresses by their first half.', () => {
  expect(addressName('192.0.2.1')).toMatch(/^[0-9a-f]{6}$/);
  expect(addressName('192.0.2.1')).not.toBe(addressName('192.0.2.2'));
  expect(addressName('::ffff:192.0.2.1')).toBe(addressName('192.0.2.1'));
  expect(addressName('2001:db8::1')).toBe(addressName('2001:db8:0:0:ffff::2'));
  expect(addressName('2001:db8::1')).not.toBe(addressName('2001:db8:0:1::1'));
  expect(addressName('')).toMatch(/^[0-9a-f]{6}$/);
});
