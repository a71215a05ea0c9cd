import { type Day, dayOfTime } from '../../core/click/day.ts';
import { type Collected, type Range, wholeDays } from '../../core/click/statistics.ts';
import type { Link } from '../../core/link/link.ts';
import { epochOf } from '../clicks/counts.ts';
import { toDay } from '../clicks/day-items.ts';
import { getLinks } from '../links/links.ts';
import { countKey, dayIndexes, dayKey, type Key, linkOfDay, toKey, workspaceDayKey, workspaceDayParts } from '../table/keys.ts';
import { chunks, getItems, query } from '../table/reads.ts';

const dayAt = (instant: number): string => dayOfTime(new Date(instant).toISOString());

/** The days on which a link was clicked. Eventually consistent, for half the price. */
export async function daysOfLink({ id, clickEpoch }: Link, range: Range): Promise<Collected> {
  const days = await daysBetween((day) => dayKey(id, day), range, clickEpoch);
  return { days, range: wholeDays(range) };
}

/** The days on which a workspace's links were clicked. Each of a day's parts is returned as a day of its own. */
export async function daysOfWorkspace(workspaceId: string, range: Range): Promise<Collected> {
  const parts = Array.from({ length: workspaceDayParts }, (_, part) =>
    daysBetween((day) => workspaceDayKey(workspaceId, part, day), range),
  );
  return { days: (await Promise.all(parts)).flat(), range: wholeDays(range) };
}

/** The days of one partition, from the day of `from` to that of the last moment before `to`. */
async function daysBetween(keyOfDay: (day: string) => Key, { from, to }: Range, epoch?: number): Promise<Day[]> {
  const [first, last] = [keyOfDay(dayAt(from)), keyOfDay(dayAt(to - 1))];
  const items = await Array.fromAsync(query({ pk: first.pk, between: [first.sk, last.sk] }, { consistent: false }));
  return items.map((item) => toDay(item, epoch));
}

/** At most this many links of a workspace are compared to find those with the most clicks on a day. */
export const mostActiveLinks = 1_000;

/** A link and its clicks on a day. `link` is undefined if it was deleted. */
export type ActiveLink = { readonly id: string; readonly link: Link | undefined; readonly clicks: number };

/**
 * The links of a workspace with the most clicks on a day, including deleted ones.
 *
 * @param limit the most links to return.
 * @returns `exact` is false if more links were clicked than are compared.
 */
export async function topLinks(
  workspaceId: string,
  day: string,
  limit: number,
): Promise<{ readonly links: readonly ActiveLink[]; readonly exact: boolean }> {
  const ids = (await Promise.all(dayIndexes(workspaceId, day).map(idsIn))).flat();
  const compared = ids.slice(0, mostActiveLinks);
  const items = await getItems(
    compared.map((id) => dayKey(id, day)),
    { consistent: false },
  );
  const candidates = items
    .flatMap((item) => (item ? [{ item, id: linkOfDay(toKey(item)).linkId, clicks: toDay(item).total }] : []))
    .sort((a, b) => b.clicks - a.clicks || (a.id < b.id ? -1 : 1));
  const links: ActiveLink[] = [];
  for (const page of chunks(candidates, limit)) {
    if (links.length >= limit) break;
    const found = await getLinks(
      workspaceId,
      page.map(({ id }) => id),
    );
    const closed = await closedEpochs(page.filter((_, index) => !found[index]).map(({ id }) => id));
    for (const [index, { item, id }] of page.entries()) {
      const link = found[index]?.link;
      // If a day's clicks were erased, its item may not say so yet.
      const clicks = toDay(item, link?.clickEpoch ?? closed.get(id)).total;
      if (clicks > 0) links.push({ id, link, clicks });
    }
  }
  return { links: links.slice(0, limit), exact: ids.length <= mostActiveLinks };
}

/** The epochs of deleted links, by their closed counters. */
async function closedEpochs(ids: readonly string[]): Promise<ReadonlyMap<string, number>> {
  const counters = await getItems(ids.map(countKey));
  return new Map(ids.map((id, index) => [id, epochOf(counters[index] ?? {})]));
}

/** The ids of the links in a partition of the index: at most one more than are compared. */
async function idsIn(gsi1pk: string): Promise<string[]> {
  const items = query({ gsi1pk, of: 'Activity' }, { limit: mostActiveLinks + 1 });
  return (await Array.fromAsync(items)).map((item) => linkOfDay(toKey(item)).linkId);
}
