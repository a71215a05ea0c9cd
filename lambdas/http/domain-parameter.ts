import { notFound } from '../domain/errors.ts';
import { parseDomainName } from '../domain/host.ts';
import type { ApiEvent } from './api-event.ts';

/** The domain that a path names, in its canonical form. @throws RequestError `not_found` where it can be none. */
export function domainOf(event: ApiEvent): string {
  const host = parseDomainName(event.pathParameters?.domain ?? '');
  if (host === undefined) throw notFound('domain');
  return host;
}
