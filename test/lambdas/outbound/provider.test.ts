import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { SignIn } from '../../../lambdas/core/sign-in/sign-in.ts';
import {
  beginSignIn,
  finishSignIn,
  logoutAddress,
  type ProviderCall,
  type ProviderReach,
} from '../../../lambdas/outbound/provider.ts';
import type { Reach } from '../../../lambdas/outbound/public-request.ts';
import { providerReach } from '../../../lambdas/outbound/reach.ts';
import { type Behaviour, clientId, newSigningKey, useOpenIdProvider } from '../../support/http/openid-provider.ts';

const newProvider = await useOpenIdProvider();

/** Each name resolves to this machine, where the provider runs. */
const here: Reach = {
  lookup: async () => [{ address: '127.0.0.1', family: 4 }],
  isAllowed: () => true,
  isOpen: () => true,
};
const redirectUri = 'https://api.links.example/sign-in/callback';

type Change = (behaviour: Behaviour) => void;

/** A provider with this behaviour, and a person who begins to sign in with it. */
async function arrange(
  change?: Change,
  more: Partial<SignIn> = {},
  receivedAt = Date.now(),
  reachOf: ProviderReach = () => here,
) {
  let nonce = '';
  const { issuer, got, behaviour } = newProvider(() => nonce, change);
  const usual = { scope: 'openid email profile', logout: 'provider', sessionHours: 12 } as const;
  const call: ProviderCall = { signIn: { issuer, clientId, ...usual, ...more }, redirectUri, receivedAt, reachOf, withinMs: 500 };
  const begun = await beginSignIn(call, '/console');
  nonce = begun.attempt.nonce;
  const back = (query: Record<string, string> = {}) =>
    new URLSearchParams({ code: 'the-code', state: begun.attempt.state, ...query }).toString();
  const finish = (query?: Record<string, string>, attempt = begun.attempt, secret?: string) =>
    finishSignIn(call, attempt, back(query), secret);
  return { ...begun, issuer, call, got, behaviour, finish, paths: () => got.map(({ path }) => path) };
}

const answering =
  (path: string, answer: Behaviour['answers'][string]): Change =>
  ({ answers }) => {
    answers[path] = answer;
  };
const isJson = { 'Content-Type': 'application/json' };

const refusal = { name: 'ProviderError', failure: 'refused' };
const outage = { name: 'ProviderError', failure: 'unavailable' };
const asked = ['/.well-known/openid-configuration', '/token'];

test('A person is sent to the provider with all values that tie the answer to this attempt, and without secrets.', async () => {
  const { location, attempt, issuer } = await arrange(undefined, { scope: 'openid groups' });
  const url = new URL(location);
  expect(`${url.origin}${url.pathname}`).toBe(`${issuer}/authorize`);
  expect(Object.fromEntries(url.searchParams)).toEqual({
    client_id: clientId,
    response_type: 'code',
    redirect_uri: redirectUri,
    scope: 'openid groups',
    state: attempt.state,
    nonce: attempt.nonce,
    code_challenge: createHash('sha256').update(attempt.verifier).digest('base64url'),
    code_challenge_method: 'S256',
  });
  const secrets = [attempt.state, attempt.nonce, attempt.verifier];
  expect(new Set(secrets).size).toBe(3);
  for (const secret of secrets) expect(secret.length).toBeGreaterThanOrEqual(43);
  expect((await arrange()).attempt.state).not.toBe(attempt.state);
});

test("A person's code is exchanged once, with the verifier, and the ID token identifies them.", async () => {
  const { finish, got, attempt } = await arrange(({ claims }) => {
    Object.assign(claims, { email_verified: true, name: 'Ada', groups: ['staff'] });
  });
  expect(await finish()).toMatchObject({
    sub: 'ada',
    email: 'ada@example.com',
    email_verified: true,
    name: 'Ada',
    groups: ['staff'],
  });
  const exchange = got.find(({ path }) => path === '/token');
  expect(Object.fromEntries(exchange?.body ?? [])).toEqual({
    grant_type: 'authorization_code',
    client_id: clientId,
    code: 'the-code',
    code_verifier: attempt.verifier,
    redirect_uri: redirectUri,
  });
  expect(got.map(({ path }) => path)).toEqual([...asked, '/keys']);
});

