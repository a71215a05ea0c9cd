import * as z from 'zod/mini';
import { parseOwner } from '../../lambdas/core/link/managed-by.ts';
import * as field from '../../lambdas/http/fields.ts';
import { ownSettings } from '../../lambdas/http/link-settings.ts';
import { ruled } from '../../lambdas/http/validation.ts';

/**
 * The schema of manifests. Fields of links have the names and rules of the API, except that tags are given by name.
 * Passwords are missing, because the service never shows them, so that they cannot be compared.
 */

const { url: _url, password: _password, managedBy: _managedBy, tagIds: _tagIds, tagNames, externalId, ...shared } = ownSettings;

/** Fields that links and defaults share. */
const settings = { ...shared, tags: tagNames };

export const owner = ruled(parseOwner);
export const defaults = z.strictObject(settings);
export const tag = z.strictObject({ name: field.tagName, color: z.optional(field.color) });
export const renamedFrom = z.optional(field.slug);
export const link = z.strictObject({ slug: field.slug, renamedFrom, url: field.destination, ...settings, externalId });

export const manifest = z.strictObject({
  owner,
  domain: field.domainName,
  defaults: z.optional(defaults),
  tags: z.optional(z.array(tag)),
  links: z.array(link),
});
