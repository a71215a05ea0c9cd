import { domainOrder } from '../../core/domain/domain.ts';
import { endpoint } from '../../http/endpoint.ts';
import { listPage, listQuery } from '../../http/list-pages.ts';
import { reply } from '../../http/reply.ts';
import { shownStage } from '../../http/shown/domain.ts';
import { certificatesOf } from '../../store/domains/certificates.ts';
import { listDomains } from '../../store/domains/domains.ts';
import { withLastChecks } from '../../store/domains/last-checks.ts';
import { domainView } from '../../views/domain.ts';

export const query = listQuery;

export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const { page, nextCursor } = await listPage([workspaceId, 'domains'], query, domainOrder, () => listDomains(workspaceId));
  const stage = shownStage();
  const [checked, certificates] = await Promise.all([withLastChecks(page), stage.isManaging ? certificatesOf(page) : []]);
  return reply(200, { domains: checked.map((domain, index) => domainView(domain, stage, certificates[index])), nextCursor });
});
