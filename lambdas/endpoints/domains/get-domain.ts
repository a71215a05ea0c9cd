import { orNotFound } from '../../core/errors.ts';
import { domainOf } from '../../http/domain-parameter.ts';
import { endpoint } from '../../http/endpoint.ts';
import { replyTagged } from '../../http/entity-tag.ts';
import { showDomain } from '../../http/shown/domain.ts';
import { findDomain } from '../../store/domains/domains.ts';

export const handler = endpoint({}, async ({ workspaceId, event }) => {
  const domain = orNotFound(await findDomain(workspaceId, domainOf(event)), 'domain');
  return replyTagged(event, 200, await showDomain(domain));
});
