import { type Day, dayMs, dayOfTime } from '../../core/click/day.ts';
import type { Link } from '../../core/link/link.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { recordedDimensions } from '../clicks/clicks.ts';
import { updateExpression } from '../clicks/count-update.ts';
import { epochOf, toClickCount } from '../clicks/counts.ts';
import { attributesOf, countsOf, erasedOf, toDay } from '../clicks/day-items.ts';
import { emptyDay, fixedPart, type LinkDay, type LinkIds } from '../clicks/days.ts';
import { findLink } from '../links/links.ts';
import { listLinks } from '../links/list.ts';
import type { Item } from '../table/client.ts';
import { all, failedCondition, hasStill, ifConditionFails, lacks } from '../table/conditions.ts';
import { maybeText, number, text } from '../table/fields.ts';
import {
  anyTime,
  clickAt,
  clicksOf,
  countKey,
  dayKey,
  dayOf,
  domainChecksIndex,
  domainKey,
  type Key,
  linkOfDay,
  toKey,
} from '../table/keys.ts';
import { getItem, getItems, query } from '../table/reads.ts';
import { updateItem } from '../table/writes.ts';
import { eraseClicks } from './erasure.ts';
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
import { clickedDays, linksOfDay, verifyWorkspaceDay } from './workspace-days.ts';

/**
 * Verifies that statistics agree, bottom up:
 *
 * 1. The epoch of a link: its clicks, days and counter have none that the link has not.
 * 2. A day of a link: its quarters of an hour, each of its dimensions, and the clicks that are still recorded add up to
 *    its total.
 * 3. A link: its days add up to its `clickCount`.
 * 4. A day of a workspace, and of each of its domains: its parts add up to the same day of all its links, also of
 *    deleted ones, with the clicks that were erased.
 *
 * A repair must not make a right number wrong, whatever happens meanwhile:
 *
 * - The counter is read before the days, the days before the records, and the link at last. So a click that the counter
 *   has, and its day not yet, is among the records; and the link knows every epoch that was read before.
 * - Each repair is a write on the condition that the item is as it was read. For example, a day has `total` 7, and
 *   eight clicks are recorded:
 *
 *       V   reads the day: 7; reads the records: 8
 *       F   counts a late click of that day: total 8
 *       V   sets total 8, if it is still 7: refused, so V reports the difference as not repaired
 *
 *   That is why a day is compared only once no click can be late any more.
 * - Nothing is compared with a day that is in doubt, because it differs and is not repaired.
 * - A total that is too high is lowered only if the operator says so. What it is compared with may have expired.
 */

/** Whether all clicks of the day are still recorded. */
const hasClicks = (day: string, { now, recordDays }: VerifyOptions): boolean => Date.parse(day) + recordDays * dayMs > now;

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
  const linkIds = new Set<string>();
  for await (const { id } of allLinks(workspaceId)) linkIds.add(id);
  const days = await clickedDays(workspaceId);
  for (const day of days.keys()) for (const id of await linksOfDay(workspaceId, day)) linkIds.add(id);
  const inDoubt = new Set<string>();
  const ofLinks = await inParallel([...linkIds], concurrency, async (linkId) => {
    const verified = await verifyLinkAndDays({ linkId, workspaceId }, options);
    for (const day of verified.days) if (!days.has(day)) days.set(day, new Set());
    for (const day of verified.inDoubt) inDoubt.add(day);
    return verified.verification;
  });
  const sure = [...days].filter(([day]) => !inDoubt.has(day)).sort(([a], [b]) => (a < b ? -1 : 1));
  const own = await inParallel(sure, concurrency, ([day, hosts]) => verifyWorkspaceDay(workspaceId, day, hosts, options));
  return merged([...ofLinks, ...own]);
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

/** Compares the statistics of a link. */
export const verifyLink = async (ids: LinkIds, options: VerifyOptions): Promise<Verification> =>
  (await verifyLinkAndDays(ids, options)).verification;

