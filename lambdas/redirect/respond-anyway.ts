import { unexpectedError } from '../core/alarms.ts';
import { RequestError } from '../core/errors.ts';
import { loggedRequest } from '../runtime/logged-request.ts';
import { setting } from '../runtime/settings.ts';
import { stackOf } from '../runtime/stack.ts';
import { refuse } from './decision-response.ts';
import type { VisitResponse } from './plain-responses.ts';
import type { ShortRequest } from './short-request.ts';

/** Responds to a request, even if the work fails. */
export async function respondAnyway(
  request: ShortRequest,
  work: (request: ShortRequest) => Promise<VisitResponse>,
): Promise<VisitResponse> {
  try {
    const sent = await work(request);
    return finish(request.method === 'HEAD' ? { ...sent, body: '' } : sent);
  } catch (error) {
    const isUnavailable = error instanceof RequestError && error.code === 'temporarily_unavailable';
    if (!isUnavailable) {
      const { name } = error as Error;
      console.error({ message: unexpectedError, ...loggedRequest(), name, stack: stackOf(error as Error) });
    } else if (error.cause instanceof Error) {
      console.error({ message: error.cause.message, ...loggedRequest() });
    }
    return finish(await refuse(request, isUnavailable ? 'temporarily_unavailable' : 'internal_error'));
  }
}

/**
 * Browsers use only https for this host for the next 30 days (RFC 6797). Not longer, so that a domain that leaves the
 * service can be used without TLS again. Subdomains are not included, because they may belong to somebody else.
 */
const transportSecurity = { 'Strict-Transport-Security': `max-age=${30 * 24 * 60 * 60}` };

/**
 * Adds the header that every response has. A laptop serves plain http, where it must not be sent (RFC 6797, section
 * 7.2).
 */
const finish = (sent: VisitResponse): VisitResponse =>
  setting('SHORT_URL_ORIGIN').startsWith('https:') ? { ...sent, headers: { ...sent.headers, ...transportSecurity } } : sent;
