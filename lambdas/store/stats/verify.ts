import { type Dimension, dimensions } from '../../core/click/click.ts';
import { type Day, dayMs, dayOfTime, other, quarterOfDay } from '../../core/click/day.ts';
import { newRequestToken } from '../../core/ids.ts';
import type { Link } from '../../core/link/link.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { recordedDimensions } from '../clicks/clicks.ts';
import { updateExpression } from '../clicks/count-update.ts';
import { epochOf, toClickCount } from '../clicks/counts.ts';
import { attributesOf, erasedOf, toDay, workspaceDimensions } from '../clicks/day-items.ts';
import { fixedPart, type LinkDay } from '../clicks/days.ts';
import { listLinks } from '../links/list.ts';
import type { Item } from '../table/client.ts';
import { all, type Expression, failedCondition, is, lacks } from '../table/conditions.ts';
import { maybeNumber, number, text } from '../table/fields.ts';
import {
  anyTime,
  clicksOf,
  countKey,
  dayIndexes,
  dayKey,
  dayOf,
  domainChecksIndex,
  domainKey,
  type Key,
  linkOfDay,
  toKey,
  workspaceDayKey,
  workspaceDayParts,
} from '../table/keys.ts';
import { getItem, getItems, query } from '../table/reads.ts';
import { transact, updateItem, updating } from '../table/writes.ts';

/**
 * Verifies that statistics agree, bottom up:
 *
 * 1. A day of a link: its quarters of an hour, each of its dimensions, and the clicks that are still recorded add up to
 *    its total.
 * 2. A link: its days add up to its `clickCount`.
 * 3. A day of a workspace: its parts add up to the same day of all links, also of deleted ones.
 *
 * Each repair is a write on the condition that the item is as it was read. For example, a day has `total` 7, and eight
 * clicks are recorded:
 *
 *     V   reads the day: 7; reads the records: 8
 *     F   counts a late click of that day: total 8
 *     V   sets total 8, if it is still 7: refused, so V reports the difference as not repaired
 *
 * That is why a day is compared only once no click can be late any more.
 */

/** Two numbers that should be equal. */
export type Difference = {
  readonly linkId?: string;
  readonly workspaceId?: string;
  readonly day?: string;
  /** What was compared: `quarters`, a dimension, `clicks`, `clickCount` or `links`. */
  readonly what: string;
  readonly found: number;
  readonly expected: number;
  readonly repaired: boolean;
};

export type Verification = {
  readonly days: number;
  /** How many days may still change, and were not compared. */
  readonly open: number;
  readonly differences: readonly Difference[];
};

export type VerifyOptions = {
  /** Milliseconds since 1970. */
  readonly now: number;
  /** Whether days that ended less than 26 hours ago are compared, too. */
  readonly settled: boolean;
  readonly repair: boolean;
  /** How many days the stage keeps clicks, and days. */
  readonly clickDays: number;
  readonly statsDays: number;
};

/** A click may be counted this long after it was recorded, in milliseconds: the stream keeps it for 24 hours. */
const countedWithinMs = 26 * 60 * 60_000;

/** Whether the day may still change. */
const isOpen = (day: string, { now, settled }: VerifyOptions): boolean =>
  !settled && Date.parse(day) + dayMs + countedWithinMs > now;

/** Whether all clicks of the day are still recorded. */
const hasClicks = (day: string, { now, clickDays }: VerifyOptions): boolean => Date.parse(day) + clickDays * dayMs > now;

/** Compares the statistics of all workspaces that have a domain. */
export async function verifyAll(options: VerifyOptions): Promise<Verification> {
  const hosts = (await Array.fromAsync(query({ gsi1pk: domainChecksIndex }))).map(({ gsi1sk }) => String(gsi1sk));
  const domains = (await getItems(hosts.map(domainKey))).filter((item) => item !== undefined);
  const ids = [...new Set(domains.map((item) => text(item, 'workspaceId')))].sort();
  const all: Verification[] = [];
  for (const id of ids) all.push(await verifyWorkspace(id, options));
  return merged(all);
}

