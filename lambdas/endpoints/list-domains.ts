import { domainView } from '../domain/domain.ts';
import { setting } from '../env.ts';
import { endpoint } from '../http/endpoint.ts';
import { reply } from '../http/reply.ts';
import { listDomains } from '../store/domains.ts';

export const handler = endpoint({}, async ({ workspaceId }) => {
  const domains = await listDomains(workspaceId);
  return reply(200, { domains: domains.map((domain) => domainView(domain, setting('DOMAIN_TARGET'))) });
});
