import type { Link } from '../../core/link/link.ts';
import { searchFor } from '../../core/search/search.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import type { Item } from '../table/client.ts';
import { text } from '../table/fields.ts';
import { type LinkRange, linkAt, linksWithin, pairAt, pairsWithin } from '../table/keys.ts';
import { inOneOrder } from '../table/list-pages.ts';
import { chunks, isFull, type Meter, query, type Reading } from '../table/reads.ts';
import { type FoundLink, findLinks, getLinks } from './links.ts';
import { inState, type LinkStatus, type StateFilter } from './states.ts';

/** Links with tags. */
export type TagFilter = {
  /** Tags of the workspace, the rarest first. */
  readonly tagIds?: readonly string[] | undefined;
  /** Whether a link needs any of the tags, which is the default, or all. */
  readonly match?: 'any' | 'all' | undefined;
};

/** Whether to list links that are archived: by default not, or only them, or also them. */
export const archivedFilters = ['false', 'true', 'any'] as const;

/** Lists only the links that match all of these. */
export type LinkFilter = Pick<LinkRange, 'createdAfter' | 'createdBefore'> &
  TagFilter & {
    readonly archived?: (typeof archivedFilters)[number] | undefined;
    readonly state?: StateFilter | undefined;
    /** A canonical host. */
    readonly domain?: string | undefined;
    readonly managedBy?: string | undefined;
    /** A text to search for: see `searchFor`. */
    readonly q?: string | undefined;
    /** Only links that expire, or have expired, before that time. */
    readonly expiresBefore?: string | undefined;
    /** Only links without a counted click at that time or later. */
    readonly notClickedSince?: string | undefined;
    /** The ids of links that another part of the list has. */
    readonly except?: ReadonlySet<string> | undefined;
  };

/** A filter, with whether a link passes it, apart from its state and its clicks. */
type Sought = LinkFilter & { readonly fits: (link: Link) => boolean };

/** A link of a list. A list by state knows its status. */
type ListedLink = FoundLink & { readonly status?: LinkStatus };

/** A page of a list, and the position where the next one begins; undefined on the last page. */
export type LinkPage = { readonly links: ListedLink[]; readonly next: string | undefined };

/**
 * How much a page of a filtered list may search: index entries, links read, and read units. When the units run out, the
 * page ends after the current batch, which has at most 100 links. Small links reach the first two bounds first, large
 * ones the last.
 */
const mostEntries = 10_000;
const mostReads = 1_000;
const mostUnits = 500;

/** A link's entry in the index, or in a tag's pairs. Only the index includes the link's domain. */
type Entry = { readonly id: string; readonly position: string; readonly host?: string | undefined };

/** Entries to search: at most `mostEntries`, or as many as the meter allows. */
type Entries = Iterable<Entry> | AsyncIterable<Entry>;

/** How many pairs of each tag to read at once if there are several tags. */
const pairsPerPage = 50;

/**
 * Lists a workspace's links by their creation time, with one query and one batch read per 50 links. Searches take more
 * of both, several tags a query each, and lists with and without archived links two queries.
 *
 * Archived links have their own partition of the index, so they cost other lists nothing. The pairs of a tag don't tell
 * them apart: a page by tag reads on until it is full, or has reached its search bounds.
 *
 * Positions consist of a link's creation time and id, which never change. So links that are created or deleted between
 * two pages never make another link appear twice or go missing. A link that was created a moment ago may be missing,
 * because the index lags behind the table. The same is true of one that was archived or brought back a moment ago.
 *
 * With a filter by domain, `managedBy`, text, state or all of several tags, a page may have fewer links than `limit`,
 * even none, if it has reached its search bounds.
 *
 * @param order `desc`, the default, is newest first.
 * @param after the position at which the last page ended.
 */
