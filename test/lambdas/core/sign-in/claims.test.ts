import fc from 'fast-check';
import { expect, test } from 'vitest';
import { identityIn, placesFor } from '../../../../lambdas/core/sign-in/claims.ts';
import type { JoinRule } from '../../../../lambdas/core/sign-in/sign-in.ts';

const claims = { iss: 'https://accounts.example', sub: 'ada', email: 'ada@example.com', name: 'Ada' };
const known = { issuer: claims.iss, subject: 'ada', email: 'ada@example.com', name: 'Ada' };

test.for<[unknown, boolean | undefined, boolean | undefined]>([
  [true, true, true],
  ['true', true, true],
  [false, false, false],
  ['false', false, false],
  ['yes', false, false],
  [undefined, undefined, true],
  [null, undefined, true],
])('An address whose email_verified is %j is verified: %j, and where addresses are trusted: %j.', ([said, verified, trusted]) => {
  const sent = { ...claims, email_verified: said };
  expect(identityIn(sent, {})).toEqual({ ...known, emailVerified: verified });
  expect(identityIn(sent, { trustEmails: true })).toEqual({ ...known, emailVerified: trusted });
});

test.for<Record<string, unknown>>([
  { email: undefined },
  { email: '' },
  { email: 'ada' },
  { email: 'ada@' },
  { email: 'a@b@c' },
  { email: 'ada @example.com' },
  { email: 'ada\n@example.com' },
  { email: `${'a'.repeat(250)}@example.com` },
  { email: ['ada@example.com'] },
  { sub: undefined },
  { sub: '' },
  { sub: 7 },
  { sub: 'a'.repeat(513) },
  { iss: undefined },
])('Claims with %j sign nobody in.', (wrong) => {
  expect(identityIn({ ...claims, ...wrong }, { trustEmails: true })).toBeUndefined();
});

test('A name is one line of text, or the user name, or none.', () => {
  const nameOf = (more: object) => identityIn({ ...claims, ...more }, {})?.name;
  expect(nameOf({ name: '  Ada \n Lovelace\u0000 ' })).toBe('Ada Lovelace');
  expect(nameOf({ name: '', preferred_username: 'ada' })).toBe('ada');
  expect(nameOf({ name: 'x'.repeat(129), preferred_username: 'ada' })).toBe('ada');
  expect(nameOf({ name: 7 })).toBeNull();
  // An address that is given as a name is not verified.
  expect(nameOf({ name: 'ceo@example.com', preferred_username: 'ada' })).toBe('ada');
  expect(nameOf({ name: 'Ada (ceo@example.com)', preferred_username: 'ceo@example.com' })).toBeNull();
  expect(nameOf({ name: 'Ada @ Work' })).toBe('Ada @ Work');
});

test('Whatever a provider says, reading it causes no error.', () => {
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom(...Object.keys(claims), 'email_verified'), fc.anything()),
      (sent) => void identityIn(sent, {}),
    ),
  );
});

const rule = (claim: string, equals: string, more: Partial<JoinRule> = {}): JoinRule => ({
  claim,
  equals,
  workspaceId: `ws_${claim}`,
  role: 'viewer',
  ...more,
});

test('A rule lets in exactly those who have its claim, as a text or in a list.', () => {
  const join = [rule('hd', 'example.com'), rule('groups', 'staff'), rule('constructor', 'Object'), rule('admin', 'true')];
  const found = (sent: Record<string, unknown>) =>
    placesFor(sent, { join }).flatMap(({ workspaceId, role }) => (role === undefined ? [] : workspaceId));
  expect(found({ hd: 'example.com', groups: ['other', 'staff'] })).toEqual(['ws_hd', 'ws_groups']);
  for (const sent of [
    {},
    { hd: 'Example.com' },
    { hd: 'example.com.evil' },
    { groups: 'staffing' },
    { groups: [['staff']] },
    { admin: true },
  ])
    expect(found(sent)).toEqual([]);
  expect(placesFor({ hd: 'example.com' }, {})).toEqual([]);
});

test('The highest role of several rules for a workspace applies, and a missing claim removes nobody.', () => {
  const of = { workspaceId: 'ws_a' };
  const join = [
    rule('groups', 'staff', of),
    rule('groups', 'admins', { ...of, role: 'owner' }),
    rule('hd', 'example.com', { ...of, role: 'editor' }),
  ];
  const place = (sent: Record<string, unknown>) => placesFor(sent, { join })[0];
  const elsewhere = { _claim_names: { groups: 'src1' }, _claim_sources: { src1: { endpoint: 'https://graph.example' } } };
  for (const [sent, role, isKnown] of [
    [{ groups: ['staff', 'admins'], hd: 'other.com' }, 'owner', true],
    [{ groups: ['staff'], hd: 'example.com' }, 'editor', true],
    [{ groups: [], hd: '' }, undefined, true],
    [{ groups: 'other', hd: false }, undefined, true],
    [{ hd: 'other.com' }, undefined, false],
    [{ groups: null, hd: 'example.com' }, 'editor', false],
    [{ groups: { staff: true }, hd: 'example.com' }, 'editor', false],
    [{ groups: [] }, undefined, false],
    [{ groups: [], hd: 'other.com', ...elsewhere }, undefined, false],
    [{ groups: [], hd: 'other.com', hasgroups: 'true' }, undefined, false],
    [{ groups: [], hd: 'other.com', _claim_names: 'groups' }, undefined, true],
  ] as const)
    expect([sent, place(sent)]).toEqual([sent, { workspaceId: 'ws_a', role, isKnown }]);
});
