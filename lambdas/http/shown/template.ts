import type { Template } from '../../core/template/template.ts';
import { templateView } from '../../views/template.ts';
import type { Shown } from '../entity-tag.ts';

/** A template as responses about a single one show it. */
export const showTemplate = (template: Template): Shown => {
  const body = templateView(template);
  return { body, settings: body };
};
