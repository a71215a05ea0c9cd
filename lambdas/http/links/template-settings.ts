import * as z from 'zod/mini';
import * as field from '../fields.ts';
import { flagFields } from '../link-flags.ts';
import { templateUtmFields } from './utm.ts';

/** The settings of a template, in requests that create or update one. */
export const templateSettings = {
  domain: z.optional(z.nullable(z.string())),
  tagIds: z.optional(field.tagIds),
  ...templateUtmFields,
  redirectType: z.optional(field.redirectType),
  expiresAfterDays: z.optional(z.nullable(field.expiresAfterDays)),
  ...flagFields,
};
