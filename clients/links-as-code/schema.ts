import * as z from 'zod/mini';
import { parseOwner } from '../../lambdas/core/link/managed-by.ts';
import * as field from '../../lambdas/http/fields.ts';
import { ownSettings } from '../../lambdas/http/link-settings.ts';
import { ruled } from '../../lambdas/http/validation.ts';

/**
 * What a manifest looks like. Fields of links have the names and rules of the API, except that tags are named. What cannot
 * be compared with what the service shows is not there: passwords.
 */

const { url: _url, password: _password, managedBy: _managedBy, tagIds: _tagIds, tagNames, externalId, ...shared } = ownSettings;

/** What all links can have in common. */
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
