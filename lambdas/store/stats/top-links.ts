import { type Day, dayMs, dayOfTime } from '../../core/click/day.ts';
import { type Range, wholeDays } from '../../core/click/statistics.ts';
import type { Link } from '../../core/link/link.ts';
import { epochOf } from '../clicks/counts.ts';
import { toDay } from '../clicks/day-items.ts';
import { getLinks } from '../links/links.ts';
import { linksThatFit, type TagFilter } from '../links/list.ts';
import type { Item } from '../table/client.ts';
import { countKey, dayIndexes, dayKey, linkOfDay, toKey } from '../table/keys.ts';
import { chunks, getItems, type Meter, merged, query } from '../table/reads.ts';
import { type Bounds, boundsOfRequest, daysOfTagged, type TagsAndDomain } from './statistics.ts';

/** At most this many links of a workspace are compared to find those with the most clicks. */
export const mostActiveLinks = 1_000;

/** A link, its clicks, and how many of them were unique, if its days say so. `link` is undefined if it was deleted. */
export type ActiveLink = { readonly id: string; readonly link: Link | undefined } & Counts;

type Counts = { readonly clicks: number; readonly unique: number | undefined };

/** The links with the most clicks. `exact` is false if more links were clicked than are compared. */
export type Ranking = { readonly links: readonly ActiveLink[]; readonly exact: boolean };

/** Ranks only links on this domain, and with these tags. */
type RankedLinks = { readonly domain?: string | undefined; readonly tags?: TagFilter | undefined };

/**
 * The links of a workspace with the most clicks on the whole days in UTC that contain a range. Deleted links are among
 * them, unless only those on a domain or with tags are ranked. Each link that is returned has all its clicks.
 *
 * @param limit the most links to return.
 */
export async function topLinks(
  workspaceId: string,
  range: Range,
  limit: number,
  { domain, tags }: RankedLinks = {},
  bounds: Bounds = boundsOfRequest(),
): Promise<Ranking> {
  if (tags) return topOfTags(workspaceId, range, limit, { ...tags, domain }, bounds);
  const { days, meter } = bounds;
  const { clicked, complete } = await clickedLinks(workspaceId, range, domain === undefined ? mostActiveLinks : days, days);
  const there = domain === undefined ? { clicked, complete } : await onDomain(workspaceId, domain, clicked, meter);
  const compared = there.clicked.slice(0, mostActiveLinks);
  const exact = complete && there.complete && compared.length === there.clicked.length;
  return { links: await mostClicked(workspaceId, compared, limit), exact };
}

/**
 * The links with tags, newest first until a bound is reached: a tag has fewer links than its workspace has clicked
 * ones.
 */
async function topOfTags(
  workspaceId: string,
  range: Range,
  limit: number,
  tags: TagsAndDomain,
  bounds: Bounds,
): Promise<Ranking> {
  const { links, complete } = await daysOfTagged(workspaceId, tags, range, bounds);
  const ranked = links
    .map(({ link, days }) => ({ id: link.id, link, ...countsOf(days) }))
    .filter(({ clicks }) => clicks > 0)
    .sort(byClicks);
  return { links: ranked.slice(0, limit), exact: complete };
}

const byClicks = (a: Pick<ActiveLink, 'id' | 'clicks'>, b: Pick<ActiveLink, 'id' | 'clicks'>): number =>
  b.clicks - a.clicks || (a.id < b.id ? -1 : 1);

/** The clicks of days, and the unique ones, which may be undefined. */
function countsOf(days: readonly Day[]): Counts {
  const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);
  const uniques = days.flatMap(({ unique }) => unique ?? []);
  return { clicks: sum(days.map(({ total }) => total)), unique: uniques.length > 0 ? sum(uniques) : undefined };
}

/** How many entries of the index are read at once, from all partitions together. */
const entriesAtOnce = 6_000;

/** A link, and on which days it was clicked. */
type ClickedLink = { readonly id: string; readonly days: readonly string[] };

