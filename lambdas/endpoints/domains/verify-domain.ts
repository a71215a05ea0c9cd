import type { CheckFailure, Domain } from '../../core/domain/domain.ts';
import { checkServed, isServed } from '../../core/domain/served-names.ts';
import { orNotFound, RequestError } from '../../core/errors.ts';
import { capitalised } from '../../core/text.ts';
import { domainOf } from '../../http/domain-parameter.ts';
import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { showDomain } from '../../http/shown/domain.ts';
import { lookUpOwnership, lookUpTarget } from '../../outbound/dns.ts';
import { manageNow } from '../../outbound/managed-domains.ts';
import { optionalSetting, servedNames, setting } from '../../runtime/settings.ts';
import { keepDomain } from '../../store/domains/deletion.ts';
import { activate, findDomain } from '../../store/domains/domains.ts';
import { recordCheck } from '../../store/domains/last-checks.ts';
import { proveOwnership } from '../../store/domains/ownership.ts';

export const handler = endpoint({}, async ({ workspaceId, event }) => {
  const target = setting('DOMAIN_TARGET');
  const manager = optionalSetting('MANAGED_DOMAINS');
  const found = orNotFound(await findDomain(workspaceId, domainOf(event)), 'domain');
  let domain: Domain;
  let { lastCheck } = found;
  if (found.status === 'PENDING_OWNERSHIP') {
    const check = await lookUpOwnership(found.host, found.token);
    if (check.failure) await recordCheck(workspaceId, found, check);
    refuse([check.failure]);
    domain = await proveOwnership(workspaceId, found);
    lastCheck = await recordCheck(workspaceId, domain, check);
  } else domain = found.deletion ? await keepDomain(found) : found;
  // A covered domain may still have an earlier certificate, but doesn't need one.
  if (manager !== undefined && !isServed(domain.host, servedNames())) {
    // Once the ownership is proven, missing steps are no error: the response shows the progress.
    await manageNow(manager, domain.host);
    const now = orNotFound(await findDomain(workspaceId, domain.host), 'domain');
    return reply(200, (await showDomain(now)).body);
  }
  if (domain.status === 'PENDING_DNS' && setting('DOMAIN_ACTIVATION') === 'dns') {
    const check = await lookUpTarget(domain.host, target);
    lastCheck = await recordCheck(workspaceId, domain, check);
    refuse([check.failure, checkServed(domain.host, servedNames())], 'Ownership is proven. ');
    domain = await activate(domain);
  }
  return reply(200, (await showDomain({ ...domain, lastCheck })).body);
});

/** Throws an error with the failed checks, if any failed. @param before a sentence about earlier checks. */
function refuse(checks: readonly CheckFailure[], before = ''): void {
  const failures = checks.filter((failure) => failure !== undefined);
  if (failures.length === 0) return;
  const detail = before + failures.map(({ message }) => `${capitalised(message)}.`).join(' ');
  throw new RequestError('domain_check_failed', detail, { fieldErrors: failures.map((failure) => ({ path: '', ...failure })) });
}
