import { cookiesIn } from '../core/sign-in/cookies.ts';
import type { ApiEvent } from '../http/api-event.ts';

/** The cookies of a request. HTTP/2 may split the header (RFC 9113, section 8.2.3). */
export function cookiesOf({ multiValueHeaders }: ApiEvent): ReadonlyMap<string, string> {
  const sent = Object.entries(multiValueHeaders ?? {}).flatMap(([header, values]) =>
    header.toLowerCase() === 'cookie' ? (values ?? []) : [],
  );
  return cookiesIn(sent.join('; '));
}
