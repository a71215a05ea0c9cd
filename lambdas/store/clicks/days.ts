import { type Click, type Dimension, dimensions, none, unknown } from '../../domain/click.ts';
import { type ClickGroups, type Day, dayOfTime, other, quarterOfDay, quartersOfDay } from '../../domain/day.ts';
import { setting } from '../../runtime/settings.ts';
import type { Item } from '../table/client.ts';
import { all, type Expression, failedCondition, is, isPresent, lacks } from '../table/conditions.ts';
import { maybeNumber, number, text } from '../table/fields.ts';
import { countKey, dayIndex, dayKey, dayOf, indexed, toKey, workspaceDayKey, workspaceDayParts } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { updateItem } from '../table/writes.ts';
import { epochOf, isOfEpoch } from './counts.ts';
import { markName } from './marks.ts';
import { addOnce, type Change, type PlacedClick, updateOf } from './once.ts';

/**
 * The days of a link or a workspace: how many clicks each quarter of an hour had, and each value of each dimension.
 *
 * - `total` is the number of clicks, `q0` to `q95` those of each quarter of an hour in UTC.
 * - `c:DE` and the like are those of each value of a dimension, by the dimension's letter.
 * - `names` is the number of such values. An update that adds some insists on it, so that no two add more than fit.
 * - `erased` is the number of clicks that were erased, and `epoch` how often the link's clicks were erased. The first
 *   click of a new epoch empties the day.
 *
 * Every sum is exact: quarters, and values with `other`, add up to the total. The first values of a day have names, as
 * many as fit; the clicks of later ones are `other`. So a day stays below 2.5 kB without its marks (`marks.ts`), and a
 * month is read with 11 units.
 */

/** A click as the stream brings it. */
export type DayClick = PlacedClick & Pick<Click, 'at' | 'epoch' | Dimension>;

/** The letter of each dimension, and how many bytes its named values may take in a day. Every update pays for them. */
const shapes: Readonly<Record<Dimension, { readonly letter: string; readonly bytes: number }>> = {
  country: { letter: 'c', bytes: 190 },
  referrer: { letter: 'r', bytes: 400 },
  device: { letter: 'd', bytes: 40 },
  browser: { letter: 'b', bytes: 110 },
  os: { letter: 'o', bytes: 80 },
  language: { letter: 'l', bytes: 110 },
  source: { letter: 's', bytes: 30 },
  variant: { letter: 'v', bytes: 400 },
};

const dimensionOf = new Map(dimensions.map((dimension) => [shapes[dimension].letter, dimension]));

/** The dimensions of a workspace's day. A link's day has all of them. */
export const workspaceDimensions = ['country', 'device', 'source'] as const satisfies Dimension[];

/** What a count takes besides its value: the letter, the colon, and a number of up to 8 digits. */
const bytesPerCount = 2 + 5;

/** The longest value with a name, in characters. */
const longestName = 64;

const attributeOf = (dimension: Dimension, value: string) => `${shapes[dimension].letter}:${value}`;

/** The dimension and value that an attribute counts; undefined if it counts something else. */
function namedBy(attribute: string): { readonly dimension: Dimension; readonly value: string } | undefined {
  const dimension = attribute[1] === ':' ? dimensionOf.get(attribute.charAt(0)) : undefined;
  return dimension && { dimension, value: attribute.slice(2) };
}

const quarterAt = (attribute: string): number => Number(/^q(\d{1,2})$/.exec(attribute)?.[1] ?? Number.NaN);

/** The values for which there is always room: most links have them. */
const always: ReadonlySet<string> = new Set([unknown, none, 'direct', other]);

/**
 * Adds a link's clicks from one shard to their day, each once. Clicks of earlier epochs are counted as erased. One read,
 * and one write if none of them is counted yet.
 *
 * The sweep of an erasure empties the days that it finds, after it has told the counter. So if this makes a new day,
 * which the sweep may have missed, it asks the counter again.
 *
 * @param clicks those of the link on that day: all that the shard has, from the first uncounted one or an earlier one.
 * @param epoch that the link's counter had after these clicks.
 */
