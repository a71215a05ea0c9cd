import fc from 'fast-check';
import { expect, test } from 'vitest';
import { afterSignIn, type Profile, profileOf, shownEmail } from '../../../../lambdas/core/member/profile.ts';

type Said = ReturnType<typeof profileOf>;
const start = Date.parse('2030-01-02T03:04:05.678Z');
const iso = (time: number) => new Date(time).toISOString();
/** A sign-in this many milliseconds after the start. */
const signIn = (after: number, emailVerified: boolean | undefined, email: string, name: string | null = null): Said =>
  profileOf({ id: 'per_a', identity: 'a', email, emailVerified, name, lastSignedInAt: iso(start + after) });

const invited: Profile = { email: 'ada@example.com', name: null };
const after = (signIns: readonly Said[], known = invited) => signIns.reduce(afterSignIn, known);

const verified = signIn(1, true, 'ada@example.com', 'Ada');
test.for<[string, string, readonly Said[], number]>([
  ['another one that is not verified', 'ada@example.com', [verified, signIn(2, false, 'ceo@example.com')], 1],
  [
    'another one that the provider does not call verified or not',
    'ada@example.com',
    [verified, signIn(2, undefined, 'ceo@example.com')],
    1,
  ],
  ['the same one, no longer verified', 'ada@example.com', [verified, signIn(2, false, 'ada@example.com')], 1],
  ['another verified one', 'new@example.com', [verified, signIn(2, true, 'new@example.com')], 2],
])('After a verified address and %s, a member has %s.', ([_, email, signIns, at]) => {
  expect(after(signIns)).toMatchObject({ email, emailVerified: true, emailAt: iso(start + at), lastSignedInAt: iso(start + 2) });
});

test('Somebody without a verified address has the latest one, until the first verified one replaces it.', () => {
  const [one, other] = [signIn(1, false, 'ceo@example.com'), signIn(2, undefined, 'cfo@example.com')];
  expect(after([one, other])).toMatchObject({ email: 'cfo@example.com', emailVerified: undefined });
  expect(after([other, one])).toMatchObject({ email: 'cfo@example.com', emailVerified: undefined });
  expect(after([one, other, verified])).toMatchObject({ email: 'ada@example.com', emailVerified: true, name: null });
});

test('In whatever order and however often sign-ins are noted, the profile is the same in the end.', () => {
  const said = fc.record({
    emailVerified: fc.constantFrom(true, false, undefined),
    email: fc.constantFrom('ada@example.com', 'ceo@example.com', 'cfo@example.com'),
    name: fc.constantFrom('Ada', 'The CEO', null),
  });
  const signIns = fc
    .array(said, { minLength: 1, maxLength: 8 })
    .map((all) => all.map(({ emailVerified, email, name }, index) => signIn(index, emailVerified, email, name)));
  const noted = signIns.chain((all) =>
    fc.tuple(fc.constant(all), fc.shuffledSubarray([...all, ...all], { minLength: all.length * 2 })),
  );
  fc.assert(
    fc.property(noted, ([all, noted]) => {
      const latest = all.at(-1) as Said;
      const { email, emailVerified, emailAt } = all.findLast((one) => one.emailVerified) ?? latest;
      const { name, lastSignedInAt } = latest;
      const known = after(noted);
      expect(known).toEqual({ email, emailVerified, emailAt, name, lastSignedInAt });
      for (const one of all) expect(afterSignIn(known, one)).toBe(known);
    }),
  );
});

test('An address that the provider has not verified is shown as not verified.', () => {
  const texts = [true, false, undefined, null].map((emailVerified) => shownEmail({ email: 'ceo@example.com', emailVerified }));
  expect(texts).toEqual(['ceo@example.com', ...Array(3).fill('ceo@example.com (not verified)')]);
});
