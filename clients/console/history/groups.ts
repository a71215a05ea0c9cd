import type { Entry } from './words.ts';

// What one request did to several links is one row. The entries of a request have its id.

/** Changes by one request, newest first: of several links, or a single change. */
export type Group = readonly [Entry, ...Entry[]];

/** How far apart the entries of one request may be. The gateway ends every request earlier. */
export const longestMs = 60_000;

/** The key of changes that belong together; undefined for a change that stands by itself. */
function groupOf({ requestId, actor, action, subject }: Entry): string | undefined {
  if (requestId === null || subject.type !== 'link') return undefined;
  return JSON.stringify([requestId, actor.id ?? actor.type, action]);
}

/**
 * Whether two entries are of one request that did the same to different links. A client may reuse the id of a request.
 */
export function isOfGroup(entry: Entry, other: Entry): boolean {
  const name = groupOf(entry);
  const apart = Math.abs(Date.parse(entry.at) - Date.parse(other.at));
  return name !== undefined && name === groupOf(other) && entry.subject.id !== other.subject.id && apart <= longestMs;
}

/** Groups entries, each group in the position of its newest entry. @param entries newest first */
export function grouped(entries: readonly Entry[]): Group[] {
  const groups: [Entry, ...Entry[]][] = [];
  const open = new Map<string, { readonly all: [Entry, ...Entry[]]; readonly links: Set<string> }>();
  for (const entry of entries) {
    const name = groupOf(entry);
    const found = name === undefined ? undefined : open.get(name);
    if (found && !found.links.has(entry.subject.id) && isOfGroup(found.all[0], entry)) {
      found.all.push(entry);
      found.links.add(entry.subject.id);
      continue;
    }
    const all: [Entry, ...Entry[]] = [entry];
    groups.push(all);
    if (name !== undefined) open.set(name, { all, links: new Set([entry.subject.id]) });
  }
  return groups;
}

/** Whether entries that are not loaded yet may belong to a group. @param last the oldest loaded entry */
export const mayHaveMore = ([newest]: Group, last: Entry, hasMore: boolean): boolean =>
  hasMore && groupOf(newest) !== undefined && Date.parse(newest.at) - Date.parse(last.at) <= longestMs;
