import { type Click, type Dimension, dimensions } from '../../core/click/click.ts';
import { dayOfTime } from '../../core/click/day.ts';
import { setting } from '../../runtime/settings.ts';
import type { Item } from '../table/client.ts';
import { all, type Expression, failedCondition, is, isPresent, lacks } from '../table/conditions.ts';
import { maybeNumber, number } from '../table/fields.ts';
import { countKey, dayIndex, dayKey, indexed, toKey, workspaceDayKey, workspaceDayParts } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { updateItem } from '../table/writes.ts';
import { addUncounted, type StreamClick } from './add-uncounted.ts';
import { checkpointName } from './checkpoints.ts';
import { type CountUpdate, updateExpression } from './count-update.ts';
import { epochOf, isOfEpoch } from './counts.ts';
import { countsOf, isCount, workspaceDimensions } from './day-items.ts';

/**
 * Adds clicks to the days of links and workspaces (`day-items.ts`), each click once (`add-uncounted.ts`).
 *
 * A day is read before it is updated, because the names that it has decide what the update adds. An update that adds
 * names insists on the number of names that it read, so that no two add more than fit. For example, with one name left:
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
 * are added to `erased`; the first click of a later one empties the day. The sweep of an erasure tells the counter its
 * epoch, and then empties the days that it finds. A day that is created meanwhile may escape it:
 *
 *     F      counts a click of epoch 0 in the counter, and finds no day
 *     sweep  tells the counter: epoch 1
 *     sweep  looks for days, and finds none
 *     F      creates the day, with the click
 *     F      reads the counter again, because the day is new: epoch 1, so F empties the day
 *
 * If F dies before its last step, the stream delivers the click again. Then the click is counted, and the day is there,
 * so the next reader empties it by the epoch that the counter has by then.
 */

/** A click of a link, as a shard of the stream delivers it, and how many days its record is kept. */
export type DayClick = StreamClick & Pick<Click, 'at' | 'epoch' | Dimension> & { readonly keptDays?: number | undefined };

/** Sorts clicks by the day on which they were. */
export const byDay = <C extends Pick<Click, 'at'>>(clicks: readonly C[]): Map<string, C[]> =>
  Map.groupBy(clicks, ({ at }) => dayOfTime(at));

/** A day of a link, in UTC, as in `2030-01-31`. */
export type LinkDay = { readonly linkId: string; readonly workspaceId: string; readonly day: string };

/**
 * Adds a link's clicks from one shard to their day, each once. One read, and one write if none of them is counted yet;
 * one more read if the day is new.
 *
 * @param clicks those of the link on that day: all that the shard has, from the first uncounted one or an earlier one.
 * @param epoch that the link's counter had after these clicks.
 */
export async function addToDay(linkDay: LinkDay, shardId: string, clicks: readonly DayClick[], epoch: number): Promise<void> {
  const { linkId, day } = linkDay;
  const key = dayKey(linkId, day);
  // A write that fails costs more than a read.
  const read = await getItem(key);
  const shape = { dimensions, fixed: { ...fixedPart(linkDay), ...keptOf(clicks, read) }, epoch };
  const after = await addUncounted({ key, shardId, clicks, read }, (left, item) => additionTo(item, left, shape));
  const current = read ? epoch : Math.max(epoch, epochOf((await getItem(countKey(linkId))) ?? {}));
  if (after) await emptyDay(after, current);
}

/** Adds clicks of a workspace's links to their day. It counts those of all epochs, so that it needs to know no link. */
export async function addToWorkspaceDay(
  { workspaceId, day }: Pick<LinkDay, 'workspaceId' | 'day'>,
  shardId: string,
  clicks: readonly DayClick[],
): Promise<void> {
  const key = workspaceDayKey(workspaceId, workspaceDayPart(shardId), day);
  const shape = { dimensions: workspaceDimensions, fixed: expiry(day), epoch: 0 };
  const ofOneEpoch = clicks.map((click) => ({ ...click, epoch: 0 }));
  const read = await getItem(key);
  await addUncounted({ key, shardId, clicks: ofOneEpoch, read }, (left, item) => additionTo(item, left, shape));
}

