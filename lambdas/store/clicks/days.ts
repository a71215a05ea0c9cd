import type { Click, Dimension } from '../../core/click/click.ts';
import { dayOfTime } from '../../core/click/day.ts';
import { setting } from '../../runtime/settings.ts';
import type { Item } from '../table/client.ts';
import { all, failedCondition, hasStill, isPresent } from '../table/conditions.ts';
import { number } from '../table/fields.ts';
import { dayIndex, dayKey, indexed, toKey, workspaceDayKey, workspaceDayParts } from '../table/keys.ts';
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
 * The names that a day has decide what an update adds. An update that adds names insists on the number of names that
 * was read, so that no two add more than fit. For example, with one name left:
 *
 *     F   reads the day: 11 countries
 *     G   reads the day: 11 countries
 *     F   adds c:DE, names 12, if names is still 11        done
 *     G   adds c:AT, names 12, if names is still 11        refused, and G sees the day as it is
 *     G   has no space left: adds c:other                  done
 *
 * Updates that add only to known names need no such condition, and do not get into each other's way.
 *
 * Each erasure of a link's clicks begins an epoch (`../stats/erasure.ts`). Clicks of an earlier epoch than the day's
 * are added to `erased`; the first of a later one empties the day. The sweep of an
 * erasure tells the counter its epoch, and then empties the days that it finds. A day that is created meanwhile may
 * escape it:
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

/** A click of a link, as a shard of the stream delivers it. */
export type DayClick = StreamClick & Pick<Click, 'at' | 'epoch' | 'host' | Dimension>;

/** Sorts clicks by the day on which they were. */
export const byDay = <C extends DayClick>(clicks: readonly C[]): Map<string, C[]> =>
  Map.groupBy(clicks, ({ at }) => dayOfTime(at));

/** A link, which may be deleted, and its workspace. */
export type LinkIds = { readonly linkId: string; readonly workspaceId: string };

/** A day of a link, in UTC, as in `2030-01-31`. @property host of the link's domain, if it is known */
export type LinkDay = LinkIds & { readonly day: string; readonly host?: string | undefined };

/** Clicks of a link on a day, for the link's day. @param clicks all of a batch's, at least one */
export function ofDay<C extends DayClick & LinkIds>(day: string, clicks: readonly C[]): Addition<C> {
  const { linkId = '', workspaceId = '' } = clicks[0] ?? {};
  const host = clicks.find(({ host }) => host !== undefined)?.host;
  const fixed = fixedPart({ linkId, workspaceId, day, host });
  return {
    key: dayKey(linkId, day),
    clicks,
    updateFor: (left, item) => additionTo(item, left, fixed),
  };
}

/**
 * Clicks of a workspace's links on a day, for the day of the workspace, or of the domain that all of them
 * are on. It counts those of all epochs, so that it needs to know no link.
 *
 * @param clicks all of a batch's, at least one.
 * @param host of the domain; undefined for the whole workspace.
 */
export function ofWorkspaceDay<C extends DayClick & LinkIds>(
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
const workspaceDayPart = (name: string): number => (name.codePointAt(0) ?? 0) % workspaceDayParts;

/**
 * What all updates of a link's day set to the same value. A link never changes its domain.
 *
 * @param clickDays how long a day is kept, from its end.
 */
export const fixedPart = ({ linkId, workspaceId, day, host }: LinkDay, clickDays?: number): Item => ({
  ...(host !== undefined && { host }),
  ...indexed(dayIndex(workspaceId, day, linkId), linkId),
  ...expiry(day, clickDays),
});

/** A day is kept for as many days as the stage sets, from its end. */
export const expiry = (day: string, clickDays = Number(setting('CLICK_DAYS'))) => ({
  ttl: Date.parse(day) / 1_000 + (1 + clickDays) * 24 * 60 * 60,
});

/**
 * The update that adds clicks to a day as it was read. The first of a new epoch replace what it counted.
 *
 * @param fixed what all updates of the day set.
 */
function additionTo(item: Item, clicks: readonly DayClick[], fixed: Item): CountUpdate {
  const current = epochOf(item);
  const newest = Math.max(current, ...clicks.map(({ epoch }) => epoch));
  const counted = clicks.filter(({ epoch }) => epoch === newest);
  const erased = clicks.length - counted.length;
  const { counts, newNames } = countsOf(counted, newest > current ? {} : item);
  const numbers = { ...counts, ...withoutZeros({ total: counted.length, names: newNames }) };
  if (newest > current) return replacement(item, newest, { ...fixed, ...numbers }, erased);
  return {
    add: { ...numbers, ...withoutZeros({ erased }) },
    set: fixed,
    condition: all(isOfEpoch(current), ...(newNames > 0 ? [hasStill('names', item)] : [])),
  };
}

/**
 * The update that begins a new epoch of a day, if it is as it was read: what it counted is erased.
 *
 * @param set what the day has from then on.
 * @param late how many clicks of earlier epochs come with this update.
 */
function replacement(item: Item, epoch: number, set: Item, late = 0): CountUpdate {
  const erased = late + number(item, 'total', 0) + number(item, 'erased', 0);
  return {
    set: { ...set, epoch, erased },
    remove: Object.keys(item).filter((name) => isCount(name) && !(name in set)),
    condition: all(isOfEpoch(epochOf(item)), hasStill('total', item), hasStill('erased', item)),
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
