import { externalIdLength } from '../limits.ts';
import { isExternalId } from './external-id.ts';

/**
 * How paths and bulk requests name a link: by its id, or by `ext_` and its external id. No id begins with `ext_`, but
 * an external id may, or may look like an id.
 */
const prefix = 'ext_';

/** The longest name that a link can have, in characters. */
export const longestLinkName = prefix.length + externalIdLength;

export type LinkName =
  | { readonly id: string; readonly externalId?: undefined }
  | { readonly externalId: string; readonly id?: undefined };

/** @returns undefined if no link can have that name. */
export function parseLinkName(name: string): LinkName | undefined {
  if (!name.startsWith(prefix)) return { id: name };
  const externalId = name.slice(prefix.length);
  return isExternalId(externalId) ? { externalId } : undefined;
}