/** Compares the statistics of a workspace: of all its links, also of deleted ones, and then its own. */
export async function verifyWorkspace(workspaceId: string, options: VerifyOptions): Promise<Verification> {
  const links = new Map<string, Link | undefined>();
  for await (const link of allLinks(workspaceId)) links.set(link.id, link);
  const days = await workspaceDays(workspaceId);
  for (const day of days.keys()) {
    for (const id of await linksOfDay(workspaceId, day)) if (!links.has(id)) links.set(id, undefined);
  }
  const ofLinks = await inParallel([...links], concurrency, ([linkId, link]) =>
    verifyLinkAndDays({ linkId, workspaceId }, link, options),
  );
  const names = [...new Set([...days.keys(), ...ofLinks.flatMap((verified) => verified.names)])].sort();
  const own = await inParallel(names, concurrency, (day) => verifyWorkspaceDay(workspaceId, day, days.get(day) ?? [], options));
  return merged([...ofLinks.map(({ verification }) => verification), ...own]);
}

/** How many links or days to compare at a time. */
const concurrency = 4;

async function* allLinks(workspaceId: string): AsyncGenerator<Link> {
  let before: string | undefined;
  do {
    const { links, next } = await listLinks(workspaceId, {}, { limit: 100, after: before });
    for (const { link } of links) yield link;
    before = next;
  } while (before !== undefined);
}

const merged = (verifications: readonly Verification[]): Verification => ({
  days: sum(verifications.map(({ days }) => days)),
  open: sum(verifications.map(({ open }) => open)),
  differences: verifications.flatMap(({ differences }) => differences),
});

/** Compares the statistics of a link. @param link undefined if it was deleted */
export async function verifyLink(
  { linkId, workspaceId }: { readonly linkId: string; readonly workspaceId: string },
  link: Link | undefined,
  options: VerifyOptions,
): Promise<Verification> {
  return (await verifyLinkAndDays({ linkId, workspaceId }, link, options)).verification;
}

/** Compares the statistics of a link, and returns also the days on which it was clicked. */
async function verifyLinkAndDays(
  { linkId, workspaceId }: { readonly linkId: string; readonly workspaceId: string },
  link: Link | undefined,
  options: VerifyOptions,
): Promise<{ readonly verification: Verification; readonly names: readonly string[] }> {
  const items = await Array.fromAsync(query({ pk: countKey(linkId).pk, skPrefix: 'DAY#' }));
  const recorded = await recordedClicks(linkId);
  const found = new Map(items.map((item) => [dayOf(toKey(item).sk), item]));
  const names = [...new Set([...found.keys(), ...[...recorded.keys()].filter((day) => hasClicks(day, options))])].sort();
  const epoch = link?.clickEpoch ?? 0;
  const differences: Difference[] = [];
  let total = 0;
  let open = 0;
  for (const name of names) {
    const day = { linkId, workspaceId, day: name };
    if (isOpen(name, options)) open++;
    else differences.push(...(await verifyDay(day, found.get(name), recorded.get(name), epoch, options)));
    const after = (await getItem(dayKey(linkId, name))) ?? {};
    total += epochOf(after) >= epoch ? number(after, 'total', 0) : 0;
  }
  const isWhole = link !== undefined && Date.parse(link.createdAt) > options.now - options.statsDays * dayMs;
  if (isWhole && open === 0) differences.push(...(await verifyCount(link, total, options)));
  return { verification: { days: names.length - open, open, differences }, names };
}

/** Compares a link's days with its counter. */
async function verifyCount(link: Link, total: number, { repair }: VerifyOptions): Promise<Difference[]> {
  const counter = await getItem(countKey(link.id));
  const found = toClickCount(counter, link);
  if (found === total) return [];
  const same = counter?.count === undefined ? lacks('count') : is('count', counter.count);
  const update = { text: 'SET #count = :total, #epoch = :epoch', values: { ':total': total, ':epoch': link.clickEpoch } };
  const write = () => updateItem(countKey(link.id), update, all(lacks('ttl'), same));
  const repaired = repair && !(await failedCondition(write()));
  return [{ linkId: link.id, workspaceId: link.workspaceId, what: 'clickCount', found, expected: total, repaired }];
}

/** The recorded clicks of a link on a day, by their epochs. */
type Recorded = Map<number, Item[]>;