test('A used code signs nobody in.', async () => {
  const { finish } = await arrange();
  await finish();
  await expect(finish()).rejects.toMatchObject(refusal);
});

test("A client authenticates with its secret in the provider's way, or in OpenID Connect's default way.", async () => {
  const basic = `Basic ${Buffer.from('the%2Dclient:s%2Bcret').toString('base64')}`;
  for (const [methods, authorization, posted] of [
    [['client_secret_post'], undefined, 's+cret'],
    [['client_secret_basic', 'client_secret_post'], basic, null],
    [undefined, basic, null],
  ] as const) {
    const { finish, got, attempt } = await arrange(({ document }) => {
      document.token_endpoint_auth_methods_supported = methods;
    });
    await finish({}, attempt, 's+cret');
    const exchange = got.find(({ path }) => path === '/token');
    expect([exchange?.authorization, exchange?.body.get('client_secret')]).toEqual([authorization, posted]);
  }
});

test("A person's address comes from the provider's userinfo if the ID token has none, and only if it is about the same person.", async () => {
  const withoutAddress: Change = ({ claims, userinfo }) => {
    claims.email = undefined;
    Object.assign(userinfo, { email: 'ada@example.org', email_verified: true, iss: 'another' });
  };
  const { finish, issuer } = await arrange(withoutAddress);
  expect(await finish()).toMatchObject({ sub: 'ada', iss: issuer, email: 'ada@example.org', email_verified: true });
  const other = await arrange((behaviour) => {
    withoutAddress(behaviour);
    behaviour.userinfo.sub = 'mallory';
  });
  await expect(other.finish()).rejects.toMatchObject(refusal);
});

const now = Math.floor(Date.now() / 1_000);

describe('Nobody is signed in by an ID token', () => {
  test.for<[string, Change]>([
    ['without a signature', ({ header }) => void Object.assign(header, { alg: 'none', kid: undefined })],
    [
      'without a signature, from a provider that says it has such tokens',
      ({ header, document }) => {
        Object.assign(header, { alg: 'none', kid: undefined });
        document.id_token_signing_alg_values_supported = ['none', 'RS256'];
      },
    ],
    [
      'that is signed with a shared secret',
      ({ header, document }) => {
        Object.assign(header, { alg: 'HS256', kid: undefined });
        document.id_token_signing_alg_values_supported = ['HS256', 'RS256'];
      },
    ],
    ['of another issuer', ({ claims }) => void Object.assign(claims, { iss: 'https://accounts.example' })],
    ['without an issuer', ({ claims }) => void Object.assign(claims, { iss: undefined })],
    ['for another client', ({ claims }) => void Object.assign(claims, { aud: 'another' })],
    [
      'for several clients, of which another one asked',
      ({ claims }) => void Object.assign(claims, { aud: [clientId, 'another'], azp: 'another' }),
    ],
    ['of another attempt', ({ claims }) => void Object.assign(claims, { nonce: 'another' })],
    ['without an attempt', ({ claims }) => void Object.assign(claims, { nonce: undefined })],
    ['that has expired', ({ claims }) => void Object.assign(claims, { iat: now - 3_600, exp: now - 120 })],
    ['that never expires', ({ claims }) => void Object.assign(claims, { exp: undefined })],
    ['that is not yet valid', ({ claims }) => void Object.assign(claims, { nbf: now + 300 })],
    ['about nobody', ({ claims }) => void Object.assign(claims, { sub: undefined })],
    ['that is missing', ({ tokens }) => void Object.assign(tokens, { id_token: undefined })],
    ["that isn't a token", ({ tokens }) => void Object.assign(tokens, { id_token: 'a.b.c' })],
    ['that is encrypted', ({ tokens }) => void Object.assign(tokens, { id_token: 'a.b.c.d.e' })],
  ])('%s.', async ([, change]) => {
    const { finish } = await arrange(change);
    await expect(finish()).rejects.toMatchObject(refusal);
  });

  test('that another key has signed, even if it names the right one.', async () => {
    const other = await newSigningKey('first');
    const { finish } = await arrange((behaviour) => {
      behaviour.signsWith = other;
    });
    await expect(finish()).rejects.toMatchObject(refusal);
  });
});

