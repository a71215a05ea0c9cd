import { templateDefaults } from '../../../lambdas/core/template/template.ts';
import { api } from '../service/client.ts';
import { type Say, untilMade } from '../service/patience.ts';
import { templateAt } from '../service/resources.ts';
import type { Template } from '../service/types.ts';

/** A template that sets nothing. */
export const emptyTemplate: Template = { id: '', name: '', createdAt: '', ...templateDefaults, tagIds: [] };

/** Creates a template. @throws ProblemError `template_name_taken` and others; UnsureError */
export async function createTemplate(body: { readonly name: string }, say: Say): Promise<Template> {
  const made = await untilMade(
    () => api.POST('/api/v1/templates', { body }),
    async () => (await api.GET('/api/v1/templates')).data.templates.find(({ name }) => name === body.name),
    say,
  );
  templateAt(made.id).refresh();
  return made;
}
