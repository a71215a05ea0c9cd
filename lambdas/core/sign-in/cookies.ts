// The cookies of signing in. The prefix makes browsers refuse them from other hosts, such as a short domain under the
// same name, and send them only to this host:
// https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.3.2

const attemptPrefix = '__Host-links-sign-in-';

/** How many attempts of a browser may be open. More would fill the gateway's 10,240 bytes of headers. */
const mostAttempts = 4;

/**
 * Holds an attempt to sign in until the provider sends the person back. Each attempt has its own, for parallel tabs.
 */
export const attemptCookie = (state: string): string => `${attemptPrefix}${state}`;
/** Holds the secret of a session. */
export const sessionCookie = '__Host-links-session';

/**
 * A `Set-Cookie`. It is `Strict` for the session, which only requests of the console's own pages need, and `Lax` for an
 * attempt, because browsers must send it with the provider's redirect.
 *
 * @param value in base64url or base62
 */
export const settingCookie = (name: string, value: string, seconds: number): string =>
  `${name}=${value}; Max-Age=${seconds}; Path=/; Secure; HttpOnly; SameSite=${name === sessionCookie ? 'Strict' : 'Lax'}`;

export const clearingCookie = (name: string): string => settingCookie(name, '', 0);

/**
 * The cookies of a request. Only spaces and tabs are stripped from a name: another host may set `\u00a0__Host-…`, which
 * browsers don't protect. A repeated name is left out, because one of the two may be another host's.
 *
 * @param header of the request, as RFC 6265, section 4.2.1, has it
 */
export function cookiesIn(header: string): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  const repeated = new Set<string>();
  for (const pair of header.split(';')) {
    const [start = '', ...value] = pair.split('=');
    const name = start.replace(/^[ \t]+/, '');
    if (found.has(name)) repeated.add(name);
    found.set(name, value.join('='));
  }
  for (const name of repeated) found.delete(name);
  return found;
}

/** The values of all attempts' cookies. */
export const attemptsIn = (cookies: ReadonlyMap<string, string>): readonly string[] =>
  [...cookies].flatMap(([name, value]) => (name.startsWith(attemptPrefix) ? value : []));

/** The oldest attempts' cookies, which a new attempt must delete. Browsers send older cookies first. */
export const crowdedOut = (cookies: ReadonlyMap<string, string>): readonly string[] =>
  [...cookies.keys()].filter((name) => name.startsWith(attemptPrefix)).slice(0, 1 - mostAttempts);
