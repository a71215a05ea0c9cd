import { type Day, dayOfTime } from '../../core/click/day.ts';
import { type Collected, type Range, wholeDays } from '../../core/click/statistics.ts';
import { tooMuchToRead } from '../../core/errors.ts';
import { readsPerRequest } from '../../core/limits.ts';
import type { Link } from '../../core/link/link.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { toDay } from '../clicks/day-items.ts';
import { getDomain } from '../domains/domains.ts';
import { idsByTags, linksThatFit, type TagFilter } from '../links/list.ts';
import { dayKey, hostDayPrefix, type Key, workspaceDayKey, workspaceDayPartitions, workspaceDayParts } from '../table/keys.ts';
import { query } from '../table/reads.ts';

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
async function daysBetween(keyOfDay: (day: string) => Key, { from, to }: Range, epoch?: number): Promise<Day[]> {
  const [first, last] = [keyOfDay(dayAt(from)), keyOfDay(dayAt(to - 1))];
  const items = await Array.fromAsync(query({ pk: first.pk, between: [first.sk, last.sk] }, { consistent: false }));
  return items.map((item) => toDay(item, epoch));
}

/** Days of links, by link. `complete` is false if there are more than were read. */
type DaysOfLinks = {
  readonly links: readonly { readonly link: Link; readonly days: readonly Day[] }[];
  readonly complete: boolean;
};

/** How many links are read at once. */
const concurrency = 25;

/**
 * The days on which links were clicked, one query each, until `most` days are read. A link without a click counts as a
 * day, because it takes a query, too.
 */
export async function daysOfEach(links: readonly Link[], range: Range, most: number): Promise<DaysOfLinks> {
  let read = 0;
  const found = await inParallel(links, concurrency, async (link) => {
    if (read >= most) return undefined;
    const { days } = await daysOfLink(link, range);
    read += Math.max(1, days.length);
    return read <= most ? { link, days } : undefined;
  });
  const known = found.filter((one) => one !== undefined);
  return { links: known, complete: known.length === links.length };
}

/**
 * The days of the links that have some tags now. A link that has several of them counts once.
 *
 * @param tags and `domain`, if only links on a domain count.
 * @param most how many days to read.
 * @throws RequestError `too_much_to_read`
 */
export async function daysOfTags(
  workspaceId: string,
  tags: TagFilter & { readonly domain?: string | undefined },
  range: Range,
  most = readsPerRequest.days,
): Promise<Collected> {
  const { ids, complete } = await idsByTags(workspaceId, tags, most);
  const read = complete ? await daysOfEach(await linksThatFit(workspaceId, ids, tags), range, most) : undefined;
  if (!read?.complete) throw tooMuchToRead(`${most.toLocaleString('en-US')} days of links`, ['from', 'tagIds']);
  return { days: read.links.flatMap(({ days }) => days), range: wholeDays(range) };
}
