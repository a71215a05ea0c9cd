import * as z from 'zod/mini';
import { endpoint } from '../../http/endpoint.ts';
import { replyTagged } from '../../http/entity-tag.ts';
import { templateName } from '../../http/fields.ts';
import { templateSettings } from '../../http/links/template-settings.ts';
import { showTemplate } from '../../http/shown/template.ts';
import { withOwnDomain } from '../../links/template-domain.ts';
import { createTemplate } from '../../store/templates/templates.ts';

export const body = z.strictObject({ name: templateName, ...templateSettings });

export const handler = endpoint({ body }, async ({ workspaceId, body, event }) => {
  const template = await createTemplate(workspaceId, await withOwnDomain(workspaceId, body));
  return replyTagged(event, 201, showTemplate(template), { Location: `${event.requestContext.path}/${template.id}` });
});
