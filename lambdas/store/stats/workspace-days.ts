import { dimensions } from '../../core/click/click.ts';
import { type Day, other } from '../../core/click/day.ts';
import { newRequestToken } from '../../core/ids.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { toDay } from '../clicks/day-items.ts';
import { expiry } from '../clicks/days.ts';
import type { Item } from '../table/client.ts';
import { failedCondition, lacks } from '../table/conditions.ts';
import { maybeText, number } from '../table/fields.ts';
import {
  dayIndexes,
  dayKey,
  dayOf,
  everythingIn,
  hostOfDay,
  type Key,
  linkOfDay,
  toKey,
  workspaceDayKey,
  workspaceDayPartitions,
  workspaceDayParts,
} from '../table/keys.ts';
import { getItems, query } from '../table/reads.ts';
import { checking, transact, updating } from '../table/writes.ts';
import {
  type Difference,
  isOpen,
  lowering,
  replacement,
  sum,
  sumsOf,
  type Verification,
  type VerifyOptions,
} from './verification.ts';

/** The days on which a workspace's links were clicked, and the hosts of those domains that have such a day. */
export async function clickedDays(workspaceId: string): Promise<Map<string, Set<string>>> {
  const days = new Map<string, Set<string>>();
  for (const pk of workspaceDayPartitions(workspaceId)) {
    for await (const item of query(everythingIn(pk))) {
      const { sk } = toKey(item);
      const hosts = days.get(dayOf(sk)) ?? new Set();
      const host = hostOfDay(sk);
      if (host !== undefined) hosts.add(host);
      days.set(dayOf(sk), hosts);
    }
  }
  return days;
}

/** A workspace, or one of its domains. */
type Scope = { readonly workspaceId: string; readonly host?: string | undefined };

/** The ids of the links of a workspace that were clicked on a day, also of deleted ones. */
export async function linksOfDay(workspaceId: string, day: string): Promise<string[]> {
  const pages = dayIndexes(workspaceId, day).map((gsi1pk) => Array.fromAsync(query({ gsi1pk, of: 'Activity' })));
  return (await Promise.all(pages)).flat().map((item) => linkOfDay(toKey(item)).linkId);
}

/**
 * Compares a day of a workspace and of its domains with the days of its links, after these have been compared.
 *
 * @param hosts of domains that have such a day.
 */
export async function verifyWorkspaceDay(
  workspaceId: string,
  day: string,
  hosts: Iterable<string>,
  options: VerifyOptions,
): Promise<Verification> {
  if (isOpen(day, options)) return { days: 0, open: 1, differences: [] };
  // These days come first. What is counted after that, their links may have, and a repair is refused.
  const scopes: Scope[] = [{ workspaceId }, ...[...hosts].map((host) => ({ workspaceId, host }))];
  const known = await inParallel(scopes, concurrency, async (scope) => ({
    scope,
    items: await getItems(partsOfDay(scope, day)),
  }));
  const ids = await linksOfDay(workspaceId, day);
  const links = (await getItems(ids.map((id) => dayKey(id, day)))).filter((item) => item !== undefined);
  // The days of an earlier release say no host.
  const ofHosts = Map.groupBy(links, (item) => maybeText(item, 'host') ?? '');
  const others = [...new Set(ofHosts.keys()).difference(new Set(['', ...hosts]))];
  const all = [...known, ...others.map((host) => ({ scope: { workspaceId, host }, items: [] }))];
  const differences = await inParallel(all, concurrency, ({ scope, items }) =>
    verifySum(scope, day, items, scope.host === undefined ? links : (ofHosts.get(scope.host) ?? []), options),
  );
  return { days: 1, open: 0, differences: differences.flat() };
}

const partsOfDay = ({ workspaceId, host }: Scope, day: string): Key[] =>
  Array.from({ length: workspaceDayParts }, (_, part) => workspaceDayKey(workspaceId, part, day, host));

/** How many domains to compare at a time. */
const concurrency = 4;

/**
 * Compares a day of a workspace or a domain with the sum of the same day of its links.
 *
 * @param items its parts, as they were read; undefined for those that were not found.
 * @param links the days of its links, as they were read after that.
 */
async function verifySum(
  scope: Scope,
  day: string,
  items: readonly (Item | undefined)[],
  links: readonly Item[],
  options: VerifyOptions,
): Promise<Difference[]> {
  const parts = partsOfDay(scope, day).map((key, index) => ({ key, item: items[index] }));
  const counted = parts.map(({ key, item = key }) => toDay(item));
  const erased = sum(links.map((item) => number(item, 'erased', 0)));
  const ofLinks = links.map((item) => toDay(item));
  const whole = withErased(summed(day, ofLinks), summed(day, counted), erased);
  const totals = [{ what: 'links', found: sum(counted.map(({ total }) => total)), expected: whole.total }];
  const pairs = [...counted.flatMap((part) => sumsOf(part)), ...totals];
  const differing = pairs.filter(({ found, expected }) => found !== expected);
  if (differing.length === 0) return [];
  const { mayRepair, mark } = lowering(totals, options);
  const repaired = mayRepair && (await replaceDay(parts, whole, options));
  return differing.map((pair) => ({ ...scope, day, ...pair, repaired, ...mark }));
}

/** A part of a day. @property item as it was read; undefined if there is none */
type Part = { readonly key: Key; readonly item: Item | undefined };

/** Replaces the parts of a day of a workspace or a domain, if they are as they were read. The first part gets everything. */
async function replaceDay(parts: readonly Part[], whole: Day, { clickDays }: VerifyOptions): Promise<boolean> {
  const writes = parts.map(({ key, item }, index) => {
    if (index === 0) {
      // A repair by an earlier release kept the erased clicks there.
      const change = { set: expiry(whole.day, clickDays), remove: ['erased'] };
      return updating(key, ...replacement(key, item, whole, change));
    }
    return item ? updating(key, ...replacement(key, item, toDay(key), {})) : checking(key, lacks('total'));
  });
  return !(await failedCondition(transact(writes, newRequestToken())));
}

/** The sum of several days. */
function summed(name: string, days: readonly Day[]): Day {
  const quarters = new Map<number, number>();
  const groups: Day['groups'] = {};
  for (const day of days) {
    for (const [quarter, clicks] of day.quarters) add(quarters, quarter, clicks);
    for (const dimension of dimensions) {
      const values = groups[dimension] ?? new Map<string, number>();
      for (const [value, clicks] of day.groups[dimension] ?? []) add(values, value, clicks);
      if (values.size > 0) groups[dimension] = values;
    }
  }
  return { day: name, total: sum(days.map(({ total }) => total)), quarters, groups };
}

/**
 * A day of a workspace or a domain: the clicks of its links, and those that were erased, which only that day knows.
 *
 * @param counted the day as it was counted, whose names it keeps.
 * @param erased how many clicks were erased.
 */
function withErased(links: Day, counted: Day, erased: number): Day {
  const groups: Day['groups'] = {};
  for (const dimension of dimensions) {
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
