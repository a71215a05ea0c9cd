import {
  AuthorizationResponseError,
  allowInsecureRequests,
  authorizationCodeGrant,
  buildAuthorizationUrl,
  buildEndSessionUrl,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  Configuration,
  type CustomFetch,
  calculatePKCECodeChallenge,
  clockSkew,
  customFetch,
  discovery,
  enableNonRepudiationChecks,
  fetchUserInfo,
  None,
  ResponseBodyError,
  randomNonce,
  randomPKCECodeVerifier,
  randomState,
  type ServerMetadata,
} from 'openid-client';
import type { Attempt } from '../core/sign-in/attempt.ts';
import type { Claims } from '../core/sign-in/claims.ts';
import type { SignIn } from '../core/sign-in/sign-in.ts';
import { type Instant, instant } from '../runtime/instant.ts';
import { memory } from '../runtime/memory.ts';
import { failureText, type Reach, sendPublicly } from './public-request.ts';
import { providerReach } from './reach.ts';

// Signing in with the stage's OpenID provider, by the code flow with PKCE. The library checks what the provider says;
// this file decides what may be reached, how long it may take, and what is cached. The provider's keys are fetched for
// each sign-in, so that a new one works at once, and a withdrawn one no longer does.

/** How long each request to the provider may take, in milliseconds. A sign-in has at most four. */
const requestMs = 4_000;

/** The largest response of a provider, in bytes. Those with the most keys have some 20 kB. */
const largestAnswer = 131_072;

/** How long a discovery document is cached, in milliseconds. */
const discoveredMs = 600_000;

/** Why a person is not signed in. The texts are for the operator. */
export type ProviderFailure =
  /** The person, or the provider on their behalf, did not want it. */
  | 'cancelled'
  /** What the provider says is invalid, or it refuses the code. */
  | 'refused'
  /** The provider does not respond as it should. */
  | 'unavailable';

export class ProviderError extends Error {
  readonly failure: ProviderFailure;
  constructor(failure: ProviderFailure, detail: string) {
    super(detail);
    this.name = 'ProviderError';
    this.failure = failure;
  }
}

/** What may be reached for a URL of the provider. Tests replace it. */
export type ProviderReach = (url: URL) => Reach | undefined;

/** Where and for whom somebody signs in. */
export type ProviderCall = {
  readonly signIn: SignIn;
  /** Where the provider sends people back to, as it is registered there. */
  readonly redirectUri: string;
  /** When the gateway received the request, in milliseconds since 1970. A function's own clock may be off. */
  readonly receivedAt: number;
  readonly reachOf?: ProviderReach;
  /** How long each request may take, in milliseconds. */
  readonly withinMs?: number;
};

/** Makes the library's requests: to public addresses only, within limits, and without following redirects. */
export const fetchFor =
  ({ signIn, reachOf = providerReach(signIn.issuer), withinMs = requestMs }: ProviderCall): CustomFetch =>
  async (address, { method, headers, body, signal }) => {
    const url = new URL(address);
    const where = `${method} ${url.origin}${url.pathname}`;
    const reach = reachOf(url);
    if (!reach) throw new ProviderError('unavailable', `${where}: the provider must be reached by https`);
    const limits = [AbortSignal.timeout(withinMs), ...(signal ? [signal] : [])];
    const request = {
      method: method === 'POST' ? 'POST' : 'GET',
      headers: { ...headers, 'Accept-Encoding': 'identity' },
      ...(body !== undefined && body !== null && { body: String(body) }),
    } as const;
    // One byte more tells whether it is too large.
    const answer = await sendPublicly(url, request, largestAnswer + 1, AbortSignal.any(limits), reach).catch((error) => {
      throw new ProviderError('unavailable', `${where}: ${failureText(error)}`);
    });
    if (answer.body.length > largestAnswer) {
      throw new ProviderError('unavailable', `${where}: the answer has more than ${largestAnswer} bytes`);
    }
    if (!answer.isComplete) throw new ProviderError('unavailable', `${where}: the answer is incomplete`);
    if (answer.status < 200 || answer.status >= 500 || (answer.status >= 300 && answer.status < 400)) {
      throw new ProviderError('unavailable', `${where}: the provider answers with ${answer.status}`);
    }
    const type = answer.headers['content-type']?.[0];
    // Some statuses, such as 204, must not have a body.
    const content = answer.body.length > 0 ? new Uint8Array(answer.body) : null;
    return new Response(content, { status: answer.status, headers: { ...(type && { 'Content-Type': type }) } });
  };

const discovered = memory<ServerMetadata>({ forMs: discoveredMs, most: 4 });

const isInsecure = (issuer: string): boolean => issuer.startsWith('http:');

/** The provider's discovery document. @throws ProviderError */
export async function discover(call: ProviderCall, now: Instant): Promise<ServerMetadata> {
  const { issuer, clientId } = call.signIn;
  const known = discovered.get(issuer, now)?.value;
  if (known) return known;
  const found = await discovery(new URL(issuer), clientId, undefined, None(), {
    [customFetch]: fetchFor(call),
    timeout: requestMs / 1_000,
    execute: isInsecure(issuer) ? [allowInsecureRequests] : [],
  });
  const metadata = { ...found.serverMetadata() };
  // The library lets some providers have another issuer, which could then not be told apart from a foreign one.
  if (new URL(metadata.issuer).href !== new URL(issuer).href) {
    throw new ProviderError('unavailable', `the provider calls itself ${metadata.issuer}, not ${issuer}`);
  }
  discovered.set(issuer, metadata, now);
  return metadata;
}

