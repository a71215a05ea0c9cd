import { notFound } from '../core/errors.ts';
import { parseDomainName } from '../core/host/host.ts';
import { type ApiEvent, pathParameter } from './api-event.ts';

/** The domain in the path, in canonical form. @throws RequestError `not_found` if it isn't a domain name. */
export function domainOf(event: ApiEvent): string {
  const host = parseDomainName(pathParameter(event, 'domain'));
  if (host === undefined) throw notFound('domain');
  return host;
}