/**
 * Compares the statistics of a link, and returns also the days on which it was clicked, and which of them are in doubt.
 */
async function verifyLinkAndDays(
  { linkId, workspaceId }: LinkIds,
  options: VerifyOptions,
): Promise<{ readonly verification: Verification; readonly days: readonly string[]; readonly inDoubt: readonly string[] }> {
  const counter = await getItem(countKey(linkId));
  const items = await Array.fromAsync(query({ pk: countKey(linkId).pk, skPrefix: 'DAY#' }));
  const found = new Map(items.map((item) => [dayOf(toKey(item).sk), item]));
  const recorded = await recordedClicks(linkId, found, Math.max(...[counter ?? {}, ...items].map(epochOf)));
  const link = await findLink(workspaceId, linkId);

  const epoch = Math.max(recorded.epoch, link?.clickEpoch ?? 0);
  const counted = epoch === recorded.epoch ? recorded.days : new Map<string, Item>();
  const differences = link && link.clickEpoch < epoch ? [await verifyEpoch(link, epoch, options)] : [];
  const days = [...new Set([...found.keys(), ...counted.keys()])].sort();
  const inDoubt: string[] = [];
  let [total, open] = [0, 0];
  for (const day of days) {
    const item = found.get(day);
    if (isOpen(day, options)) open++;
    else {
      const host = link?.domain ?? maybeText(item ?? {}, 'host');
      const verified = await verifyDay({ linkId, workspaceId, day, host }, item, counted.get(day), epoch, options);
      differences.push(...verified.differences);
      if (verified.differences.some(({ repaired }) => !repaired)) inDoubt.push(day);
      total += verified.total;
    }
  }
  const isWhole = link !== undefined && Date.parse(link.createdAt) > options.now - options.clickDays * dayMs;
  if (isWhole && open + inDoubt.length === 0) differences.push(...(await verifyCount(link, counter, epoch, total, options)));
  return { verification: { days: days.length - open, open, differences }, days, inDoubt };
}

/**
 * Raises a link's epoch to that of its clicks. It is earlier only if the tables are copies from different moments, and
 * the clicks were erased in between. Then no visit counts, because its click has the link's epoch. So the erasure is
 * repeated.
 */
async function verifyEpoch(link: Link, epoch: number, { repair }: VerifyOptions): Promise<Difference> {
  const { id: linkId, workspaceId, clickEpoch: found } = link;
  if (repair) await eraseClicks(link, epoch);
  return { linkId, workspaceId, what: 'epoch', found, expected: epoch, repaired: repair };
}

/** Compares a link's days with its counter. @param counter as it was read before the days */
async function verifyCount(
  { id: linkId, workspaceId }: Link,
  counter: Item | undefined,
  epoch: number,
  expected: number,
  options: VerifyOptions,
): Promise<Difference[]> {
  const found = toClickCount(counter, { clickEpoch: epoch });
  if (found === expected) return [];
  const { mayRepair, mark } = lowering([{ found, expected }], options);
  const isAsRead = all(lacks('ttl'), hasStill('count', counter ?? {}), hasStill('epoch', counter ?? {}));
  // Nobody may learn any more when a click of an earlier epoch was made.
  const remove = counter && epochOf(counter) < epoch ? ['lastAt'] : [];
  const write = () => updateItem(countKey(linkId), updateExpression({ set: { count: expected, epoch }, remove }), isAsRead);
  const repaired = mayRepair && !(await failedCondition(write()));
  return [{ linkId, workspaceId, what: 'clickCount', found, expected, repaired, ...mark }];
}

/** What the recorded clicks of a link say: their newest epoch, and the days as they should count the clicks of it. */
type Recorded = { readonly epoch: number; readonly days: ReadonlyMap<string, Item> };

/**
 * Adds up the recorded clicks of a link. However many there are, only a page of them is in memory.
 *
 * @param found the link's days, by whose names the clicks are grouped.
 * @param known an epoch that the link has had. Clicks of earlier ones are erased.
 */
