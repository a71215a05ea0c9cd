import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { readIfMatch } from '../../http/entity-tag.ts';
import { reply } from '../../http/reply.ts';
import { showTemplate } from '../../http/shown/template.ts';
import { deleteTemplate, getTemplate } from '../../store/templates/templates.ts';

export const handler = endpoint({}, async ({ workspaceId, id, event }) => {
  const asRead = await readIfMatch(event, async () => orNotFound(await getTemplate(workspaceId, id), 'template'), showTemplate);
  await deleteTemplate(workspaceId, id, asRead);
  return reply(204);
});