export async function listLinks(
  workspaceId: string,
  filter: LinkFilter,
  { limit, order, after }: { limit: number } & Pick<LinkRange, 'order' | 'after'>,
): Promise<LinkPage> {
  const range = { createdAfter: filter.createdAfter, createdBefore: filter.createdBefore, order, after };
  const sought = { ...filter, fits: fitsIn(filter) };
  const searchIn = (within: LinkRange, most: number) => {
    const meter: Meter = { units: 0, most: mostUnits };
    return searchPage(workspaceId, sought, entriesOf(workspaceId, filter, within, mostEntries, meter), most, meter);
  };
  if (entriesSuffice(filter)) {
    const entries = await Array.fromAsync(entriesOf(workspaceId, filter, range, limit + 1));
    const shown = entries.slice(0, limit);
    const links = await read(workspaceId, sought, shown);
    const next = entries.length > limit ? shown.at(-1)?.position : undefined;
    const isShort = filter.tagIds !== undefined && filter.archived !== 'any' && links.length < limit;
    if (next === undefined || !isShort) return { links, next };
    const more = await searchIn({ ...range, after: next }, limit - links.length);
    return { links: [...links, ...more.links], next: more.next };
  }
  return searchIn(range, limit);
}

/**
 * Lists those of the given links that still exist and match, in the given order. A page may have fewer links than
 * `limit`, as in `listLinks`. A position is the number of links that the pages up to there have looked at.
 */
export async function listGiven(
  workspaceId: string,
  filter: LinkFilter,
  ids: readonly string[],
  { limit, after }: { readonly limit: number; readonly after: number },
): Promise<LinkPage> {
  const sought = { ...filter, fits: fitsIn(filter) };
  const entries = ids.slice(after, after + mostEntries).map((id, index) => ({ id, position: String(after + index + 1) }));
  return searchPage(workspaceId, sought, entries, limit, { units: 0, most: mostUnits });
}

/**
 * The ids of the workspace's links that have these tags now.
 *
 * @param most how many links may be looked at.
 * @returns `complete` is false if there are more, or if the meter is full.
 */
export async function linksByTags(workspaceId: string, tags: TagFilter, most: number, meter: Meter) {
  const entries = await Array.fromAsync(entriesOf(workspaceId, tags, {}, most + 1, meter));
  const isCut = entries.length > most || isFull(meter);
  const ids = entries.map(({ id }) => id);
  if (isCut || entriesSuffice(tags)) return { ids, complete: !isCut };
  const { links, complete } = await linksThatFit(workspaceId, ids, { ...tags, archived: 'any' }, { meter });
  return { ids: links.map(({ id }) => id), complete };
}

/** How many calls read links at once, of 100 links each. That much may be read after the meter is full. */
const callsAtOnce = 4;

/**
 * The current links with these ids that match the filter.
 *
 * @param reading its meter ends the search.
 * @returns `complete` is false if the meter was full before all links were read.
 */
async function linksThatFit(workspaceId: string, ids: readonly string[], filter: LinkFilter, reading: Reading) {
  const pages = await inParallel(chunks(ids, 100), callsAtOnce, async (page) =>
    isFull(reading.meter) ? undefined : findLinks(workspaceId, page, reading),
  );
  const links = pages.flatMap((page) => page ?? []).filter(fitsIn(filter));
  return { links, complete: !pages.includes(undefined) };
}

/** Whether the links must be read to see if they match, because their entries don't show it. */
const readsLinks = ({ q, managedBy, state, expiresBefore, notClickedSince, tagIds = [], match }: LinkFilter): boolean =>
  [q, managedBy, state, expiresBefore, notClickedSince].some((one) => one !== undefined) ||
  (match === 'all' && tagIds.length > 1);

/** Whether the entries, also those of tags, show which links match. */
const entriesSuffice = (filter: LinkFilter): boolean =>
  !readsLinks(filter) && filter.domain === undefined && filter.except === undefined;

/** The current links of entries, without those that no longer match. */
async function read(workspaceId: string, filter: Sought, entries: readonly Entry[]): Promise<ListedLink[]> {
  const ids = entries.map(({ id }) => id);
  const found = (await getLinks(workspaceId, ids)).filter((link) => link !== undefined);
  const fitting = found.filter((one) => filter.fits(one.link) && isQuiet(one, filter));
  if (filter.state === undefined) return fitting;
  const statuses = await inState(
    fitting.map(({ link }) => link),
    filter.state,
  );
  return fitting.flatMap((one) => {
    const status = statuses.get(one.link);
    return status ? { ...one, status } : [];
  });
}

async function searchPage(workspaceId: string, filter: Sought, entries: Entries, limit: number, meter: Meter): Promise<LinkPage> {
  const { matches, next } = await search(workspaceId, filter, entries, limit, meter);
  return { links: await read(workspaceId, filter, matches), next };
}

