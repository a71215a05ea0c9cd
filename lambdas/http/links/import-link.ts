import * as z from 'zod/mini';
import { type FieldError, RequestError } from '../../core/errors.ts';
import { type GivenByTemplate, type TagsOfTemplate, withTemplate } from '../../core/link/given-settings.ts';
import { refuseContradiction } from '../../core/link/link.ts';
import { withPermissiveSettings } from '../../runtime/settings.ts';
import * as field from '../fields.ts';
import { ownSettings } from '../link-settings.ts';
import { check } from '../validation.ts';
import { mergeUtm, utmFields } from './utm.ts';

/** The schema of a link to import. */
export const importLink = z.strictObject({
  ...ownSettings,
  ...utmFields,
  url: field.destination,
  customSlug: z.optional(field.slug),
});

type ImportLink = z.output<typeof importLink>;

/** The settings of a link to import, with its UTM parameters in its destination; or its first error. */
export type CheckedLink =
  | {
      readonly settings: ReturnType<typeof mergeUtm<ImportLink>> & Pick<ImportLink, 'url'> & TagsOfTemplate;
      readonly refused?: undefined;
    }
  | { readonly settings?: undefined; readonly refused: FieldError };

/**
 * Checks a link to import on its own. The store checks its tags, and conflicts with other links.
 *
 * @param given by the template of the request.
 */
export function checkImportLink(link: unknown, given: GivenByTemplate = {}): CheckedLink {
  const { value, errors: [first] = [] } = check(importLink, link, 1);
  if (!value) return { refused: first ?? { path: '', code: 'invalid_value', message: 'is not valid' } };
  try {
    const settings = mergeUtm(withTemplate(value, given));
    refuseContradiction(settings);
    return { settings };
  } catch (error) {
    const [refused] = error instanceof RequestError ? error.fieldErrors : [];
    if (!refused) throw error;
    return { refused };
  }
}

/** The first error of a link, for clients that check it before they send it; undefined if it has none. */
export const refusedField = (link: unknown, given?: GivenByTemplate): FieldError | undefined =>
  withPermissiveSettings(() => checkImportLink(link, given)).refused;