/** The part of a workspace's day that counts the clicks of a shard. */
export const workspaceDayPart = (shardId: string): number => (checkpointName(shardId).codePointAt(0) ?? 0) % workspaceDayParts;

/** How many days the records of a day are kept, at least, as far as its clicks say it. */
function keptOf(clicks: readonly DayClick[], day: Item = {}): Item {
  const never = Number.POSITIVE_INFINITY;
  const kept = Math.min(number(day, 'kept', never), ...clicks.map(({ keptDays = never }) => keptDays));
  return kept === never ? {} : { kept };
}

/** What all updates of a link's day set to the same value. @param statsDays how long a day is kept, from its end */
export const fixedPart = ({ linkId, workspaceId, day }: LinkDay, statsDays?: number): Item => ({
  ...indexed(dayIndex(workspaceId, day, linkId), linkId),
  ...expiry(day, statsDays),
});

/** A day is kept for as many days as the stage sets, from its end. */
export const expiry = (day: string, statsDays = Number(setting('STATS_DAYS'))) => ({
  ttl: Date.parse(day) / 1_000 + (1 + statsDays) * 24 * 60 * 60,
});

/** What a day counts, what all updates set, and the epoch of the link, as far as it is known. */
type Shape = { readonly dimensions: readonly Dimension[]; readonly fixed: Item; readonly epoch: number };

/** The update that adds clicks to a day as it was read. The first clicks of a new epoch replace what it counted. */
function additionTo(item: Item = {}, clicks: readonly DayClick[], { dimensions, fixed, epoch: known }: Shape): CountUpdate {
  const current = epochOf(item);
  const newest = Math.max(current, known, ...clicks.map(({ epoch }) => epoch));
  const counted = clicks.filter(({ epoch }) => epoch === newest);
  const erased = clicks.length - counted.length;
  const { counts, newNames } = countsOf(counted, newest > current ? {} : item, dimensions);
  const numbers = {
    ...(counted.length > 0 && { total: counted.length }),
    ...counts,
    ...(newNames > 0 && { names: newNames }),
  };
  if (newest > current) return replacement(item, newest, { ...fixed, ...numbers }, erased);
  return {
    add: { ...numbers, ...(erased > 0 && { erased }) },
    set: fixed,
    condition: all(isOfEpoch(current), ...(newNames > 0 ? [hasStill('names', item)] : [])),
  };
}

/**
 * The update that begins a new epoch of a day, if it is as it was read: what it counted is erased.
 *
 * @param set what the day has from then on.
 * @param erased how many clicks of earlier epochs come with this update.
 */
function replacement(item: Item, epoch: number, set: Item, erased = 0): CountUpdate {
  const [total = 0, before = 0] = [maybeNumber(item, 'total'), maybeNumber(item, 'erased')];
  return {
    set: { ...set, epoch, erased: before + total + erased },
    remove: Object.keys(item).filter((name) => isCount(name) && !(name in set)),
    condition: all(isOfEpoch(epochOf(item)), hasStill('total', item), hasStill('erased', item)),
  };
}

/** The attribute has the number that was read, or is still absent. */
export function hasStill(name: string, item: Item): Expression {
  const value = maybeNumber(item, name);
  return value === undefined ? lacks(name) : is(name, value);
}

/** Empties a day of an earlier epoch, and adds its clicks to `erased`. Does nothing to other days. */
export async function emptyDay(day: Item, epoch: number): Promise<void> {
  for (let item: Item | undefined = day; item && epochOf(item) < epoch; ) {
    const { condition, ...update } = replacement(item, epoch, {});
    const failed = await failedCondition(updateItem(toKey(day), updateExpression(update), all(isPresent, condition)));
    if (!failed) return;
    item = failed.items[0];
  }
}
