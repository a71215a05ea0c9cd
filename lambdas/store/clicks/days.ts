import type { Click, Dimension } from '../../core/click/click.ts';
import { dayOfTime } from '../../core/click/day.ts';
import { setting } from '../../runtime/settings.ts';
import type { Item } from '../table/client.ts';
import { all, failedCondition, hasStill, isPresent } from '../table/conditions.ts';
import { number } from '../table/fields.ts';
import { dayIndex, dayKey, indexed, type SeenVisitor, toKey, workspaceDayKey, workspaceDayParts } from '../table/keys.ts';
import { updateItem } from '../table/writes.ts';
import type { Addition } from './add-uncounted.ts';
import type { Shard } from './checkpoints.ts';
import { type CountUpdate, updateExpression } from './count-update.ts';
import { epochOf, isOfEpoch } from './counts.ts';
import { countsOf, isCount } from './day-items.ts';
import type { StreamClick } from './marks.ts';

/**
 * Adds clicks to the days of links, workspaces and domains (`day-items.ts`), each click once (`add-uncounted.ts`).
 *
 * The names that a day has decide what an update adds. An update that adds names insists on the number of names that was
 * read, so that no two add more than fit. For example, with one name left:
 *
 *     F   reads the day: 11 countries
 *     G   reads the day: 11 countries
 *     F   adds c:DE, names 12, if names is still 11        done
 *     G   adds c:AT, names 12, if names is still 11        refused, and G sees the day as it is
 *     G   has no space left: adds c:other                  done
 *
 * Updates that add only to known names need no such condition, and do not get into each other's way.
 *
 * Visitors who were seen come by the same stream (`../visitors/seen.ts`), and are counted in the same update.
 *
 * Each erasure of a link's clicks begins an epoch (`../stats/erasure.ts`). Clicks of an earlier epoch than the day's
 * are added to `erased`, and visitors to `erasedUnique`; the first of a later one empties the day. The sweep of an erasure tells the counter its
 * epoch, and then empties the days that it finds. A day that is created meanwhile may escape it:
 *
 *     F      counts a click of epoch 0 in the counter, and finds no day
 *     sweep  tells the counter: epoch 1
 *     sweep  looks for days, and finds none
 *     F      creates the day, with the click
 *     F      reads the counter, because the day may be new: epoch 1, so F empties the day
 *
 * If F dies before its last step, the stream delivers the click again. Whoever gets it finds it counted in the day, and
 * takes that step.
 */

/** A click of a link, as a shard of the stream delivers it, and how many days its record is kept. */
export type DayClick = StreamClick &
  Pick<Click, 'at' | 'epoch' | 'host' | Dimension> & { readonly keptDays?: number | undefined };

/** A visitor whom a link saw for the first time on a day, as a shard of the stream delivers it. */
export type DayVisitor = StreamClick & Pick<SeenVisitor, 'day' | 'epoch' | 'visitor'> & Pick<Click, 'host'>;

/** What counts for a day. */
export type DayRecord = DayClick | DayVisitor;

/** Whether what the stream has delivered is a click. */
export const isClick = <R extends DayRecord>(record: R): record is Extract<R, DayClick> => 'at' in record;

/** Sorts clicks and visitors by the day on which they were. */
export const byDay = <R extends DayRecord>(records: readonly R[]): Map<string, R[]> =>
  Map.groupBy(records, (record) => (isClick(record) ? dayOfTime(record.at) : (record as DayVisitor).day));

/** A link, which may be deleted, and its workspace. */
export type LinkIds = { readonly linkId: string; readonly workspaceId: string };

/** A day of a link, in UTC, as in `2030-01-31`. @property host of the link's domain, if it is known */
export type LinkDay = LinkIds & { readonly day: string; readonly host?: string | undefined };

/** Clicks and visitors of a link on a day, for the link's day. @param clicks all of a batch's, at least one */
export function ofDay<C extends DayRecord & LinkIds>(day: string, clicks: readonly C[]): Addition<C> {
  const { linkId = '', workspaceId = '' } = clicks[0] ?? {};
  const host = clicks.find(({ host }) => host !== undefined)?.host;
  const fixed = fixedPart({ linkId, workspaceId, day, host });
  return {
    key: dayKey(linkId, day),
    clicks,
    updateFor: (left, item) => keeping(left, item, additionTo(item, left, fixed)),
  };
}

/**
 * Clicks and visitors of a workspace's links on a day, for the day of the workspace, or of the domain that all of them are on. It counts
 * those of all epochs, so that it needs to know no link.
 *
 * @param clicks all of a batch's, at least one.
 * @param host of the domain; undefined for the whole workspace.
 */
