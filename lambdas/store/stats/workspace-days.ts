import { type Day, other } from '../../core/click/day.ts';
import { newRequestToken } from '../../core/ids.ts';
import { toDay, workspaceDimensions } from '../clicks/day-items.ts';
import { expiry } from '../clicks/days.ts';
import type { Item } from '../table/client.ts';
import { failedCondition, lacks } from '../table/conditions.ts';
import { number } from '../table/fields.ts';
import { dayIndexes, dayKey, dayOf, type Key, linkOfDay, toKey, workspaceDayKey, workspaceDayParts } from '../table/keys.ts';
import { getItems, query } from '../table/reads.ts';
import { checking, transact, updating } from '../table/writes.ts';
import { isOpen, lowering, replacement, sum, sumsOf, type Verification, type VerifyOptions } from './verification.ts';

/** The days on which a workspace's links were clicked. */
export async function clickedDays(workspaceId: string): Promise<Set<string>> {
  const days = new Set<string>();
  for (const { pk } of partsOfDay(workspaceId, '')) {
    for await (const item of query({ pk, skPrefix: 'DAY#' })) days.add(dayOf(toKey(item).sk));
  }
  return days;
}

const partsOfDay = (workspaceId: string, day: string): Key[] =>
  Array.from({ length: workspaceDayParts }, (_, part) => workspaceDayKey(workspaceId, part, day));

/** The ids of the links of a workspace that were clicked on a day, also of deleted ones. */
export async function linksOfDay(workspaceId: string, day: string): Promise<string[]> {
  const pages = dayIndexes(workspaceId, day).map((gsi1pk) => Array.fromAsync(query({ gsi1pk, of: 'Activity' })));
  return (await Promise.all(pages)).flat().map((item) => linkOfDay(toKey(item)).linkId);
}

/** Compares a workspace's day with the days of its links, after these have been compared. */
export async function verifyWorkspaceDay(workspaceId: string, day: string, options: VerifyOptions): Promise<Verification> {
  if (isOpen(day, options)) return { days: 0, open: 1, differences: [] };
  const keys = partsOfDay(workspaceId, day);
  const items = await getItems(keys);
  const ids = await linksOfDay(workspaceId, day);
  const links = (await getItems(ids.map((id) => dayKey(id, day)))).filter((item) => item !== undefined);
  const parts = keys.map((key, index) => ({ key, item: items[index] }));
  const counted = parts.map(({ key, item = key }) => toDay(item));
  const erased = sum(links.map((item) => number(item, 'erased', 0)));
  const ofLinks = links.map((item) => toDay(item));
  const whole = withErased(summed(day, ofLinks), summed(day, counted), erased);
  const found = sum(counted.map(({ total }) => total));
  const pairs = [
    ...counted.flatMap((part) => sumsOf(part, workspaceDimensions)),
    { what: 'links', found, expected: whole.total },
  ];
  const differing = pairs.filter(({ found, expected }) => found !== expected);
  if (differing.length === 0) return { days: 1, open: 0, differences: [] };
  const { mayRepair, mark } = lowering(found, whole.total, options);
  const repaired = mayRepair && (await replaceWorkspaceDay(parts, whole, options));
  return { days: 1, open: 0, differences: differing.map((pair) => ({ workspaceId, day, ...pair, repaired, ...mark })) };
}

/** A part of a workspace's day. @property item as it was read; undefined if there is none */
type Part = { readonly key: Key; readonly item: Item | undefined };

/** Replaces the parts of a workspace's day, if they are as they were read. The first part gets everything. */
async function replaceWorkspaceDay(parts: readonly Part[], whole: Day, { statsDays }: VerifyOptions): Promise<boolean> {
  const writes = parts.map(({ key, item }, index) => {
    if (index === 0) {
      // A repair by an earlier release kept the erased clicks there.
      const change = { set: expiry(whole.day, statsDays), remove: ['erased'] };
      return updating(key, ...replacement(key, item, whole, change));
    }
    return item ? updating(key, ...replacement(key, item, toDay(key), {})) : checking(key, lacks('total'));
  });
  return !(await failedCondition(transact(writes, newRequestToken())));
}

/** The sum of several days, in the dimensions of a workspace. */
function summed(name: string, days: readonly Day[]): Day {
  const quarters = new Map<number, number>();
  const groups: Day['groups'] = {};
  for (const day of days) {
    for (const [quarter, clicks] of day.quarters) add(quarters, quarter, clicks);
    for (const dimension of workspaceDimensions) {
      const values = groups[dimension] ?? new Map<string, number>();
      for (const [value, clicks] of day.groups[dimension] ?? []) add(values, value, clicks);
      if (values.size > 0) groups[dimension] = values;
    }
  }
  return { day: name, total: sum(days.map(({ total }) => total)), quarters, groups };
}

/**
 * A workspace's day: the clicks of its links, and those that were erased, which only the workspace's day knows.
 *
 * @param counted the day as it was counted, whose names it keeps.
 * @param erased how many clicks were erased.
 */
function withErased(links: Day, counted: Day, erased: number): Day {
  const groups: Day['groups'] = {};
  for (const dimension of workspaceDimensions) {
    const known = counted.groups[dimension];
    const named = new Map<string, number>();
    for (const [value, clicks] of links.groups[dimension] ?? []) add(named, known?.has(value) === false ? other : value, clicks);
    groups[dimension] = withRest(named, known, erased, other);
  }
  return { ...links, total: links.total + erased, quarters: withRest(links.quarters, counted.quarters, erased, 0), groups };
}

/**
 * Adds further clicks to counts: those that were counted beside them. If fewer were, the rest gets the last resort.
 */
function withRest<K>(counts: ReadonlyMap<K, number>, counted: ReadonlyMap<K, number> = new Map(), clicks: number, lastResort: K) {
  const all = new Map(counts);
  let rest = clicks;
  for (const [key, found] of counted) {
    const further = key === lastResort ? 0 : Math.min(rest, Math.max(0, found - (counts.get(key) ?? 0)));
    if (further > 0) add(all, key, further);
    rest -= further;
  }
  if (rest > 0) add(all, lastResort, rest);
  return all;
}

const add = <K>(counts: Map<K, number>, key: K, clicks: number): void => {
  counts.set(key, (counts.get(key) ?? 0) + clicks);
};
