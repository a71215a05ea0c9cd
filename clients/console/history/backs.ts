import { tagsPerLink } from '../../../lambdas/core/limits.ts';
import type { Entry } from './words.ts';

/** A change of many links, as the API names it. */
export type Back =
  | { readonly isActive: boolean }
  | { readonly addTagIds?: readonly string[]; readonly removeTagIds?: readonly string[] };

/** The most requests that change many links; a minute has 30 of them. */
const mostRequests = 5;

/**
 * The changes of many links that undo entries: switching back, and the tags that were added or removed. Links that were
 * changed again since keep what others have done. Undefined if that is no way to undo them all.
 */
export function backsOf(entries: readonly Entry[]): readonly { back: Back; entries: readonly Entry[] }[] | undefined {
  const groups = new Map<string, { back: Back; entries: Entry[] }>();
  for (const entry of entries) {
    const back = entry.action === 'link.updated' ? backOf(entry) : undefined;
    if (!back) return undefined;
    const name = JSON.stringify(back);
    const group = groups.get(name) ?? { back, entries: [] };
    group.entries.push(entry);
    groups.set(name, group);
  }
  return groups.size <= mostRequests ? [...groups.values()] : undefined;
}

function backOf({ changes }: Entry): Back | undefined {
  const [[field, { from, to }] = ['', {}], ...others] = Object.entries(changes) as [string, { from?: unknown; to?: unknown }][];
  if (others.length > 0) return undefined;
  if (field === 'isActive' && typeof from === 'boolean') return { isActive: from };
  if (field !== 'tagIds' || !Array.isArray(from) || !Array.isArray(to)) return undefined;
  const [removed, added] = [from.filter((id) => !to.includes(id)), to.filter((id) => !from.includes(id))];
  if (removed.length + added.length === 0 || Math.max(removed.length, added.length) > tagsPerLink) return undefined;
  return { ...(removed.length > 0 && { addTagIds: removed.sort() }), ...(added.length > 0 && { removeTagIds: added.sort() }) };
}
