import { type Template, type TemplateSettings, templateFields } from '../core/template/template.ts';

/** A template as the API returns it. */
export const templateView = (template: Template) => {
  const { id, name, createdAt } = template;
  const settings = Object.fromEntries(templateFields.map((field) => [field, template[field]])) as unknown as TemplateSettings;
  return { id, name, ...settings, createdAt };
};