/**
 * How the client authenticates: by a method that the provider supports, or by the default of OpenID Connect if it names
 * none.
 */
function authentication(metadata: ServerMetadata, secret: string | undefined): ClientAuth {
  if (secret === undefined) return None();
  const methods = metadata.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  return methods.includes('client_secret_basic') ? ClientSecretBasic(secret) : ClientSecretPost(secret);
}

async function configurationOf(call: ProviderCall, secret?: string): Promise<Configuration> {
  const { signIn, receivedAt } = call;
  const now = instant();
  const metadata = await discover(call, now);
  const client = { [clockSkew]: Math.round((receivedAt - now.wall) / 1_000) };
  const configuration = new Configuration(metadata, signIn.clientId, client, authentication(metadata, secret));
  configuration[customFetch] = fetchFor(call);
  configuration.timeout = requestMs / 1_000;
  if (isInsecure(signIn.issuer)) allowInsecureRequests(configuration);
  // Without it, the library does not check the signature of an ID token that comes over TLS.
  enableNonRepudiationChecks(configuration);
  return configuration;
}

/** Runs calls of the library. @throws ProviderError instead of the library's errors */
export async function reporting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw providerErrorOf(error);
  }
}

/** The errors of a provider that don't mean `refused`: RFC 6749, section 4.1.2.1. */
const failures: Readonly<Record<string, ProviderFailure>> = {
  access_denied: 'cancelled',
  server_error: 'unavailable',
  temporarily_unavailable: 'unavailable',
};

/** The library's errors hold tokens and claims as their causes. Only codes and messages are passed on. */
function providerErrorOf(error: unknown): ProviderError {
  for (let one = error; one instanceof Error; one = one.cause) if (one instanceof ProviderError) return one;
  const { message = '', code } = error as Error & { code?: unknown };
  if (error instanceof AuthorizationResponseError || error instanceof ResponseBodyError) {
    const says = String(error.error)
      .replace(/[^\w.-]/g, '')
      .slice(0, 80);
    return new ProviderError(failures[says] ?? 'refused', `the provider says ${says}`);
  }
  return new ProviderError('refused', typeof code === 'string' ? `${message} (${code})` : message);
}

/**
 * Begins an attempt to sign in.
 *
 * @param options.asksAgain whether the person must sign in at the provider again, even if they have a session there:
 *   OpenID Connect Core, section 3.1.2.1.
 * @param options.replaces the session that the browser has already.
 * @returns the attempt, which only the person's browser may hold, and where to send the person.
 * @throws ProviderError `unavailable`
 */
export const beginSignIn = (
  call: ProviderCall,
  returnTo: string,
  { asksAgain = false, replaces }: { readonly asksAgain?: boolean; readonly replaces?: string | undefined } = {},
): Promise<{ attempt: Attempt; location: string }> =>
  reporting(async () => {
    const configuration = await configurationOf(call);
    const verifier = randomPKCECodeVerifier();
    const attempt = { state: randomState(), nonce: randomNonce(), verifier, returnTo, at: call.receivedAt, replaces };
    const location = buildAuthorizationUrl(configuration, {
      redirect_uri: call.redirectUri,
      scope: call.signIn.scope,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      ...(asksAgain && { prompt: 'login' }),
    });
    return { attempt, location: location.href };
  });

/**
 * Exchanges the provider's code for its claims about the person: those of the ID token, after every check of OpenID
 * Connect Core, section 3.1.3.7, including its signature. If they lack the email address, those of the provider's
 * userinfo are added.
 *
 * @param query of the redirect back, without the question mark.
 * @param secret of the client; undefined if it is a public one.
 * @throws ProviderError
 */
export const finishSignIn = (call: ProviderCall, attempt: Attempt, query: string, secret: string | undefined): Promise<Claims> =>
  reporting(async () => {
    const configuration = await configurationOf(call, secret);
    const tokens = await authorizationCodeGrant(configuration, new URL(`${call.redirectUri}?${query}`), {
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      pkceCodeVerifier: attempt.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims) throw new ProviderError('refused', 'the provider sent no ID token');
    if (claims.email !== undefined || configuration.serverMetadata().userinfo_endpoint === undefined) return claims;
    return { ...(await fetchUserInfo(configuration, tokens.access_token, claims.sub)), ...claims };
  });

/**
 * Where a person signs out at the provider: OpenID Connect RP-Initiated Logout 1.0, section 2. The client is identified
 * by its id, because ID tokens are not kept.
 *
 * @param backTo where the provider sends the person afterwards, as it is registered there.
 * @returns null if the provider has no such address.
 * @throws ProviderError
 */
export const logoutAddress = (call: ProviderCall, backTo: string): Promise<string | null> =>
  reporting(async () => {
    const configuration = await configurationOf(call);
    if (configuration.serverMetadata().end_session_endpoint === undefined) return null;
    return buildEndSessionUrl(configuration, { post_logout_redirect_uri: backTo }).href;
  });
