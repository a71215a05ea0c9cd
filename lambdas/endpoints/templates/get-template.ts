import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { replyTagged } from '../../http/entity-tag.ts';
import { showTemplate } from '../../http/shown/template.ts';
import { getTemplate } from '../../store/templates/templates.ts';

export const handler = endpoint({}, async ({ workspaceId, id, event }) => {
  const template = orNotFound(await getTemplate(workspaceId, id), 'template');
  return replyTagged(event, 200, showTemplate(template));
});
