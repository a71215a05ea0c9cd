import { templateDefaults, templateFields } from '../../../lambdas/core/template/template.ts';
import { api } from '../service/client.ts';
import { type Say, untilAnswered, untilMade } from '../service/patience.ts';
import { all } from '../service/queries.ts';
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

/**
 * Creates a deleted template again, without tags that are gone. Its name is unique, so it is there once, however often
 * somebody undoes the deletion.
 *
 * @param lost what it had; what is null is left out.
 * @throws ProblemError `template_name_taken` and others; UnsureError
 */
export async function createAgain(lost: Readonly<Record<string, unknown>>, say: Say): Promise<Template> {
  const said = Object.fromEntries(['name', ...templateFields].map((field) => [field, lost[field] ?? undefined]));
  const tagIds = (said.tagIds ?? []) as readonly string[];
  const tags = tagIds.length === 0 ? [] : await untilAnswered(() => all(api.pages('/api/v1/tags')), say);
  const live = new Set(tags.map(({ id }) => id));
  return createTemplate(
    { ...said, name: String(said.name), tagIds: tagIds.filter((id) => live.has(id)) } as { name: string },
    say,
  );
}