export async function addToDay(
  { linkId, workspaceId, day }: { readonly linkId: string; readonly workspaceId: string; readonly day: string },
  shardId: string,
  clicks: readonly DayClick[],
  epoch: number,
): Promise<void> {
  const key = dayKey(linkId, day);
  const set = fixedPart({ linkId, workspaceId, day });
  // A write that fails costs more than a read.
  const read = await getItem(key);
  const after = await addOnce({ key, shardId, clicks, read }, (left, item) => dayChange(left, item, { dimensions, set, epoch }));
  const current = read ? epoch : Math.max(epoch, epochOf((await getItem(countKey(linkId))) ?? {}));
  if (after) await emptyDay(after, current);
}

/** What all updates of a link's day set to the same value. @param statsDays how long a day is kept, from its end */
export const fixedPart = (
  { linkId, workspaceId, day }: { readonly linkId: string; readonly workspaceId: string; readonly day: string },
  statsDays?: number,
): Item => ({ ...indexed(dayIndex(workspaceId, day, linkId), linkId), ...expiry(day, statsDays) });

/** The same for a workspace. It counts the clicks of all epochs, so that it needs to know of no link. */
export async function addToWorkspaceDay(
  { workspaceId, day }: { readonly workspaceId: string; readonly day: string },
  shardId: string,
  clicks: readonly DayClick[],
): Promise<void> {
  const key = workspaceDayKey(workspaceId, workspaceDayPart(shardId), day);
  const shape = { dimensions: workspaceDimensions, set: expiry(day), epoch: 0 };
  const ofAllEpochs = clicks.map((click) => ({ ...click, epoch: 0 }));
  await addOnce({ key, shardId, clicks: ofAllEpochs, read: await getItem(key) }, (left, item) => dayChange(left, item, shape));
}

/** The part of a workspace's day that counts the clicks of a shard. */
export const workspaceDayPart = (shardId: string): number => (markName(shardId).codePointAt(0) ?? 0) % workspaceDayParts;

/** A day is kept for as many days as the stage sets, from its end. */
const expiry = (day: string, statsDays = Number(setting('STATS_DAYS'))) => ({
  ttl: Date.parse(day) / 1_000 + (1 + statsDays) * 24 * 60 * 60,
});

type Shape = { readonly dimensions: readonly Dimension[]; readonly set: Item; readonly epoch: number };

/** What clicks add to a day that is as it was read. */
function dayChange(clicks: readonly DayClick[], item: Item = {}, { dimensions, set, epoch: known }: Shape): Change {
  const current = epochOf(item);
  const newest = Math.max(current, known, ...clicks.map(({ epoch }) => epoch));
  const counted = clicks.filter(({ epoch }) => epoch === newest);
  const erased = clicks.length - counted.length;
  const kept = newest > current ? {} : item;
  const { counts, names } = countsOf(counted, kept, dimensions);
  const added = { ...(counted.length > 0 && { total: counted.length }), ...counts };
  if (newest === current) {
    const adds = names > 0 ? is('names', number(item, 'names', 0)) : undefined;
    return {
      add: { ...added, ...(erased > 0 && { erased }), ...(names > 0 && { names }) },
      set,
      condition: all(isOfEpoch(current), ...(adds ? [item.names === undefined ? lacks('names') : adds] : [])),
    };
  }
  return emptied(item, newest, { ...set, ...added, ...(names > 0 && { names }) }, erased);
}

/** Empties a day of an earlier epoch, on the condition that it is as it was read. @param set what it has from then on */
function emptied(item: Item, epoch: number, set: Item, erased = 0): Change {
  const total = maybeNumber(item, 'total');
  const before = maybeNumber(item, 'erased');
  const same = (name: string, value: number | undefined): Expression => (value === undefined ? lacks(name) : is(name, value));
  const removed = Object.keys(item).filter(
    (name) => !(name in set) && (name === 'total' || name === 'names' || namedBy(name) || !Number.isNaN(quarterAt(name))),
  );
  return {
    set: { ...set, epoch, erased: (before ?? 0) + (total ?? 0) + erased },
    remove: removed,
    condition: all(isOfEpoch(epochOf(item)), same('total', total), same('erased', before)),
  };
}