/** Whether a link has had no click since the time that a filter names, if it names one. */
const isQuiet = ({ clickCount, lastClickedAt }: FoundLink, { notClickedSince: since }: LinkFilter): boolean =>
  since === undefined || clickCount === 0 || (lastClickedAt !== undefined && lastClickedAt < since);

/** Searches entries for matches, until there are enough or a search bound is reached. */
async function search(workspaceId: string, filter: Sought, entries: Entries, limit: number, meter: Meter) {
  const matches: Entry[] = [];
  let candidates: Entry[] = [];
  let looked = 0;
  let reads = 0;
  let last: string | undefined;
  for await (const entry of entries) {
    looked++;
    last = entry.position;
    if (filter.except?.has(entry.id)) continue;
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
async function matching(workspaceId: string, filter: Sought, entries: readonly Entry[], meter: Meter): Promise<Entry[]> {
  const isSettled = !readsLinks(filter) && entries.every(({ host }) => host !== undefined);
  if (isSettled) return [...entries];
  const ids = entries.map(({ id }) => id);
  const reading = { consistent: false, meter };
  const read =
    filter.notClickedSince === undefined
      ? await findLinks(workspaceId, ids, reading)
      : (await getLinks(workspaceId, ids, reading)).flatMap((one) => (one && isQuiet(one, filter) ? one.link : []));
  const links = new Map(read.filter(filter.fits).map((link) => [link.id, link]));
  const found = entries.flatMap((entry) => {
    const link = links.get(entry.id);
    return link ? { entry, link } : [];
  });
  if (filter.state === undefined) return found.map(({ entry }) => entry);
  const statuses = await inState(
    found.map(({ link }) => link),
    filter.state,
    reading,
  );
  return found.flatMap(({ entry, link }) => (statuses.has(link) ? entry : []));
}

function fitsIn(filter: LinkFilter): (link: Link) => boolean {
  const { tagIds = [], match, archived = 'false', domain, managedBy, q, createdAfter, createdBefore, expiresBefore } = filter;
  const hasText = q === undefined ? () => true : searchFor(q);
  return (link) => {
    const carries = (tagId: string) => link.tagIds.includes(tagId);
    if (tagIds.length > 0 && !(match === 'all' ? tagIds.every(carries) : tagIds.some(carries))) return false;
    if (archived !== 'any' && link.isArchived !== (archived === 'true')) return false;
    if (domain !== undefined && link.domain !== domain) return false;
    if (managedBy !== undefined && link.managedBy !== managedBy) return false;
    if (createdAfter !== undefined && link.createdAt < createdAfter) return false;
    if (createdBefore !== undefined && link.createdAt >= createdBefore) return false;
    if (expiresBefore !== undefined && (link.expiresAt === null || link.expiresAt >= expiresBefore)) return false;
    return hasText(link);
  };
}

/**
 * The entries to search, in the order of the range: the workspace's partitions of the index, or the pairs of the tag,
 * of the rarest tag if a link needs all, or of each if any suffices.
 */
async function* entriesOf(
  workspaceId: string,
  { tagIds = [], match, archived = 'false' }: LinkFilter,
  range: LinkRange,
  limit: number,
  meter?: Meter,
): AsyncGenerator<Entry> {
  const options = { backwards: range.order !== 'asc', limit, meter };
  const walked = match === 'all' ? tagIds.slice(0, 1) : tagIds;
  const partitions =
    walked.length > 0
      ? walked.map((tagId) => pairsWithin(tagId, range))
      : [false, true]
          .filter((isArchived) => archived === 'any' || isArchived === (archived === 'true'))
          .map((isArchived) => linksWithin(workspaceId, isArchived, range));
  const paged = walked.length > 1 ? { pageSize: pairsPerPage } : {};
  const sources = partitions.flatMap((within) => (within ? query(within, { ...options, ...paged }) : []));
  const positionOf = (item: Item) => (walked.length > 0 ? pairAt(text(item, 'sk')) : text(item, 'gsi1sk'));
  let last = '';
  let left = limit;
  for await (const item of inOneOrder(sources, walked.length > 0 ? 'sk' : 'gsi1sk', range.order, meter)) {
    const position = positionOf(item);
    if (position === last) continue;
    yield { position, ...linkAt(position) };
    last = position;
    if (--left === 0) return;
  }
}