/** The recorded clicks of a link, by day. */
async function recordedClicks(linkId: string): Promise<Map<string, Recorded>> {
  const byDay = new Map<string, Recorded>();
  for (const pk of clicksOf(linkId)) {
    for await (const item of query({ pk, between: anyTime })) {
      const day = dayOfTime(toKey(item).sk);
      const byEpoch: Recorded = byDay.get(day) ?? new Map();
      byDay.set(day, byEpoch);
      const some = byEpoch.get(epochOf(item)) ?? [];
      some.push(item);
      byEpoch.set(epochOf(item), some);
    }
  }
  return byDay;
}

/** Compares a day of a link. @param item the day as it was read; undefined if there is none */
async function verifyDay(
  linkDay: LinkDay,
  item: Item | undefined,
  recorded: Recorded | undefined,
  linkEpoch: number,
  options: VerifyOptions,
): Promise<Difference[]> {
  const { linkId, workspaceId, day: name } = linkDay;
  const epoch = Math.max(linkEpoch, epochOf(item ?? {}));
  const day = toDay(item ?? dayKey(linkId, name), epoch);
  const clicks = recorded?.get(epoch) ?? [];
  const expected = hasClicks(name, options) ? countsOfClicks(clicks, day, dimensions) : undefined;
  const pairs = [...sumsOf(day, dimensions), ...(expected ? differencesBetween(day, expected) : [])];
  const differing = pairs.filter(({ found, expected }) => found !== expected);
  if (differing.length === 0) return [];
  const set = { ...fixedPart(linkDay, options.statsDays), ...(epoch > 0 && { epoch, erased: erasedOf(item ?? {}, epoch) }) };
  const repaired = options.repair && expected !== undefined && (await replaceDay(dayKey(linkId, name), item, expected, set));
  return differing.map((pair) => ({ linkId, workspaceId, day: name, ...pair, repaired }));
}

/** The sums of a day, which should all be its total. */
const sumsOf = ({ total, quarters, groups }: Day, dimensions: readonly Dimension[]) => [
  { what: 'quarters', found: sum(quarters.values()), expected: total },
  ...dimensions.map((dimension) => ({
    what: dimension as string,
    found: sum(groups[dimension]?.values() ?? []),
    expected: total,
  })),
];

/** How a day differs from the recorded clicks: in its total, or else in the first number that differs. */
function differencesBetween(day: Day, expected: Day) {
  if (day.total !== expected.total) return [{ what: 'clicks', found: day.total, expected: expected.total }];
  const [found, wanted] = [day, expected].map((some) => new Map(Object.entries(attributesOf(some))));
  const names = new Set([...(found?.keys() ?? []), ...(wanted?.keys() ?? [])]);
  return [...names].map((name) => ({ what: name, found: found?.get(name) ?? 0, expected: wanted?.get(name) ?? 0 }));
}

/** What a day should say about recorded clicks. Values that it has no name for are `other`. */
function countsOfClicks(clicks: readonly Item[], { day, groups }: Day, wanted: readonly Dimension[]): Day {
  const quarters = new Map<number, number>();
  const counted: Day['groups'] = {};
  for (const click of clicks) {
    const quarter = quarterOfDay(toKey(click).sk);
    quarters.set(quarter, (quarters.get(quarter) ?? 0) + 1);
    const values = recordedDimensions(click);
    for (const dimension of wanted) {
      const named = groups[dimension];
      const value = named && !named.has(values[dimension]) ? other : values[dimension];
      const sums = counted[dimension] ?? new Map<string, number>();
      counted[dimension] = sums.set(value, (sums.get(value) ?? 0) + 1);
    }
  }
  return { day, total: clicks.length, quarters, groups: counted };
}

/** Replaces what a day counts, if it is as it was read. */
const replaceDay = async (key: Key, item: Item | undefined, day: Day, set: Item): Promise<boolean> =>
  !(await failedCondition(updateItem(key, ...replacement(key, item, day, set))));

/**
 * The update that replaces what a day counts, and its condition: the day is as it was read. The day keeps its
 * checkpoints.
 */
function replacement(key: Key, item: Item | undefined, day: Day, set: Item): [update: Expression, condition: Expression] {
  const counts = attributesOf(day);
  const old = Object.keys(attributesOf(toDay(item ?? key)));
  const isAsRead = ['total', 'erased', 'epoch', 'names'].map((name) => {
    const value = maybeNumber(item ?? {}, name);
    return value === undefined ? lacks(name) : is(name, value);
  });
  const update = updateExpression({
    set: { ...set, ...counts, total: day.total, names: namesIn(day) },
    remove: old.filter((name) => !(name in counts)),
  });
  return [update, all(...isAsRead)];
}

