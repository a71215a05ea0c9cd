import { type JWTPayload, SignJWT } from 'jose';
import { expect, test } from 'vitest';
import { readLogoutToken } from '../../../lambdas/outbound/logout-token.ts';
import type { ProviderCall } from '../../../lambdas/outbound/provider.ts';
import {
  type Behaviour,
  clientId,
  newSigningKey,
  type SigningKey,
  useOpenIdProvider,
} from '../../support/http/openid-provider.ts';

const newProvider = await useOpenIdProvider();
const first = await newSigningKey('first');
const other = await newSigningKey('first');

/** A provider that signs with this key, and a function that checks tokens. */
function arrange(change: (behaviour: Behaviour) => void = () => {}) {
  const { issuer, got, behaviour } = newProvider(
    () => '',
    (one) => {
      one.publishes = [first.jwk];
      change(one);
    },
  );
  const here = { lookup: async () => [{ address: '127.0.0.1', family: 4 }], isAllowed: () => true, isOpen: () => true } as const;
  const signIn = { issuer, clientId, scope: 'openid', logout: 'provider', sessionHours: 12 } as const;
  const call: ProviderCall = { signIn, redirectUri: 'https://a.b/c', receivedAt: Date.now(), reachOf: () => here, withinMs: 500 };
  const now = Math.floor(Date.now() / 1_000);
  const said: JWTPayload = {
    iss: issuer,
    aud: clientId,
    iat: now,
    exp: now + 120,
    jti: 'token-1',
    sub: 'ada',
    events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
  };
  const signed = (claims: JWTPayload = {}, key: SigningKey = first, header: object = {}) =>
    new SignJWT({ ...said, ...claims })
      .setProtectedHeader({ alg: 'RS256', kid: 'first', typ: 'logout+jwt', ...header })
      .sign(key.privateKey);
  return {
    issuer,
    behaviour,
    said,
    signed,
    paths: () => got.map(({ path }) => path),
    read: (token: string) => readLogoutToken(call, token),
  };
}

const refused = { name: 'ProviderError', failure: 'refused' };
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

test("A token that is signed with one of the provider's present keys is accepted.", async () => {
  const { read, signed, issuer, behaviour, paths } = arrange();
  expect(await read(await signed())).toMatchObject({ issuer, subject: 'ada', sid: undefined, jti: 'token-1' });
  expect(await read(await signed({}, first, { typ: undefined }))).toMatchObject({ subject: 'ada' });
  behaviour.publishes = [other.jwk];
  await expect(read(await signed())).rejects.toMatchObject(refused);
  expect(await read(await signed({}, other))).toMatchObject({ subject: 'ada' });
  expect(paths()).toEqual(['/.well-known/openid-configuration', '/keys', '/keys', '/keys', '/keys']);
});

test('A token that is unsigned, or signed by somebody else, is refused.', async () => {
  const { read, signed, said } = arrange();
  await expect(read(await signed({}, other))).rejects.toMatchObject(refused);
  await expect(read(await signed({}, first, { kid: 'unknown' }))).rejects.toMatchObject(refused);
  const [header, , signature] = (await signed()).split('.');
  await expect(read(`${header}.${part({ ...said, sub: 'eve' })}.${signature}`)).rejects.toMatchObject(refused);
  await expect(read(`${part({ alg: 'none' })}.${part(said)}.`)).rejects.toMatchObject(refused);
  const hmac = await new SignJWT(said).setProtectedHeader({ alg: 'HS256' }).sign(new TextEncoder().encode('x'.repeat(64)));
  await expect(read(hmac)).rejects.toMatchObject(refused);
});

test.for([
  ['an ID token', { nonce: 'n' }],
  ['a token about something else', { events: {} }],
  ['a token for another client', { aud: 'other' }],
  ['a token that has expired', { exp: 1 }],
  ['a token of another issuer', { iss: 'https://other.example' }],
] as const)('For %s, the provider gets no request.', async ([_, claims]) => {
  const { read, signed, paths } = arrange();
  await expect(read(await signed(claims))).rejects.toMatchObject(refused);
  expect(paths()).toEqual([]);
});

test.for(['', 'x', 'a.b.c', '..', 'a.b.c.d.e', `${part({})}.${part([])}.x`, `${part({})}.${part(null)}.x`])(
  'The text %j is refused without a request to the provider.',
  async (text) => {
    const { read, paths } = arrange();
    await expect(read(text)).rejects.toMatchObject(refused);
    expect(paths()).toEqual([]);
  },
);

test.for<[string, Behaviour['answers'][string]]>([
  ['has no keys', (_, response) => void response.writeHead(404).end()],
  ['has a page', (_, response) => void response.writeHead(200).end('<html>')],
  ['fails', (_, response) => void response.writeHead(500).end()],
])('While the address of the keys %s, no token is accepted.', async ([_, answer]) => {
  const { read, signed } = arrange(({ answers }) => {
    answers['/keys'] = answer;
  });
  await expect(read(await signed())).rejects.toMatchObject({ name: 'ProviderError', failure: 'unavailable' });
});

test.for([null, [], {}, { keys: null }, { keys: [1] }])(
  'While the provider publishes %j instead of keys, no token is accepted.',
  async (keys) => {
    const { read, signed } = arrange(({ answers }) => {
      answers['/keys'] = (_, response) => void response.writeHead(200).end(JSON.stringify(keys));
    });
    await expect(read(await signed())).rejects.toMatchObject({ name: 'ProviderError' });
  },
);

test('The error reveals nothing of the token.', async () => {
  const { read, signed } = arrange();
  const token = await signed({ sub: 'secret-subject' }, other);
  const error = (await read(token).catch((one: unknown) => one)) as Error;
  expect(JSON.stringify([error.message, error.cause, error.stack])).not.toMatch(/secret-subject|eyJ/);
});
