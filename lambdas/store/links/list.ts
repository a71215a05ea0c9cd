import type { Link } from '../../domain/link.ts';
import { foldText } from '../../domain/text.ts';
import { text } from '../table/fields.ts';
import { linkAt, linkKeyOf, linksIndex, pairAt, pairKey, pairsOf } from '../table/keys.ts';
import { getItems, isFull, type Meter, query } from '../table/reads.ts';
import { type FoundLink, getLinks, toLink } from './links.ts';

/** Lists only the links that match all of these. */
export type LinkFilter = {
  readonly tagId?: string | undefined;
  /** A canonical host. */
  readonly domain?: string | undefined;
  /** A part of the slug, an alias, the URL or the title. Case is ignored. */
  readonly q?: string | undefined;
};

/** A page of a list, and the position where the next one begins; undefined on the last page. */
export type LinkPage = { readonly links: FoundLink[]; readonly next: string | undefined };

/**
 * How much a page of a filtered list may search: index entries, links read, and read units. When the units run out, the
 * page ends after the batch in hand, which has at most 100 links. Small links reach the first two bounds first, large
 * ones the last.
 */
const mostEntries = 10_000;
const mostReads = 1_000;
const mostUnits = 500;

/** A link's entry in the index, or in a tag's pairs. Only the index includes the link's domain. */
type Entry = { readonly id: string; readonly position: string; readonly host?: string | undefined };

/**
 * Lists a workspace's links, newest first, with one query and one batch read per 50 links. Searches take more of both.
 *
 * Positions consist of a link's creation time and id, which never change. So links that are created or deleted between
 * two pages never make another link appear twice or go missing. A link that was created a moment ago may be missing,
 * because the index lags behind the table.
 *
 * With a filter by domain or text, a page may have fewer links than `limit`, even none, if it has reached its search
 * bounds.
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
 * Whether one of the workspace's next links is on a domain, according to the index, which may lag behind.
 *
 * @param before the position at which the last search ended.
 * @param most how many links to search.
 * @returns `next`, the position at which this search ended, if there may be more.
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

/** The current links of entries, without those that no longer match. */
async function read(workspaceId: string, filter: LinkFilter, entries: readonly Entry[]): Promise<FoundLink[]> {
  const ids = entries.map(({ id }) => id);
  const found = (await getLinks(workspaceId, ids)).filter((link) => link !== undefined);
  return found.filter(({ link }) => fits(link, filter));
}

/** Searches entries for matches, until there are enough or a search bound is reached. */
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
  // The list has ended only if neither bound ended the loop.
  const next = looked === mostEntries || isFull(meter) ? last : undefined;
  matches.push(...(await matching(workspaceId, filter, candidates, meter)));
  return { matches, next };
}

/**
 * The entries whose links match. An eventually consistent read is enough: the links that are shown are read again, and
 * most of the searched links are not shown.
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
  return [link.shortCode, ...link.aliases, link.url, link.title ?? ''].some((text) => foldText(text).includes(part));
}

/** The entries to search, newest first: a tag's pairs, or the workspace's partition of the index. */
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
