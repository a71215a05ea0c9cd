import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameEmail, parseEmail } from '../../../../lambdas/core/member/email.ts';

test.for([
  ['ada@example.com', 'ada@example.com'],
  ['  Ada.Lovelace+links@Example.COM ', 'Ada.Lovelace+links@Example.COM'],
  ['jürgen@münchen.example', 'jürgen@münchen.example'],
  ['a@b', 'a@b'],
])('%j is the email address %j.', ([text, email]) => {
  expect(parseEmail(text as string)).toBe(email);
});

test.for(['', '@', 'ada', 'ada@', '@example.com', 'a@b@c', 'a b@example.com', 'ada@exam\nple.com', 'a\0@b', '\ud800@b'])(
  '%j is refused as an email address.',
  (text) => {
    expect(() => parseEmail(text)).toThrow('must be an email address');
  },
);

test('An email address has at most 254 characters.', () => {
  expect(parseEmail(`${'a'.repeat(252)}@b`)).toHaveLength(254);
  expect(() => parseEmail(`${'a'.repeat(253)}@b`)).toThrow('at most 254 characters');
});

test('Email addresses are the same exactly if they differ only in case.', () => {
  fc.assert(
    fc.property(fc.emailAddress(), fc.emailAddress(), (one, other) => {
      expect(isSameEmail(one, one.toUpperCase())).toBe(true);
      expect(isSameEmail(one, other)).toBe(one.toLowerCase() === other.toLowerCase());
    }),
  );
});

test('A letter that becomes one of A to Z only when its case changes makes another address.', () => {
  for (const [one, other] of [
    ['ada@\u212aelvin.example', 'ada@kelvin.example'],
    ['\u0131da@example.com', 'ida@example.com'],
  ] as const)
    expect(isSameEmail(one, other)).toBe(false);
});
