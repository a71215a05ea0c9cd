import type { Claims } from './claims.ts';
import type { SignIn } from './sign-in.ts';

/** Whom a provider has signed out: OpenID Connect Back-Channel Logout 1.0, section 2.4. */
export type LoggedOut = {
  readonly issuer: string;
  /** The person. Without `sid`, all their sessions have ended. */
  readonly subject: string | undefined;
  /** The provider's session. */
  readonly sid: string | undefined;
  /** The token's own id. */
  readonly jti: string;
  /** When the token was issued and when it ends, in seconds since 1970, by the provider's clock. */
  readonly issuedAt: number;
  readonly endsAt: number;
};

/** How far the clocks of provider and gateway may be apart, in seconds. Tokens are accepted that much longer. */
export const clockTolerance = 60;

/** The longest id of a person, a session or a token. */
const longestId = 512;

const event = 'http://schemas.openid.net/event/backchannel-logout';

/**
 * Checks the claims of a logout token, not its signature.
 *
 * @param now when the gateway received it, in milliseconds since 1970.
 * @returns its content, or the reason why it isn't a logout token for this client.
 */
export function loggedOutIn(
  claims: Claims,
  { issuer: expected, clientId }: Pick<SignIn, 'issuer' | 'clientId'>,
  now: number,
): LoggedOut | string {
  const { iss: issuer, aud, iat: issuedAt, exp: endsAt, jti, sub: subject, sid, events } = claims;
  if (typeof issuer !== 'string' || URL.parse(issuer)?.href !== URL.parse(expected)?.href)
    return 'the token is from another issuer';
  if (aud !== clientId && !(Array.isArray(aud) && aud.includes(clientId))) return 'the token is for another client';
  const seconds = now / 1_000;
  if (!isTime(issuedAt) || issuedAt > seconds + clockTolerance) return 'the token has no iat, or one in the future';
  if (!isTime(endsAt) || endsAt <= seconds - clockTolerance) return 'the token has no exp, or has expired';
  if (!isObject(events) || !Object.hasOwn(events, event) || !isObject(events[event])) return 'the token has no logout event';
  // With a nonce, it may be an ID token.
  if (Object.hasOwn(claims, 'nonce')) return 'the token has a nonce';
  if (!isId(jti)) return 'the token has no jti';
  if (![subject, sid].every((one) => one === undefined || isId(one))) return 'the token has a wrong sub or sid';
  if (subject === undefined && sid === undefined) return 'the token has neither sub nor sid';
  return { issuer, subject: subject as string | undefined, sid: sid as string | undefined, jti, issuedAt, endsAt };
}

const isTime = (value: unknown): value is number => typeof value === 'number' && value > 0 && value < 1e11;
const isId = (value: unknown): value is string => typeof value === 'string' && value !== '' && value.length <= longestId;
const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