/**
 * The first links by their ids that were clicked in a range, also deleted ones, each with all its days.
 *
 * @param mostLinks how many links to find, and `mostDays` how many days.
 * @returns `complete` is false if there are more.
 */
async function clickedLinks(workspaceId: string, range: Range, mostLinks: number, mostDays: number) {
  const days = daysIn(range);
  const partitions = days.flatMap((day) => dayIndexes(workspaceId, day));
  const pageSize = Math.ceil(entriesAtOnce / partitions.length);
  const entries = merged(
    partitions.map((gsi1pk) => query({ gsi1pk, of: 'Activity' }, { pageSize })),
    'gsi1sk',
    'asc',
  );
  const clicked: { id: string; days: string[] }[] = [];
  let read = 0;
  for await (const entry of entries) {
    const { linkId: id, day } = linkOfDay(toKey(entry));
    const last = clicked.at(-1);
    if (read === mostDays) return { clicked: last?.id === id ? clicked.slice(0, -1) : clicked, complete: false };
    read++;
    if (last?.id === id) last.days.push(day);
    else if (clicked.length === mostLinks) return { clicked, complete: false };
    else clicked.push({ id, days: [day] });
  }
  return { clicked, complete: true };
}

/** The days of a range in UTC, as in `2030-01-31`. */
function daysIn(range: Range): string[] {
  const { from, to } = wholeDays(range);
  return Array.from({ length: (to - from) / dayMs }, (_, day) => dayOfTime(new Date(from + day * dayMs).toISOString()));
}

/**
 * Those of some links that exist, on a domain, until the meter is full. Eventually consistent: a link never changes its
 * domain.
 */
async function onDomain(workspaceId: string, domain: string, clicked: readonly ClickedLink[], meter: Meter) {
  const ids = clicked.map(({ id }) => id);
  const { links, complete } = await linksThatFit(workspaceId, ids, { domain }, { consistent: false, meter });
  const found = new Set(links.map(({ id }) => id));
  return { clicked: clicked.filter(({ id }) => found.has(id)), complete };
}

/**
 * The links with the most clicks of some. If the clicks of a link were erased, its days may not say so yet: then it has
 * fewer than they say, never more. So links are looked at in the order of what their days say, until no further one can
 * have more clicks than those that were found.
 */
async function mostClicked(workspaceId: string, clicked: readonly ClickedLink[], limit: number): Promise<ActiveLink[]> {
  const items = await getItems(
    clicked.flatMap(({ id, days }) => days.map((day) => dayKey(id, day))),
    { consistent: false },
  );
  const byLink = Map.groupBy(
    items.filter((item) => item !== undefined),
    (item) => linkOfDay(toKey(item)).linkId,
  );
  const candidates = [...byLink].map(([id, days]) => ({ id, days, ...countsAt(days) })).sort(byClicks);
  let links: ActiveLink[] = [];
  for (const page of chunks(candidates, limit)) {
    if ((links[limit - 1]?.clicks ?? 0) >= (page[0]?.clicks ?? 0)) break;
    const ids = page.map(({ id }) => id);
    const found = await getLinks(workspaceId, ids);
    const closed = await closedEpochs(ids.filter((_, index) => !found[index]));
    const current = page.map(({ id, days }, index) => {
      const link = found[index]?.link;
      return { id, link, ...countsAt(days, link?.clickEpoch ?? closed.get(id)) };
    });
    links = [...links, ...current.filter(({ clicks }) => clicks > 0)].sort(byClicks).slice(0, limit);
  }
  return links;
}

/** The same of the items of days. @param epoch of their link */
const countsAt = (days: readonly Item[], epoch?: number): Counts => countsOf(days.map((item) => toDay(item, epoch)));

/** The epochs of deleted links, by their closed counters. */
async function closedEpochs(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counters = await getItems(ids.map(countKey));
  return new Map(ids.map((id, index) => [id, epochOf(counters[index] ?? {})]));
}
