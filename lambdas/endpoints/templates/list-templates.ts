import { nameOrder } from '../../core/list-order.ts';
import { endpoint } from '../../http/endpoint.ts';
import { listPage, listQuery } from '../../http/list-pages.ts';
import { reply } from '../../http/reply.ts';
import { listTemplates } from '../../store/templates/templates.ts';
import { templateView } from '../../views/template.ts';

export const query = listQuery;

export const handler = endpoint({ query }, async ({ workspaceId, query }) => {
  const read = () => listTemplates(workspaceId);
  const { page, nextCursor } = await listPage([workspaceId, 'templates'], query, nameOrder(), read);
  return reply(200, { templates: page.map(templateView), nextCursor });
});
