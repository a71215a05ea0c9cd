import { tagsPerLink } from '../../../lambdas/core/limits.ts';
import type { Entry } from './words.ts';

/** A bulk change, as the API names it. */
export type Back =
  | { readonly isActive: boolean }
  | { readonly isArchived: boolean }
  | { readonly addTagIds?: readonly string[]; readonly removeTagIds?: readonly string[] };

/** The most bulk requests for one undo; the limit is 30 a minute. */
const mostRequests = 5;

const flags = ['isActive', 'isArchived'] as const;

const tagsIn = ({ changes: { tagIds } }: Entry): readonly string[] => {
  const [from, to] = [tagIds?.from, tagIds?.to].map((ids) => (Array.isArray(ids) ? (ids as string[]) : []));
  return [...new Set(from).symmetricDifference(new Set(to))];
};

/**
 * Whether something that an entry changed was changed again, even if it has the same value now: the same tags, the
 * switch, or the archive.
 *
 * @param all the newest entries of the workspace, newest first, with this one
 */
export function isChangedAgain(entry: Entry, all: readonly Entry[]): boolean {
  const own = all.filter(({ subject }) => subject.id === entry.subject.id);
  const at = own.findIndex(({ id }) => id === entry.id);
  const later = own.slice(0, at < 0 ? own.length : at);
  const tags = tagsIn(entry);
  return later.some(
    (one) =>
      (flags.some((flag) => flag in entry.changes && flag in one.changes) && one.action === 'link.updated') ||
      tagsIn(one).some((tag) => tags.includes(tag)),
  );
}

/**
 * The bulk changes that undo entries: switching, archiving, and adding or removing tags. Other tags stay. Undefined if
 * these cannot undo all entries.
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
  if (field === 'isArchived' && typeof from === 'boolean') return { isArchived: from };
  if (field !== 'tagIds' || !Array.isArray(from) || !Array.isArray(to)) return undefined;
  const [removed, added] = [from.filter((id) => !to.includes(id)), to.filter((id) => !from.includes(id))];
  if (removed.length + added.length === 0 || Math.max(removed.length, added.length) > tagsPerLink) return undefined;
  return { ...(removed.length > 0 && { addTagIds: removed.sort() }), ...(added.length > 0 && { removeTagIds: added.sort() }) };
}
