import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { servedNames, setting } from '../../runtime/settings.ts';
import { listDomains } from '../../store/domains/domains.ts';
import { domainView } from '../../views/domain.ts';

export const handler = endpoint({}, async ({ workspaceId }) => {
  const domains = await listDomains(workspaceId);
  const stage = { target: setting('DOMAIN_TARGET'), served: servedNames() };
  return reply(200, { domains: domains.map((domain) => domainView(domain, stage)) });
});
