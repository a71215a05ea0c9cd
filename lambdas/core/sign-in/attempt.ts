import { parseConsolePath } from '../console/addresses.ts';
import { personOfSignIn } from './session.ts';

/** How long a person may take at the provider, in seconds. */
export const attemptSeconds = 600;

/**
 * An attempt to sign in, between the redirect to the provider and the one back. Only the person's browser stores it.
 */
export type Attempt = {
  /** Ties the provider's redirect to this browser (RFC 6749, section 10.12). */
  readonly state: string;
  /** Ties the ID token to this attempt (OpenID Connect Core, section 15.5.2). */
  readonly nonce: string;
  /** Ties the code to this attempt (RFC 7636). */
  readonly verifier: string;
  /** Where the person goes afterwards, relative to the root of the API. */
  readonly returnTo: string;
  /** When it began, in milliseconds since 1970. */
  readonly at: number;
  /** The id of the session that the browser had at the start, which the new one replaces. */
  readonly replaces: string | undefined;
};

/** An attempt that has signed somebody in. */
export type Answered = {
  /** Where the person went. */
  readonly returnTo: string;
  /** The id of their session. */
  readonly signInId: string;
};

const write = (parts: readonly unknown[]): string => Buffer.from(JSON.stringify(parts)).toString('base64url');

/** Reads the output of `write`; undefined if it can't be read. */
function read(value: string): unknown {
  try {
    return JSON.parse(Buffer.from(value, 'base64url').toString('utf8'));
  } catch {
    return undefined;
  }
}

/** An attempt as a cookie holds it. */
export const writeAttempt = ({ state, nonce, verifier, returnTo, at, replaces = '' }: Attempt): string =>
  write([state, nonce, verifier, returnTo, at, replaces]);

/**
 * Reads an attempt. People can change their own cookies, so the path is checked again.
 *
 * @param now when the gateway received the request, in milliseconds since 1970.
 * @returns undefined if it isn't one, or has taken too long.
 */
export function readAttempt(value: string, now: number): Attempt | undefined {
  const parts = read(value);
  if (!Array.isArray(parts) || parts.length !== 6) return undefined;
  const [state, nonce, verifier, returnTo, at, replaces] = parts;
  const texts = [state, nonce, verifier, returnTo];
  if (!texts.every((text) => typeof text === 'string' && text !== '') || typeof at !== 'number') return undefined;
  if (!(now < at + attemptSeconds * 1_000)) return undefined;
  return { state, nonce, verifier, returnTo: localPath(returnTo), at, replaces: sessionId(replaces) };
}

/** The cookie's value once the person is signed in. */
export const writeAnswered = ({ returnTo, signInId }: Answered): string => write([returnTo, signInId]);

/** An attempt that has signed somebody in; undefined if it isn't one. */
export function readAnswered(value: string): Answered | undefined {
  const parts = read(value);
  if (!Array.isArray(parts) || parts.length !== 2) return undefined;
  const [returnTo, signInId] = [parts[0], sessionId(parts[1])];
  return typeof returnTo === 'string' && signInId !== undefined ? { returnTo: localPath(returnTo), signInId } : undefined;
}

/** Nobody can end another person's session by putting its id into a cookie, because nobody knows that id. */
const sessionId = (value: unknown): string | undefined =>
  typeof value === 'string' && personOfSignIn(value) !== undefined ? value : undefined;

/** The default address after signing in. */
const start = '/console';

/** The longest path with its query. */
const longestPath = 1_000;

/**
 * Where a person goes after signing in: an address of the console, relative to the root of the API. Anything else
 * becomes the console's start, so that nothing can lead people to another site. Browsers don't send a fragment here.
 */
export function localPath(wanted: string | undefined): string {
  const [, path, query = ''] = /^\/console([^?#]*)(\?[^#]*)?$/.exec(wanted ?? '') ?? [];
  if (wanted === undefined || path === undefined || wanted.length > longestPath) return start;
  // The characters of a query that need no encoding (RFC 3986, section 3.4): no line break, no quotation mark.
  return parseConsolePath(path) && /^[\w\-.~!$&'()*+,;=:@/?%]*$/.test(query) ? wanted : start;
}