test('A new key of the provider works after one more read of its keys, and a withdrawn key does not.', async () => {
  const next = await newSigningKey('next');
  const { finish, call, behaviour, paths } = await arrange();
  const { signsWith: first } = behaviour;
  await finish();
  Object.assign(behaviour, { signsWith: next, publishes: [next.jwk], header: { alg: 'RS256', kid: 'next' } });
  const again = await beginSignIn(call, '/console');
  const back = new URLSearchParams({ code: 'another-code', state: again.attempt.state }).toString();
  behaviour.claims.nonce = again.attempt.nonce;
  expect(await finishSignIn(call, again.attempt, back, undefined)).toMatchObject({ sub: 'ada' });
  expect(paths().filter((path) => path === '/keys')).toHaveLength(2);
  Object.assign(behaviour, { signsWith: first, header: { alg: 'RS256', kid: 'first' } });
  const third = await beginSignIn(call, '/console');
  behaviour.claims.nonce = third.attempt.nonce;
  const last = new URLSearchParams({ code: 'third-code', state: third.attempt.state }).toString();
  await expect(finishSignIn(call, third.attempt, last, undefined)).rejects.toMatchObject(refusal);
});

test("The gateway's time, not the function's, decides whether an ID token is valid.", async () => {
  const late = { iat: now + 3_600, nbf: now + 3_600, exp: now + 3_900 };
  const change: Change = ({ claims }) => void Object.assign(claims, late);
  expect(await (await arrange(change, {}, Date.now() + 3_600_000)).finish()).toMatchObject({ sub: 'ada' });
  await expect((await arrange(change)).finish()).rejects.toMatchObject(refusal);
});

test('The answer to another attempt is refused before any request to the provider.', async () => {
  const { finish, paths } = await arrange();
  await expect(finish({ state: 'another' })).rejects.toMatchObject(refusal);
  await expect(finish({ iss: 'https://accounts.example' })).rejects.toMatchObject(refusal);
  expect(paths()).toEqual(asked.slice(0, 1));
});

test('Somebody who cancels at the provider is told so, and other texts of the provider are not quoted.', async () => {
  const { finish } = await arrange();
  await expect(finish({ error: 'access_denied' })).rejects.toMatchObject({ failure: 'cancelled' });
  await expect(finish({ error: 'server_error\n{"message":"x"}' })).rejects.toMatchObject({
    failure: 'refused',
    message: 'the provider says server_errormessagex',
  });
});

test.for(['server_error', 'temporarily_unavailable'])("The provider's error %s is an outage, not a refusal.", async (error) => {
  await expect((await arrange()).finish({ error })).rejects.toMatchObject(outage);
});

test('The log distinguishes a used code from a wrong client secret, and quotes nothing else from the provider.', async () => {
  for (const error of ['invalid_grant', 'invalid_client']) {
    const body = JSON.stringify({ error, error_description: 'the code the-code of ada@example.com' });
    const { finish } = await arrange(
      answering('/token', (_, response) => response.writeHead(401, { ...isJson, 'WWW-Authenticate': 'Basic' }).end(body)),
    );
    await expect(finish()).rejects.toMatchObject({ ...refusal, message: `the provider says ${error}` });
  }
});

test('A provider whose document names another issuer is refused, and endpoints on other hosts are accepted.', async () => {
  await expect(
    arrange(({ document }) => void Object.assign(document, { issuer: 'https://accounts.example' })),
  ).rejects.toMatchObject({
    message: expect.stringContaining('issuer'),
  });
  const elsewhere: Change = ({ document }) => {
    for (const name of ['token_endpoint', 'jwks_uri'])
      document[name] = String(document[name]).replace('localhost', 'keys.example');
  };
  expect(await (await arrange(elsewhere)).finish()).toMatchObject({ sub: 'ada' });
});

