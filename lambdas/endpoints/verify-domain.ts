import type { CheckFailure, Domain } from '../domain/domain.ts';
import { orNotFound, RequestError } from '../domain/errors.ts';
import { capitalised } from '../domain/text.ts';
import { domainOf } from '../http/domain-parameter.ts';
import { endpoint } from '../http/endpoint.ts';
import { reply } from '../http/reply.ts';
import { showDomain } from '../http/shown-domain.ts';
import { lookUpOwnership, lookUpTarget } from '../outbound/dns.ts';
import { setting } from '../runtime/settings.ts';
import { activate, findDomain, keepDomain, proveOwnership } from '../store/domains.ts';

export const handler = endpoint({}, async ({ workspaceId, event }) => {
  const target = setting('DOMAIN_TARGET');
  const found = orNotFound(await findDomain(workspaceId, domainOf(event)), 'domain');
  let domain: Domain;
  if (found.status === 'PENDING_OWNERSHIP') {
    refuse(await lookUpOwnership(found.host, found.token));
    domain = await proveOwnership(workspaceId, found);
  } else domain = found.deletion ? await keepDomain(found) : found;
  if (domain.status === 'PENDING_DNS' && setting('DOMAIN_ACTIVATION') === 'dns') {
    refuse(await lookUpTarget(domain.host, target), 'Ownership is proven. ');
    domain = await activate(domain);
  }
  return reply(200, await showDomain(domain));
});

/** Throws an error that says which check failed and what was found. @param before a sentence about earlier checks. */
function refuse(failure: CheckFailure, before = ''): void {
  if (!failure) return;
  const { code, message } = failure;
  const detail = `${before}${capitalised(message)}.`;
  throw new RequestError('domain_check_failed', detail, { fieldErrors: [{ path: '', code, message }] });
}
