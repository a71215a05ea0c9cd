import type { Selected } from './selection.ts';

/** The changed fields, as the API names them. */
export type Fields =
  | { readonly addTagIds: readonly string[] }
  | { readonly removeTagIds: readonly string[] }
  | { readonly isActive: boolean }
  | { readonly isArchived: boolean };

/** A link after a change. */
export function after(link: Selected, change: Fields): Selected {
  if ('isActive' in change || 'isArchived' in change) return { ...link, ...change };
  const tagIds =
    'addTagIds' in change
      ? [...new Set([...link.tagIds, ...change.addTagIds])]
      : link.tagIds.filter((id) => !change.removeTagIds.includes(id));
  return { ...link, tagIds };
}

/** Whether a change makes a difference to a link, according to the page's data. */
export const isChangedBy = (link: Selected, change: Fields): boolean =>
  JSON.stringify(after(link, change)) !== JSON.stringify(link);