export function ofWorkspaceDay<C extends DayRecord & LinkIds>(
  day: string,
  { name }: Shard,
  clicks: readonly C[],
  host?: string,
): Addition<C> {
  return {
    key: workspaceDayKey(clicks[0]?.workspaceId ?? '', workspaceDayPart(name), day, host),
    clicks: clicks.map((click) => ({ ...click, epoch: 0 })),
    updateFor: (left, item) => additionTo(item, left, expiry(day)),
  };
}

/** The part of the day of a workspace or domain that counts the clicks of a shard. @param name of the shard's marks */
export const workspaceDayPart = (name: string): number => (name.codePointAt(0) ?? 0) % workspaceDayParts;

/** The update of a day that also says how long the records of its clicks are kept, if that is less than the day says. */
function keeping(records: readonly DayRecord[], day: Item, update: CountUpdate): CountUpdate {
  const never = Number.POSITIVE_INFINITY;
  const kept = Math.min(...records.filter(isClick).map(({ keptDays = never }) => keptDays), never);
  if (kept >= number(day, 'kept', never)) return update;
  return { ...update, set: { ...update.set, kept }, condition: all(update.condition, hasStill('kept', day)) };
}

/**
 * What all updates of a link's day set to the same value. A link never changes its domain.
 *
 * @param statsDays how long a day is kept, from its end.
 */
export const fixedPart = ({ linkId, workspaceId, day, host }: LinkDay, statsDays?: number): Item => ({
  ...(host !== undefined && { host }),
  ...indexed(dayIndex(workspaceId, day, linkId), linkId),
  ...expiry(day, statsDays),
});

/** A day is kept for as many days as the stage sets, from its end. */
export const expiry = (day: string, statsDays = Number(setting('STATS_DAYS'))) => ({
  ttl: Date.parse(day) / 1_000 + (1 + statsDays) * 24 * 60 * 60,
});

/**
 * The update that adds clicks and visitors to a day as it was read. The first of a new epoch replace what it counted.
 *
 * @param fixed what all updates of the day set.
 */
function additionTo(item: Item, records: readonly DayRecord[], fixed: Item): CountUpdate {
  const current = epochOf(item);
  const newest = Math.max(current, ...records.map(({ epoch }) => epoch));
  const counted = records.filter(({ epoch }) => epoch === newest);
  const clicks = counted.filter(isClick);
  const late = records.filter(({ epoch }) => epoch < newest);
  const lateClicks = late.filter(isClick).length;
  const erased = { erased: lateClicks, erasedUnique: late.length - lateClicks };
  const { counts, newNames } = countsOf(clicks, newest > current ? {} : item);
  const numbers = {
    ...counts,
    ...withoutZeros({ total: clicks.length, unique: counted.length - clicks.length, names: newNames }),
  };
  if (newest > current) return replacement(item, newest, { ...fixed, ...numbers }, erased);
  return {
    add: { ...numbers, ...withoutZeros(erased) },
    set: fixed,
    condition: all(isOfEpoch(current), ...(newNames > 0 ? [hasStill('names', item)] : [])),
  };
}

/**
 * The update that begins a new epoch of a day, if it is as it was read: what it counted is erased.
 *
 * @param set what the day has from then on.
 * @param late how many clicks and visitors of earlier epochs come with this update.
 */
function replacement(item: Item, epoch: number, set: Item, late = { erased: 0, erasedUnique: 0 }): CountUpdate {
  const sum = (...names: string[]) => names.reduce((sum, name) => sum + number(item, name, 0), 0);
  const erased = late.erased + sum('total', 'erased');
  const erasedUnique = late.erasedUnique + sum('unique', 'erasedUnique');
  const asRead = ['total', 'erased', 'unique', 'erasedUnique'].map((name) => hasStill(name, item));
  return {
    set: { ...set, epoch, erased, ...withoutZeros({ erasedUnique }) },
    remove: Object.keys(item).filter((name) => isCount(name) && !(name in set)),
    condition: all(isOfEpoch(epochOf(item)), ...asRead),
  };
}

const withoutZeros = <K extends string>(numbers: Readonly<Record<K, number>>): Partial<Record<K, number>> =>
  Object.fromEntries(Object.entries(numbers).filter(([, value]) => value !== 0)) as Partial<Record<K, number>>;

/** Empties a day of an earlier epoch, and adds its clicks to `erased`. Does nothing to other days. */
export async function emptyDay(day: Item, epoch: number): Promise<void> {
  for (let item: Item | undefined = day; item && epochOf(item) < epoch; ) {
    const { condition, ...update } = replacement(item, epoch, {});
    const failed = await failedCondition(updateItem(toKey(day), updateExpression(update), all(isPresent, condition)));
    if (!failed) return;
    item = failed.items[0];
  }
}
