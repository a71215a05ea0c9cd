import { type attemptCookie, cookieIn, type sessionCookie } from '../core/sign-in/cookies.ts';
import type { ApiEvent } from '../http/api-event.ts';

/** The value of a cookie of a request; undefined if it is absent. HTTP/2 may split the header (RFC 9113, section 8.2.3). */
export function cookieOf({ multiValueHeaders }: ApiEvent, name: typeof attemptCookie | typeof sessionCookie): string | undefined {
  const sent = Object.entries(multiValueHeaders ?? {}).flatMap(([header, values]) =>
    header.toLowerCase() === 'cookie' ? (values ?? []) : [],
  );
  return cookieIn(sent.join('; '), name);
}
