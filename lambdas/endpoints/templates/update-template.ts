import * as z from 'zod/mini';
import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { readIfMatch, replyTagged } from '../../http/entity-tag.ts';
import { templateName } from '../../http/fields.ts';
import { templateSettings } from '../../http/links/template-settings.ts';
import { showTemplate } from '../../http/shown/template.ts';
import { withOwnDomain } from '../../links/template-domain.ts';
import { getTemplate, updateTemplate } from '../../store/templates/templates.ts';

export const body = z.strictObject({ name: z.optional(templateName), ...templateSettings });

export const handler = endpoint({ body }, async ({ workspaceId, id, body, event }) => {
  const asRead = await readIfMatch(event, async () => orNotFound(await getTemplate(workspaceId, id), 'template'), showTemplate);
  const changes = await withOwnDomain(workspaceId, body);
  return replyTagged(event, 200, showTemplate(await updateTemplate(workspaceId, id, changes, asRead)));
});
