import type { Link } from '../../domain/link.ts';
import { foldText } from '../../domain/text.ts';
import { text } from '../table/fields.ts';
import { linkAt, linkKeyOf, linksIndex, pairAt, pairKey, pairsOf } from '../table/keys.ts';
import { getItems, isFull, type Meter, query } from '../table/reads.ts';
import { type FoundLink, getLinks, toLink } from './links.ts';

/** Which links of a workspace are listed: all that fit each of these. */
export type LinkFilter = {
  readonly tagId?: string | undefined;
  /** A canonical host. */
  readonly domain?: string | undefined;
  /** A part of slug, URL or title, without regard to case. */
  readonly q?: string | undefined;
};

/** A page of a list, and where the next one begins; there is none where that is undefined. */
export type LinkPage = { readonly links: FoundLink[]; readonly next: string | undefined };

/**
 * How many links a page of a filtered list looks through at most, by their entries alone and with a read of each; and how many read units
 * that may take before it ends with what it has in hand, 100 links at most. Small links come to the first bounds, large ones to the last.
 */
const mostEntries = 10_000;
const mostReads = 1_000;
const mostUnits = 500;

/** A link's entry in what is listed from: of the index or of a tag's pairs. Only the index says what domain the link is on. */
type Entry = { readonly id: string; readonly position: string; readonly host?: string | undefined };

/**
 * Lists a workspace's links, newest first: one query, and a read of 50 links at a time.
 *
 * A place in the list is a link's own time and id, which never change: whatever is created and deleted between two pages, none that
 * stays is shown twice or left out. One made a moment ago may be missing, since the index follows the table.
 *
 * With a filter a page may have fewer links than `limit`, even none, where it has looked through as many as it may.
 *
 * @param before the position at which the last page ended.
 */
export async function listLinks(
  workspaceId: string,
  filter: LinkFilter,
  { limit, before }: { limit: number; before?: string | undefined },
): Promise<LinkPage> {
  if (filter.q === undefined && filter.domain === undefined) {
    const entries = await Array.fromAsync(entriesOf(workspaceId, filter, before, limit + 1));
    const shown = entries.slice(0, limit);
    return {
      links: await read(workspaceId, filter, shown),
      next: entries.length > limit ? shown.at(-1)?.position : undefined,
    };
  }
  const { matches, next } = await search(workspaceId, filter, before, limit);
  return { links: await read(workspaceId, filter, matches), next };
}

/**
 * Whether one of the workspace's next links is on a domain, as far as the index knows yet.
 *
 * @param before the position at which the last look ended.
 * @param most how many links are looked at.
 * @returns `next`, the position at which this look ended, if there may be more.
 */
export async function lookForLinkOn(
  workspaceId: string,
  host: string,
  { before, most }: { before: string | undefined; most: number },
): Promise<{ isFound: boolean; next: string | undefined }> {
  let looked = 0;
  let last: string | undefined;
  for await (const entry of entriesOf(workspaceId, {}, before, most)) {
    if (entry.host === host) return { isFound: true, next: undefined };
    looked++;
    last = entry.position;
  }
  return { isFound: false, next: looked === most ? last : undefined };
}

/** The links of entries, as they are now, that still fit. */
async function read(workspaceId: string, filter: LinkFilter, entries: readonly Entry[]): Promise<FoundLink[]> {
  const ids = entries.map(({ id }) => id);
  const found = (await getLinks(workspaceId, ids)).filter((link) => link !== undefined);
  return found.filter(({ link }) => fits(link, filter));
}

/** Looks through entries for those that fit, until there are enough, or it took as much as it may. */
async function search(workspaceId: string, filter: LinkFilter, before: string | undefined, limit: number) {
  const meter: Meter = { units: 0, most: mostUnits };
  const matches: Entry[] = [];
  let candidates: Entry[] = [];
  let looked = 0;
  let reads = 0;
  let last: string | undefined;
  for await (const entry of entriesOf(workspaceId, filter, before, mostEntries, meter)) {
    looked++;
    last = entry.position;
    if (entry.host === undefined || filter.domain === undefined || entry.host === filter.domain) candidates.push(entry);
    if (candidates.length < limit - matches.length && candidates.length < 100) continue;
    reads += candidates.length;
    matches.push(...(await matching(workspaceId, filter, candidates, meter)));
    candidates = [];
    if (matches.length === limit || reads >= mostReads || isFull(meter)) return { matches, next: last };
  }
  // That there is no more is certain only if nothing else ended it.
  const next = looked === mostEntries || isFull(meter) ? last : undefined;
  matches.push(...(await matching(workspaceId, filter, candidates, meter)));
  return { matches, next };
}

/**
 * Those of the entries whose links fit, as they were a moment ago: what is shown is read again, and most of what is looked through is not
 * shown.
 */
async function matching(workspaceId: string, filter: LinkFilter, entries: readonly Entry[], meter: Meter): Promise<Entry[]> {
  const isSettled = filter.q === undefined && entries.every(({ host }) => host !== undefined);
  if (isSettled) return [...entries];
  const keys = entries.map(({ id }) => linkKeyOf(id));
  const items = await getItems(keys, { consistent: false, meter });
  return entries.filter(({ id }, place) => {
    const item = items[place];
    return item?.id === id && item.workspaceId === workspaceId && fits(toLink(item), filter);
  });
}

function fits(link: Link, { tagId, domain, q }: LinkFilter): boolean {
  if (tagId !== undefined && !link.tagIds.includes(tagId)) return false;
  if (domain !== undefined && link.domain !== domain) return false;
  if (q === undefined) return true;
  const part = foldText(q);
  return [link.shortCode, link.url, link.title ?? ''].some((text) => foldText(text).includes(part));
}

/** The entries of what a filter is looked for in, newest first: a tag's pairs, or the workspace's part of the index. */
async function* entriesOf(
  workspaceId: string,
  { tagId }: LinkFilter,
  before: string | undefined,
  limit: number,
  meter?: Meter,
): AsyncGenerator<Entry> {
  if (tagId === undefined) {
    for await (const item of query({ gsi1pk: linksIndex(workspaceId), before }, { backwards: true, limit, meter })) {
      const position = text(item, 'gsi1sk');
      yield { position, ...linkAt(position) };
    }
    return;
  }
  const after = before === undefined ? undefined : pairKey(tagId, linkAt(before));
  for await (const item of query(pairsOf(tagId), { after, backwards: true, limit, meter })) {
    const position = pairAt(text(item, 'sk'));
    yield { position, id: linkAt(position).id };
  }
}
