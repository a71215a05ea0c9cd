import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CryptoKey, exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { useWebServer } from './web-server.ts';

/** A key of a provider: the private part that signs, and the published part. */
export type SigningKey = { readonly privateKey: CryptoKey; readonly jwk: JWK };

export async function newSigningKey(kid: string): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  return { privateKey, jwk: { ...(await exportJWK(publicKey)), kid, use: 'sig', alg: 'RS256' } };
}

/** The behaviour of a provider. A test replaces the parts that should be wrong. */
export type Behaviour = {
  /** Of the ID token. */
  claims: Record<string, unknown>;
  header: { alg: string; kid?: string };
  signsWith: SigningKey;
  publishes: JWK[];
  /** Of the discovery document. */
  document: Record<string, unknown>;
  /** Of the answer of `/token`. */
  tokens: Record<string, unknown>;
  userinfo: Record<string, unknown>;
  /** Answers at a path itself. */
  answers: Record<string, (request: IncomingMessage, response: ServerResponse) => void>;
};

/** The requests that a provider has got, and what was posted. */
type Got = {
  readonly path: string;
  readonly method: string;
  readonly authorization: string | undefined;
  readonly body: URLSearchParams;
};

export const clientId = 'the-client';

/**
 * An OpenID provider that a test controls. It is written by hand, because a library would refuse to misbehave.
 *
 * @returns what starts a provider with an issuer of its own.
 */
export async function useOpenIdProvider() {
  const site = await useWebServer();
  const key = await newSigningKey('first');
  let made = 0;
  return (nonce: () => string, change: (behaviour: Behaviour) => void = () => {}) => {
    const base = `http://localhost:${site.port}/provider-${++made}`;
    const codes = new Set<string>();
    const got: Got[] = [];
    const behaviour: Behaviour = {
      claims: {},
      header: { alg: 'RS256', kid: 'first' },
      signsWith: key,
      publishes: [key.jwk],
      document: {
        issuer: base,
        authorization_endpoint: `${base}/authorize`,
        token_endpoint: `${base}/token`,
        jwks_uri: `${base}/keys`,
        userinfo_endpoint: `${base}/userinfo`,
        id_token_signing_alg_values_supported: ['RS256'],
        token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'],
      },
      tokens: {},
      userinfo: { sub: 'ada' },
      answers: {},
    };
    change(behaviour);
    const json = (response: ServerResponse, body: unknown, status = 200) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));

    async function token(): Promise<string> {
      const now = Math.floor(Date.now() / 1_000);
      const said = { iss: base, sub: 'ada', aud: clientId, iat: now, exp: now + 300, nonce: nonce(), email: 'ada@example.com' };
      const claims = Object.fromEntries(
        Object.entries({ ...said, ...behaviour.claims }).filter(([, value]) => value !== undefined),
      );
      if (behaviour.header.alg !== 'none') {
        return new SignJWT(claims)
          .setProtectedHeader(behaviour.header)
          .sign(behaviour.header.alg === 'HS256' ? new TextEncoder().encode('x'.repeat(64)) : behaviour.signsWith.privateKey);
      }
      const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');
      return `${part(behaviour.header)}.${part(claims)}.`;
    }

    site.answer = async (request, response) => {
      const { pathname: whole } = new URL(request.url ?? '', base);
      const path = whole.slice(new URL(base).pathname.length);
      const body = new URLSearchParams((await Array.fromAsync(request.setEncoding('utf8'))).join(''));
      got.push({ path, method: request.method ?? '', authorization: request.headers.authorization, body });
      const own = behaviour.answers[path];
      if (own) return own(request, response);
      if (path === '/.well-known/openid-configuration') return json(response, behaviour.document);
      if (path === '/keys') return json(response, { keys: behaviour.publishes });
      if (path === '/userinfo') return json(response, behaviour.userinfo);
      const code = body.get('code') ?? '';
      if (path !== '/token' || codes.has(code)) return json(response, { error: 'invalid_grant' }, 400);
      codes.add(code);
      json(response, { access_token: 'an-access-token', token_type: 'Bearer', id_token: await token(), ...behaviour.tokens });
    };
    return { issuer: base, got, behaviour };
  };
}
