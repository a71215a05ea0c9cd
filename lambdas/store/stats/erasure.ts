import { notFound } from '../../core/errors.ts';
import { newRequestToken } from '../../core/ids.ts';
import type { Link } from '../../core/link/link.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { epochOf } from '../clicks/counts.ts';
import { erasedNote, isEarlierNote } from '../clicks/erased-notes.ts';
import { hasClickEpoch, isStillThere } from '../links/conditions.ts';
import { moveSweep, toSweep } from '../sweeps/sweeps.ts';
import { signed } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import { tableTime } from '../table/clock.ts';
import { all, any, failedCondition, ifConditionFails, is, lacks } from '../table/conditions.ts';
import { number } from '../table/fields.ts';
import { anyTime, clicksOf, countKey, erasureKey, indexed, type Key, linkKeyOf, sweepsIndex, toKey } from '../table/keys.ts';
import { getItem, query } from '../table/reads.ts';
import { deleteItem, putting, transact, updateItem, updating } from '../table/writes.ts';

/**
 * How a link's clicks are erased while visitors come and clicks are counted:
 *
 * - A link has an epoch, and each click has the epoch that the link had. An erasure raises the link's epoch: to the seconds
 *   since 1970, or by one. From then on, clicks of earlier epochs count for nothing, wherever they are, and are not listed.
 *   No clock decides.
 * - A sweep then removes them, a page at a time: it closes the old epoch of the counter, and deletes the items of
 *   clicks.
 * - A click that is recorded late, with the old epoch, is deleted by the function that would have counted it
 *   (`count-clicks`). The counter comes first in the sweep: a click whose item the sweep could not see any more reaches
 *   that function after the counter knows the new epoch.
 * - A link that is deleted leaves a closed counter with its last epoch, for late clicks: the deletion insists on the
 *   epoch that it has read.
 *
 * For example, a visitor comes just before an erasure, and the click is recorded after the sweep:
 *
 *     R      reads the link: epoch 0
 *     owner  erases the clicks: the link has epoch 1; the sweep starts
 *     sweep  tells the counter: epoch 1, count 0; finds no click to delete, and ends
 *     R      records the click, with epoch 0
 *     F      gets the click from the stream; the counter has epoch 1, so F adds nothing, and deletes the click's item
 *
 * If the sweep dies, `restart-sweeps` starts it again, and it repeats its page. A click that a visitor made while the
 * erasure ran may be of either epoch.
 */

/**
 * Erases all clicks of a link. They count for nothing once this returns; a sweep removes them. A note tells readers of rows
 * (`../clicks/erased-notes.ts`).
 *
 * @param epoch the link's next one, later than its current one.
 * @throws RequestError `not_found`
 */
export async function eraseClicks(
  link: Pick<Link, 'id' | 'workspaceId' | 'clickEpoch'>,
  epoch = nextEpoch(link, tableTime()),
): Promise<void> {
  const { id, workspaceId, clickEpoch } = link;
  const now = new Date(tableTime());
  // With another revision, a change of the link as it was read before is refused.
  const update = signed({ text: 'SET #clickEpoch = :next ADD #revision :one', values: { ':next': epoch, ':one': 1 } });
  const asRead = all(isStillThere(link), hasClickEpoch(clickEpoch));
  const writes = [
    updating(linkKeyOf(id), update, asRead),
    putting(newErasure(id, epoch, now)),
    putting(erasedNote(workspaceId, id, epoch, now.getTime()), isEarlierNote(epoch)),
  ];
  const failed = await failedCondition(transact(writes, newRequestToken()));
  if (!failed) return;
  const noted = failed.items[2];
  // A link that was restored to an earlier epoch, and a clock that was set back. Of clicks with an epoch, some may be erased.
  if (!failed.items[0] && noted) return eraseClicks(link, epochOf(noted) + 1);
  // If another request has erased them since, it has erased everything that this one had to erase.
  if (failed.items[0]?.id !== id) throw notFound('link');
}

/**
 * The epoch that follows a link's current one: the seconds since 1970, so that a link that was restored to an earlier epoch
 * never uses one twice; or one more, if that isn't later.
 */
export const nextEpoch = ({ clickEpoch }: Pick<Link, 'clickEpoch'>, now: number): number =>
  Math.max(clickEpoch + 1, Math.floor(now / 1_000));

/** The item that starts the sweep of an erasure. It replaces that of an earlier one. */
const newErasure = (linkId: string, epoch: number, now: Date): Key & Item => ({
  ...erasureKey(linkId),
  ...indexed(sweepsIndex, linkId),
  linkId,
  epoch,
  startedAt: now.toISOString(),
  movedAt: now.toISOString(),
});

/**
 * How many clicks a page looks at. Deleting them, 25 at a time, takes far less time than a function has.
 */
const pageSize = 1_000;
const concurrency = 25;

/**
 * Removes the next page of a link's erased clicks, and moves the sweep's cursor, which triggers the next page through
 * the stream. If nothing is left, ends the sweep. Idempotent: repeating a page, or running it twice at once, has no
 * further effect.
 *
 * @param most how many clicks a page looks at.
 */
export async function erasePage(linkId: string, most = pageSize): Promise<void> {
  const item = await getItem(erasureKey(linkId));
  if (!item) return;
  const { cursor } = toSweep(item);
  const epoch = number(item, 'epoch');
  if (!cursor) await closeEpochs(linkId, epoch);
  const records = await nextRecords(linkId, cursor, most);
  const erased = records.filter((record) => epochOf(record) < epoch);
  await inParallel(erased, concurrency, (record) => deleteItem(toKey(record)));
  const last = records.at(-1);
  const isThis = is('epoch', epoch);
  if (last && records.length >= most) await moveSweep(item, toKey(last), isThis);
  else await ifConditionFails(deleteItem(erasureKey(linkId), isThis), () => undefined);
}

/**
 * Makes the counter refuse clicks of earlier epochs. Creates one if there is none, so that a late click finds it. A
 * deleted link's counter refuses all clicks anyway. If that has expired, nothing would remove another one.
 */
async function closeEpochs(linkId: string, epoch: number): Promise<void> {
  if ((await getItem(linkKeyOf(linkId)))?.id !== linkId) return;
  const isEarlier = any(lacks('epoch'), { text: '#epoch < :epoch' });
  const update = { text: 'SET #epoch = :epoch, #count = :none REMOVE #lastAt', values: { ':epoch': epoch, ':none': 0 } };
  await ifConditionFails(updateItem(countKey(linkId), update, all(lacks('ttl'), isEarlier)), () => ({}));
}

/** The next page of the items of a link's clicks, of all epochs, from one partition after the other. */
async function nextRecords(linkId: string, after: Key | undefined, most: number): Promise<Item[]> {
  const records: Item[] = [];
  const partitions = clicksOf(linkId);
  for (const pk of partitions.slice(after ? partitions.indexOf(after.pk) : 0)) {
    const limit = most - records.length;
    if (limit === 0) break;
    const from = after?.pk === pk ? after : undefined;
    records.push(...(await Array.fromAsync(query({ pk, between: anyTime }, { after: from, limit }))));
  }
  return records;
}