test.for<[string, Change]>([
  ['breaks off', answering('/token', (_, response) => void response.destroy())],
  ['never ends', answering('/token', (_, response) => void response.writeHead(200, isJson).write('{"access_token":'))],
  ['never comes', answering('/keys', () => {})],
  ['is huge', answering('/keys', (_, response) => response.writeHead(200, isJson).end(`{"keys":["${'x'.repeat(200_000)}"]}`))],
  ['redirects', answering('/token', (_, response) => response.writeHead(307, { Location: 'elsewhere' }).end())],
  ['is an error', answering('/token', (_, response) => response.writeHead(500).end())],
])('A provider whose answer %s signs nobody in, within the time of a request, and gets no retry.', async ([, change]) => {
  const { finish, paths } = await arrange(change);
  await expect(finish()).rejects.toMatchObject(outage);
  expect(paths().filter((path) => path === '/token')).toHaveLength(1);
  expect(paths()).not.toContain('/elsewhere');
});

test("An answer that isn't a JSON object signs nobody in.", async () => {
  for (const body of ['<!doctype html>', '[]', 'null', '']) {
    const { finish } = await arrange(answering('/token', (_, response) => response.writeHead(200, isJson).end(body)));
    await expect(finish()).rejects.toMatchObject(refusal);
  }
});

test('No error of a sign-in contains a token, a code or a claim.', async () => {
  const { finish } = await arrange(({ claims }) => void Object.assign(claims, { nonce: 'another' }));
  const error = (await finish().catch((caught) => caught)) as Error;
  const shown = `${error.stack} ${JSON.stringify(error)} ${String(error.cause)}`;
  for (const secret of ['the-code', 'an-access-token', 'ada@example.com', 'eyJ']) expect(shown).not.toContain(secret);
});

test('A provider is reached only at public addresses over https, at its own port, and on a laptop also on the machine itself.', () => {
  const reach = providerReach('https://login.example.com:8443/realm');
  const at = (url: string) => reach(new URL(url));
  expect(at('http://login.example.com:8443/')).toBeUndefined();
  expect(at('http://127.0.0.1/')).toBeUndefined();
  const found = at('https://login.example.com/token');
  for (const [host, isAllowed] of [
    ['login.example.com', true],
    ['127.0.0.1', false],
    ['169.254.169.254', false],
    ['10.0.0.1', false],
    ['[::1]', false],
    ['localhost', false],
  ] as const)
    expect(found?.isAllowed(host), host).toBe(isAllowed);
  expect(['', '8443', '22'].map((port) => found?.isOpen(port))).toEqual([true, true, false]);
});

describe('Signing out at the provider', () => {
  const consoleUri = 'https://api.links.example/console';

  test('uses the address in its discovery document, with the client and the address to return to.', async () => {
    const { call, issuer } = await arrange(({ document }) => {
      document.end_session_endpoint = `${String(document.issuer)}/logout?theme=dark`;
    });
    const url = new URL((await logoutAddress(call, consoleUri)) ?? '');
    expect(`${url.origin}${url.pathname}`).toBe(`${issuer}/logout`);
    expect(Object.fromEntries(url.searchParams)).toEqual({
      theme: 'dark',
      client_id: clientId,
      post_logout_redirect_uri: consoleUri,
    });
  });

  test('is impossible if the document has no address.', async () => {
    const { call } = await arrange();
    expect(await logoutAddress(call, consoleUri)).toBeNull();
  });

  test.for(['javascript:alert(1)', 'data:text/html,x', '/logout', 7])('never uses %s.', async (address) => {
    const { call } = await arrange(({ document }) => {
      document.end_session_endpoint = address;
    });
    await expect(logoutAddress(call, consoleUri)).rejects.toMatchObject({ name: 'ProviderError' });
  });
});