async function recordedClicks(linkId: string, found: ReadonlyMap<string, Item>, known: number): Promise<Recorded> {
  let epoch = known;
  const days = new Map<string, Item>();
  for (const pk of clicksOf(linkId)) {
    for await (const click of query({ pk, between: anyTime })) {
      if (epochOf(click) < epoch) continue;
      if (epochOf(click) > epoch) days.clear();
      epoch = epochOf(click);
      const { at } = clickAt(toKey(click).sk);
      const name = dayOfTime(at);
      const day = days.get(name) ?? uncounted(found.get(name) ?? dayKey(linkId, name), epoch);
      const { counts } = countsOf([{ at, ...recordedDimensions(click) }], day);
      for (const [attribute, clicks] of Object.entries({ ...counts, total: 1 })) {
        day[attribute] = number(day, attribute, 0) + clicks;
      }
      days.set(name, day);
    }
  }
  return { epoch, days };
}

/** A day with the names of another, which counts no click yet. */
const uncounted = (day: Item, epoch: number): Item => ({
  ...toKey(day),
  ...Object.fromEntries(Object.keys(attributesOf(toDay(day, epoch))).map((name) => [name, 0])),
});

const withoutZeros = (item: Item): Item => Object.fromEntries(Object.entries(item).filter(([, value]) => value !== 0));

/**
 * Compares a day of a link, and returns also how many clicks it has.
 *
 * @param item as it was read; undefined if there is none.
 * @param recorded the day as the recorded clicks count it.
 */
async function verifyDay(
  linkDay: LinkDay,
  item: Item | undefined,
  recorded: Item | undefined,
  epoch: number,
  options: VerifyOptions,
): Promise<{ readonly total: number; readonly differences: readonly Difference[] }> {
  const { linkId, workspaceId, day: name } = linkDay;
  const key = dayKey(linkId, name);
  const day = toDay(item ?? key, epoch);
  const counted = hasClicks(name, options) ? toDay(withoutZeros(recorded ?? key)) : undefined;
  const pairs = [...sumsOf(day), ...(counted ? differencesBetween(day, counted) : [])];
  const differing = pairs.filter(({ found, expected }) => found !== expected);
  const { total } = counted ?? day;
  if (differing.length === 0) return { total, differences: [] };
  const { mayRepair, mark } = lowering([{ found: day.total, expected: total }], options);
  const set = { ...fixedPart(linkDay, options.clickDays), ...(epoch > 0 && { epoch, erased: erasedOf(item ?? {}, epoch) }) };
  // Without the records of its clicks, nothing can be repaired.
  const repaired = mayRepair && counted !== undefined && (await replaceDay(key, item, counted, set));
  return { total, differences: differing.map((pair) => ({ linkId, workspaceId, day: name, ...pair, repaired, ...mark })) };
}

/** How a day differs from the recorded clicks: in its total, or else in the first number that differs. */
function differencesBetween(day: Day, expected: Day) {
  if (day.total !== expected.total) return [{ what: 'clicks', found: day.total, expected: expected.total }];
  const [found, wanted] = [day, expected].map((some) => new Map(Object.entries(attributesOf(some))));
  const names = new Set([...(found?.keys() ?? []), ...(wanted?.keys() ?? [])]);
  return [...names].map((name) => ({ what: name, found: found?.get(name) ?? 0, expected: wanted?.get(name) ?? 0 }));
}

/** Replaces what a day counts, if it is as it was read. */
async function replaceDay(key: Key, item: Item | undefined, day: Day, set: Item): Promise<boolean> {
  const replaced = await ifConditionFails(updateItem(key, ...replacement(key, item, day, { set })), () => undefined);
  // The sweep of an erasure may have missed a new day, as in `../clicks/days.ts`.
  if (replaced && !item) await emptyDay(replaced, epochOf((await getItem(countKey(linkOfDay(key).linkId))) ?? {}));
  return replaced !== undefined;
}
