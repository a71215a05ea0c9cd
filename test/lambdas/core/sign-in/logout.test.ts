import fc from 'fast-check';
import { expect, test } from 'vitest';
import { loggedOutIn } from '../../../../lambdas/core/sign-in/logout.ts';

const now = Date.parse('2030-01-01T00:00:00Z');
const second = now / 1_000;
const client = { issuer: 'https://accounts.example', clientId: 'links' };
const event = 'http://schemas.openid.net/event/backchannel-logout';
const claims = {
  iss: 'https://accounts.example',
  aud: 'links',
  iat: second,
  exp: second + 120,
  jti: 'token-1',
  sub: 'ada',
  sid: 'session-1',
  events: { [event]: {} },
};
const read = (more: Record<string, unknown>) =>
  loggedOutIn(Object.fromEntries(Object.entries({ ...claims, ...more }).filter(([, value]) => value !== undefined)), client, now);

test('A logout token names the person or session that the provider has signed out.', () => {
  const told = { issuer: claims.iss, subject: 'ada', sid: 'session-1', jti: 'token-1', issuedAt: second, endsAt: second + 120 };
  expect(read({})).toEqual(told);
  expect(read({ sid: undefined })).toEqual({ ...told, sid: undefined });
  expect(read({ sub: undefined })).toEqual({ ...told, subject: undefined });
  expect(read({ aud: ['other', 'links'], more: 1 })).toEqual(told);
});

test.for<[string, Record<string, unknown>, string]>([
  ['another issuer', { iss: 'https://other.example' }, 'another issuer'],
  ['an issuer that only begins like ours', { iss: 'https://accounts.example.evil' }, 'another issuer'],
  ['no issuer', { iss: undefined }, 'another issuer'],
  ['another audience', { aud: 'other' }, 'another client'],
  ['an audience that contains it', { aud: 'links-2' }, 'another client'],
  ['no audience', { aud: undefined }, 'another client'],
  ['no time', { iat: undefined }, 'iat'],
  ['a time as a text', { iat: String(second) }, 'iat'],
  ['a time in the future', { iat: second + 61 }, 'iat'],
  ['no end', { exp: undefined }, 'exp'],
  ['an expiry in the past', { exp: second - 60 }, 'exp'],
  ['an infinite expiry', { exp: 1e300 }, 'exp'],
  ['no event', { events: undefined }, 'no logout'],
  ['another event', { events: { 'http://schemas.openid.net/event/other': {} } }, 'no logout'],
  ['an event that is true', { events: { [event]: true } }, 'no logout'],
  ['a list of events', { events: [event] }, 'no logout'],
  ['a nonce', { nonce: 'n' }, 'nonce'],
  ['an empty nonce', { nonce: '' }, 'nonce'],
  ['no id', { jti: undefined }, 'jti'],
  ['a long id', { jti: 'x'.repeat(513) }, 'jti'],
  ['neither person nor session', { sub: undefined, sid: undefined }, 'neither'],
  ['a session that is null', { sid: null }, 'sub or sid'],
  ['an empty person', { sub: '' }, 'sub or sid'],
  ['a person that is a number', { sub: 7 }, 'sub or sid'],
])('A token with %s is refused.', ([_, more, says]) => {
  expect(read(more)).toContain(says);
});

test('Clocks may be a minute apart, and no more.', () => {
  expect(read({ iat: second + 60, exp: second + 180 })).toBeTypeOf('object');
  expect(read({ exp: second - 59 })).toBeTypeOf('object');
});

test('Whatever a token claims, it is read or refused with a reason.', () => {
  const anything = fc.dictionary(fc.constantFrom(...Object.keys(claims), 'nonce'), fc.anything());
  fc.assert(
    fc.property(anything, (more) => {
      const told = read(more);
      if (typeof told === 'string') expect(told).toMatch(/^the token /);
      else expect(told.subject ?? told.sid).toBeTypeOf('string');
    }),
  );
});
