import { domainOrder } from '../../core/domain/domain.ts';
import { endpoint } from '../../http/endpoint.ts';
import { listPage, listQuery } from '../../http/list-page.ts';
import { reply } from '../../http/reply.ts';
import { servedNames, setting } from '../../runtime/settings.ts';
import { listDomains } from '../../store/domains/domains.ts';
import { withLastChecks } from '../../store/domains/last-checks.ts';
import { domainView } from '../../views/domain.ts';

export const query = listQuery;

export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const { page, nextCursor } = await listPage([workspaceId, 'domains'], query, domainOrder, () => listDomains(workspaceId));
  const stage = { target: setting('DOMAIN_TARGET'), served: servedNames() };
  return reply(200, { domains: (await withLastChecks(page)).map((domain) => domainView(domain, stage)), nextCursor });
});
