import { templateDefaults } from '../../../lambdas/core/template/template.ts';
import { api } from '../service/client.ts';
import { type Say, untilMade } from '../service/patience.ts';
import { queries } from '../service/queries.ts';
import type { Template } from '../service/types.ts';

/** A template that sets nothing. */
export const emptyTemplate: Template = { id: '', name: '', createdAt: '', ...templateDefaults, tagIds: [] };

/** Loads the templates anew, and how many are left. */
export const refreshTemplates = (): void => {
  void queries.invalidateQueries({ queryKey: ['templates'] });
  void queries.invalidateQueries({ queryKey: ['me'] });
};

/** Creates a template. @throws ProblemError `template_name_taken` and others; UnsureError */
export async function createTemplate(body: { readonly name: string }, say: Say): Promise<Template> {
  const made = await untilMade(
    () => api.POST('/api/v1/templates', { body }),
    async () => (await api.GET('/api/v1/templates')).data.templates.find(({ name }) => name === body.name),
    say,
  );
  refreshTemplates();
  return made;
}
