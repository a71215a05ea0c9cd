import type { Selected } from './selection.ts';

/** What changes, as the API names it. */
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

/** Whether a change made a difference to a link, as far as the page knows. */
export const isChangedBy = (link: Selected, change: Fields): boolean =>
  JSON.stringify(after(link, change)) !== JSON.stringify(link);
