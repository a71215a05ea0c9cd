import { endpoint } from '../../http/endpoint.ts';
import { replyTagged } from '../../http/entity-tag.ts';
import { showTemplate } from '../../http/shown/template.ts';
import { restoreTemplate } from '../../store/templates/templates.ts';

export const handler = endpoint({}, async ({ workspaceId, id, event }) => {
  const template = await restoreTemplate(workspaceId, { subjectId: id, entryId: event.pathParameters?.entryId ?? '' });
  const Location = event.requestContext.path.replace(/\/[^/]*\/history\/[^/]*\/revert$/, `/${id}`);
  return replyTagged(event, 201, showTemplate(template), { Location });
});
