import { orNotFound } from '../domain/errors.ts';
import { replyTagged } from '../http/conditional.ts';
import { domainOf } from '../http/domain-parameter.ts';
import { endpoint } from '../http/endpoint.ts';
import { setting } from '../runtime/settings.ts';
import { findDomain } from '../store/domains.ts';
import { domainView } from '../views/domain.ts';

export const handler = endpoint({}, async ({ workspaceId, event }) => {
  const domain = orNotFound(await findDomain(workspaceId, domainOf(event)), 'domain');
  return replyTagged(event, 200, domainView(domain, setting('DOMAIN_TARGET')));
});
