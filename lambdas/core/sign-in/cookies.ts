// The cookies of signing in. The prefix makes browsers refuse them from other hosts, such as a short domain under the same
// name, and send them only to this host: https://datatracker.ietf.org/doc/html/draft-ietf-httpbis-rfc6265bis#section-4.1.3.2

/** Holds an attempt to sign in until the provider sends the person back. */
export const attemptCookie = '__Host-links-sign-in';
/** Holds the secret of a session. */
export const sessionCookie = '__Host-links-session';

type CookieName = typeof attemptCookie | typeof sessionCookie;

/**
 * `Lax`, because the provider's redirect must bring the attempt. `Strict` for the session, which only requests of the
 * console's own pages need.
 */
const sameSite: Readonly<Record<CookieName, string>> = { [attemptCookie]: 'Lax', [sessionCookie]: 'Strict' };

/** A `Set-Cookie`. @param value in base64url or base62 */
export const settingCookie = (name: CookieName, value: string, seconds: number): string =>
  `${name}=${value}; Max-Age=${seconds}; Path=/; Secure; HttpOnly; SameSite=${sameSite[name]}`;

export const clearingCookie = (name: CookieName): string => settingCookie(name, '', 0);

/** The value of a cookie; undefined if it is absent. @param header of the request, as RFC 6265, section 4.2.1, has it */
export function cookieIn(header: string, name: CookieName): string | undefined {
  for (const pair of header.split(';')) {
    const [key, ...value] = pair.split('=');
    if (key?.trim() === name) return value.join('=').trim();
  }
  return undefined;
}
