import { type Day, dayOfTime } from '../../core/click/day.ts';
import { type Collected, type Range, wholeDays } from '../../core/click/statistics.ts';
import { type RequestError, tooMuchToRead } from '../../core/errors.ts';
import { readsPerRequest } from '../../core/limits.ts';
import type { Link } from '../../core/link/link.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { toDay } from '../clicks/day-items.ts';
import { getDomain } from '../domains/domains.ts';
import { entriesSuffice, idsByTags, linksThatFit, type TagFilter } from '../links/list.ts';
import type { Item } from '../table/client.ts';
import { dayKey, hostDayPrefix, type Key, workspaceDayKey, workspaceDayPartitions, workspaceDayParts } from '../table/keys.ts';
import { isFull, type Meter, query } from '../table/reads.ts';

const dayAt = (instant: number): string => dayOfTime(new Date(instant).toISOString());

/** The days on which a link was clicked. Eventually consistent, for half the price. */
export async function daysOfLink({ id, clickEpoch }: Link, range: Range): Promise<Collected> {
  const days = await daysBetween((day) => dayKey(id, day), range, clickEpoch);
  return { days, range: wholeDays(range) };
}

/**
 * The days on which a workspace's links were clicked. Each of a day's parts is returned as a day of its own.
 *
 * @param host counts only links on this domain, which may have been deleted.
 */
export async function daysOfWorkspace(workspaceId: string, range: Range, host?: string): Promise<Collected> {
  const parts = Array.from({ length: workspaceDayParts }, (_, part) =>
    daysBetween((day) => workspaceDayKey(workspaceId, part, day, host), range),
  );
  return { days: (await Promise.all(parts)).flat(), range: wholeDays(range) };
}

/** The same for a domain; undefined if it isn't the workspace's, and has no days there. */
export async function daysOfDomain(workspaceId: string, host: string, range: Range): Promise<Collected | undefined> {
  const [collected, domain] = await Promise.all([daysOfWorkspace(workspaceId, range, host), getDomain(host)]);
  if (collected.days.length > 0 || domain?.workspaceId === workspaceId) return collected;
  return (await hasDays(workspaceId, host)) ? collected : undefined;
}

/** Whether a workspace has days of a domain, whenever they were. */
async function hasDays(workspaceId: string, host: string): Promise<boolean> {
  const found = await inParallel(workspaceDayPartitions(workspaceId), workspaceDayParts, (pk) =>
    Array.fromAsync(query({ pk, skPrefix: hostDayPrefix(host) }, { limit: 1, consistent: false })),
  );
  return found.flat().length > 0;
}

/** The days of one partition, from the day of `from` to that of the last moment before `to`. */
async function daysBetween(keyOfDay: (day: string) => Key, range: Range, epoch?: number): Promise<Day[]> {
  return (await itemsBetween(keyOfDay, range)).map((item) => toDay(item, epoch));
}

/** The same as the table holds them. A full meter may end them early. */
function itemsBetween(keyOfDay: (day: string) => Key, { from, to }: Range, meter?: Meter): Promise<Item[]> {
  const [first, last] = [keyOfDay(dayAt(from)), keyOfDay(dayAt(to - 1))];
  return Array.fromAsync(query({ pk: first.pk, between: [first.sk, last.sk] }, { consistent: false, meter }));
}

/** Days of links, by link. `complete` is false if there are more than were read. */
type DaysOfLinks = {
  readonly links: readonly { readonly link: Link; readonly days: readonly Day[] }[];
  readonly complete: boolean;
};

/** Tags that links have now, and a domain that they are on. */
export type TagsAndDomain = TagFilter & { readonly domain?: string | undefined };

/** How much to read at most: days of links, and read units. */
export type Bounds = { readonly days: number; readonly meter: Meter };

/** The bounds of a request, which has read nothing yet. */
export const boundsOfRequest = (): Bounds => ({ days: readsPerRequest.days, meter: { units: 0, most: readsPerRequest.units } });

/**
 * The days on which links with some tags were clicked. Each link that is returned has all its days.
 *
 * @param refusal is thrown if a bound is reached. Without it, this returns what was read until then, newest links
 * first.
 *
 * A link is read only if it has to be: before its days if only the link shows whether it fits, and otherwise after
 * them, if there are any. That read is strongly consistent, because clicks count for nothing as soon as they are
 * erased, and only the link knows that at once.
 */
export async function daysOfTagged(
  workspaceId: string,
  tags: TagsAndDomain,
  range: Range,
  bounds: Bounds,
  refusal?: RequestError,
): Promise<DaysOfLinks> {
  let complete = true;
  const orRefused = <T extends { readonly complete: boolean }>(read: T): T => {
    if (!read.complete && refusal) throw refusal;
    complete &&= read.complete;
    return read;
  };
  const fitting = async (ids: readonly string[]) =>
    orRefused(await linksThatFit(workspaceId, ids, tags, { meter: bounds.meter })).links;
  const { ids } = orRefused(await idsByTags(workspaceId, tags, bounds.days, bounds.meter));
  const first = entriesSuffice(tags) ? undefined : await fitting(ids);
  const { days } = orRefused(await daysOfEach(first?.map(({ id }) => id) ?? ids, range, bounds));
  const links = first ?? (await fitting([...days.keys()]));
  const clicked = links.flatMap((link) => {
    const items = days.get(link.id);
    return items ? [{ link, days: items.map((item) => toDay(item, link.clickEpoch)) }] : [];
  });
  return { links: clicked, complete };
}

/** How many links' days are read at once. */
const concurrency = 25;

/**
 * The days on which links were clicked, by their ids, one query each, until a bound is reached. A link without a click
 * counts as a day, because it takes a query, too.
 */
async function daysOfEach(ids: readonly string[], range: Range, { days: most, meter }: Bounds) {
  let read = 0;
  let complete = true;
  const found = await inParallel(ids, concurrency, async (id): Promise<[string, Item[]] | undefined> => {
    if (!complete) return undefined;
    const items = await itemsBetween((day) => dayKey(id, day), range, meter);
    read += Math.max(1, items.length);
    // Then these may not be all of the link's.
    if (read > most || isFull(meter)) complete = false;
    return complete && items.length > 0 ? [id, items] : undefined;
  });
  return { days: new Map(found.filter((one) => one !== undefined)), complete };
}

/**
 * The days of the links that have some tags now. A link that has several of them counts once.
 *
 * @throws RequestError `too_much_to_read`
 */
export async function daysOfTags(
  workspaceId: string,
  tags: TagsAndDomain,
  range: Range,
  bounds: Bounds = boundsOfRequest(),
): Promise<Collected> {
  const [most, units] = [bounds.days, bounds.meter.most].map((bound) => bound.toLocaleString('en-US'));
  const refusal = tooMuchToRead(`${most} days of links and ${units} read units`, ['from', 'tagIds']);
  const { links } = await daysOfTagged(workspaceId, tags, range, bounds, refusal);
  return { days: links.flatMap(({ days }) => days), range: wholeDays(range) };
}