const namesIn = ({ groups }: Day): number =>
  sum(Object.values(groups).map((values) => [...values.keys()].filter((value) => value !== other).length));

/** The parts of each day of a workspace. */
async function workspaceDays(workspaceId: string): Promise<Map<string, Item[]>> {
  const days = new Map<string, Item[]>();
  for (let part = 0; part < workspaceDayParts; part++) {
    const { pk } = workspaceDayKey(workspaceId, part, '');
    for await (const item of query({ pk, skPrefix: 'DAY#' })) {
      const day = dayOf(toKey(item).sk);
      days.set(day, [...(days.get(day) ?? []), item]);
    }
  }
  return days;
}

/** The ids of the links of a workspace that were clicked on a day, also of deleted ones. */
async function linksOfDay(workspaceId: string, day: string): Promise<string[]> {
  const pages = dayIndexes(workspaceId, day).map((gsi1pk) => Array.fromAsync(query({ gsi1pk, of: 'Activity' })));
  return (await Promise.all(pages)).flat().map((item) => linkOfDay(toKey(item)).linkId);
}

/** Compares a workspace's day with the days of its links, after these have been compared. */
async function verifyWorkspaceDay(
  workspaceId: string,
  day: string,
  parts: readonly Item[],
  options: VerifyOptions,
): Promise<Verification> {
  if (isOpen(day, options)) return { days: 0, open: 1, differences: [] };
  const ids = await linksOfDay(workspaceId, day);
  const links = (await getItems(ids.map((id) => dayKey(id, day)))).filter((item) => item !== undefined);
  const clicked = (item: Item) => number(item, 'total', 0) + number(item, 'erased', 0);
  const pairs = [
    ...parts.map((item) => toDay(item)).flatMap((part) => sumsOf(part, workspaceDimensions)),
    { what: 'links', found: sum(parts.map(clicked)), expected: sum(links.map(clicked)) },
  ];
  const differing = pairs.filter(({ found, expected }) => found !== expected);
  const repaired = differing.length > 0 && options.repair && (await replaceWorkspaceDay({ workspaceId, day }, parts, links));
  return { days: 1, open: 0, differences: differing.map((pair) => ({ workspaceId, day, ...pair, repaired })) };
}

/**
 * Replaces the parts of a workspace's day by what the days of its links say, if they are as they were read. The first
 * part gets everything, with the names that it has.
 */
async function replaceWorkspaceDay(
  { workspaceId, day }: { readonly workspaceId: string; readonly day: string },
  parts: readonly Item[],
  links: readonly Item[],
): Promise<boolean> {
  const first = workspaceDayKey(workspaceId, 0, day);
  const known = toDay(parts.find((item) => item.pk === first.pk) ?? first);
  const whole = summed(
    links.map((item) => toDay(item)),
    known,
  );
  const erased = sum(links.map((item) => number(item, 'erased', 0)));
  const writes = [first, ...parts.map(toKey).filter(({ pk }) => pk !== first.pk)].map((key) => {
    const item = parts.find(({ pk }) => pk === key.pk);
    const isFirst = key.pk === first.pk;
    return updating(key, ...replacement(key, item, isFirst ? whole : toDay(key), isFirst ? { erased } : {}));
  });
  return !(await failedCondition(transact(writes, newRequestToken())));
}

/** The sum of several days, with the names that a day has. */
function summed(days: readonly Day[], known: Day): Day {
  const quarters = new Map<number, number>();
  const groups: Day['groups'] = {};
  for (const day of days) {
    for (const [quarter, count] of day.quarters) quarters.set(quarter, (quarters.get(quarter) ?? 0) + count);
    for (const dimension of workspaceDimensions) {
      const sums = groups[dimension] ?? new Map<string, number>();
      groups[dimension] = sums;
      for (const [value, count] of day.groups[dimension] ?? []) {
        const name = known.groups[dimension]?.has(value) ? value : other;
        sums.set(name, (sums.get(name) ?? 0) + count);
      }
    }
  }
  return { day: known.day, total: sum(days.map(({ total }) => total)), quarters, groups };
}

const sum = (some: Iterable<number>): number => [...some].reduce((total, one) => total + one, 0);