/** Empties a day of an earlier epoch, and remembers how many clicks it had. Does nothing to others. */
export async function emptyDay(day: Item, epoch: number): Promise<void> {
  for (let item: Item | undefined = day; item && epochOf(item) < epoch; ) {
    const { condition, ...change } = emptied(item, epoch, {});
    const failed = await failedCondition(updateItem(toKey(day), updateOf(change), all(isPresent, condition)));
    if (!failed) return;
    item = failed.items[0];
  }
}

/** How many clicks each attribute gets, and how many of these are new names. */
function countsOf(clicks: readonly DayClick[], item: Item, dimensions: readonly Dimension[]) {
  const counts: Record<string, number> = {};
  const count = (attribute: string) => {
    counts[attribute] = (counts[attribute] ?? 0) + 1;
  };
  const space = spaceIn(item);
  const named = new Set<string>();
  for (const click of clicks) {
    count(`q${quarterOfDay(click.at)}`);
    for (const dimension of dimensions) {
      const value = click[dimension];
      const attribute = attributeOf(dimension, value);
      const bytes = bytesOf(value);
      const isNew = !always.has(value) && !(attribute in item) && !named.has(attribute);
      if (isNew && (value.length > longestName || bytes > space[dimension])) {
        count(attributeOf(dimension, other));
        continue;
      }
      if (isNew) {
        space[dimension] -= bytes;
        named.add(attribute);
      }
      count(attribute);
    }
  }
  return { counts, names: named.size };
}

const bytesOf = (value: string): number => Buffer.byteLength(value) + bytesPerCount;

/** How many bytes are left for further names of each dimension. */
function spaceIn(item: Item): Record<Dimension, number> {
  const space = Object.fromEntries(dimensions.map((dimension) => [dimension, shapes[dimension].bytes])) as Record<
    Dimension,
    number
  >;
  for (const attribute of Object.keys(item)) {
    const named = namedBy(attribute);
    if (named && !always.has(named.value)) space[named.dimension] -= bytesOf(named.value);
  }
  return space;
}

/** Reads a day. @param epoch of the link: a day of an earlier one is empty. */
export function toDay(item: Item, epoch = 0): Day {
  const { sk } = toKey(item);
  const isCurrent = epochOf(item) >= epoch;
  const quarters = new Map<number, number>();
  const groups: ClickGroups = {};
  for (const attribute of isCurrent ? Object.keys(item) : []) {
    const quarter = quarterAt(attribute);
    if (quarter < quartersOfDay) quarters.set(quarter, number(item, attribute));
    const named = namedBy(attribute);
    if (!named) continue;
    const values = groups[named.dimension] ?? new Map<string, number>();
    groups[named.dimension] = values.set(named.value, number(item, attribute));
  }
  return { day: dayOf(sk), total: isCurrent ? number(item, 'total', 0) : 0, quarters, groups };
}

/** What a day counts, as its attributes. */
export const attributesOf = ({ quarters, groups }: Day): Record<string, number> => ({
  ...Object.fromEntries([...quarters].map(([quarter, clicks]) => [`q${quarter}`, clicks])),
  ...Object.fromEntries(
    dimensions.flatMap((dimension) =>
      [...(groups[dimension] ?? [])].map(([value, clicks]) => [attributeOf(dimension, value), clicks]),
    ),
  ),
});

/** What a click's item says about its visitor. */
export const dimensionsOf = (item: Item): Record<Dimension, string> =>
  Object.fromEntries(dimensions.map((dimension) => [dimension, text(item, dimension, unknown)])) as Record<Dimension, string>;

/** How many clicks of a day were erased. */
export const erasedOf = (item: Item, epoch: number): number =>
  number(item, 'erased', 0) + (epochOf(item) >= epoch ? 0 : number(item, 'total', 0));

/** Sorts clicks by the day on which they were. */
export const byDay = <C extends Pick<Click, 'at'>>(clicks: readonly C[]): Map<string, C[]> =>
  Map.groupBy(clicks, ({ at }) => dayOfTime(at));
