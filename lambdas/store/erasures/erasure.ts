import { notFound } from '../../core/errors.ts';
import type { Link } from '../../core/link/link.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { epochOf } from '../clicks/counts.ts';
import { erasedNote, isEarlierNote } from '../clicks/erased-notes.ts';
import { hasClickEpoch, isStillThere } from '../links/conditions.ts';
import { continueSweep, newSweep } from '../sweeps/sweeps.ts';
import { signed } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import { tableTime } from '../table/clock.ts';
import { commit } from '../table/commit.ts';
import { all, any, failedCondition, lacks, plus, set } from '../table/expressions.ts';
import { number } from '../table/fields.ts';
import { anyTime, clicksOf, countKey, erasureKey, type Key, linkKeyOf, toKey } from '../table/keys.ts';
import { getItem, query } from '../table/reads.ts';
import { deleteItem, putting, updateItem, updating } from '../table/writes.ts';

/**
 * How a link's clicks are erased while visitors come and clicks are counted:
 *
 * - A link has an epoch, and each click has the epoch that the link had. An erasure raises the link's epoch: to the
 *   seconds since 1970, or by one. From then on, clicks of earlier epochs are neither counted nor listed, wherever they
 *   are. No clock decides that.
 * - A sweep then removes them, a page at a time: it closes the old epoch of the counter, and deletes the items of
 *   clicks.
 * - A click that is recorded late, with the old epoch, is deleted by the function that would have counted it
 *   (`count-clicks`). The counter comes first in the sweep: a click whose item the sweep could not see any more reaches
 *   that function after the counter knows the new epoch.
 * - A link that is deleted leaves a closed counter with its last epoch, for late clicks: the deletion is conditional on
 *   the epoch that it has read.
 *
 * For example, a visitor comes just before an erasure, and the click is recorded after the sweep:
 *
 *     R      reads the link: epoch 0
 *     owner  erases the clicks: the link has epoch 1; the sweep starts
 *     sweep  sets the counter: epoch 1, count 0; finds no click to delete, and ends
 *     R      records the click, with epoch 0
 *     F      gets the click from the stream; the counter has epoch 1, so F adds nothing, and deletes the click's item
 *
 * If the sweep dies, `restart-sweeps` starts it again, and it repeats its page. A click that a visitor made while the
 * erasure ran may be of either epoch.
 */

/**
 * Erases all clicks of a link. Once this returns, they are no longer counted; a sweep removes them. A note tells
 * readers of rows (`../clicks/erased-notes.ts`).
 *
 * @param epoch the link's next one, later than its current one.
 * @throws RequestError `not_found`
 */
export async function eraseClicks(
  link: Pick<Link, 'id' | 'workspaceId' | 'clickEpoch'>,
  epoch = nextEpoch(link, tableTime()),
): Promise<void> {
  const { id, workspaceId } = link;
  const now = new Date(tableTime());
  const { failed, items } = await commit({
    ...raising(link, epoch, now),
    note: putting(erasedNote(workspaceId, id, epoch, now.getTime()), isEarlierNote(epoch)),
  });
  if (!failed) return;
  // The link was restored to an earlier epoch, and a clock was set back. Some clicks of the noted epoch may be erased,
  // so the next one is taken.
  if (!items.link && items.note) return eraseClicks(link, epochOf(items.note) + 1);
  // If another request has erased them since, it has erased everything that this one had to erase.
  if (items.link?.id !== id) throw notFound('link');
}

/** The writes that give a link another epoch, if it is as it was read, and start the sweep. */
function raising(link: Pick<Link, 'id' | 'workspaceId' | 'clickEpoch'>, epoch: number, now: Date) {
  const { id, clickEpoch } = link;
  // The new revision refuses changes that are based on the link as it was before.
  const update = signed(set({ clickEpoch: epoch, revision: plus(1) }));
  const asRead = all(isStillThere(link), hasClickEpoch(clickEpoch));
  return {
    link: updating(linkKeyOf(id), update, asRead),
    sweep: putting(newSweep(erasureKey(id), id, { linkId: id, epoch }, now.toISOString())),
  };
}

/**
 * Raises a link's epoch to that of its clicks. The link's is earlier only if tables were restored to different moments,
 * and the clicks were erased in between. Until it is raised, no visit is counted, because its click has the link's
 * epoch.
 *
 * @returns whether the link was as it was read.
 */
export const raiseEpoch = async (link: Link, epoch: number): Promise<boolean> =>
  !(await commit(raising(link, epoch, new Date(tableTime())))).failed;

/**
 * The epoch that follows a link's current one: the seconds since 1970, so that a link that was restored to an earlier
 * epoch never uses one twice; or one more, if that isn't later.
 */
export const nextEpoch = ({ clickEpoch }: Pick<Link, 'clickEpoch'>, now: number): number =>
  Math.max(clickEpoch + 1, Math.floor(now / 1_000));

/**
 * How many clicks a page looks at. Deleting them, 25 at a time, takes far less time than a function has.
 */
const pageSize = 1_000;
const concurrency = 25;

/** Removes the next page of a link's erased clicks, in their sweep. @param most how many clicks a page looks at */
export const erasePage = (linkId: string, most = pageSize): Promise<void> =>
  continueSweep(erasureKey(linkId), async (sweep, after) => {
    const epoch = number(sweep, 'epoch');
    if (!after) await closeEpochs(linkId, epoch);
    const records = await nextRecords(linkId, after, most);
    const erased = records.filter((record) => epochOf(record) < epoch);
    await inParallel(erased, concurrency, (record) => deleteItem(toKey(record)));
    const last = records.at(-1);
    return last && records.length >= most ? toKey(last) : undefined;
  });

/**
 * Makes the counter refuse clicks of earlier epochs. Creates one if there is none, so that a late click finds it. A
 * deleted link's counter refuses all clicks anyway. If it has expired, nothing would remove a new one.
 */
async function closeEpochs(linkId: string, epoch: number): Promise<void> {
  if ((await getItem(linkKeyOf(linkId)))?.id !== linkId) return;
  const isEarlier = any(lacks('epoch'), { text: '#epoch < :epoch' });
  const update = set({ epoch, count: 0, lastAt: null });
  await failedCondition(updateItem(countKey(linkId), update, all(lacks('ttl'), isEarlier)));
}

/** The next page of the items of a link's clicks, of all epochs, from one partition after the other. */
async function nextRecords(linkId: string, after: Key | undefined, most: number): Promise<Item[]> {
  const records: Item[] = [];
  const partitions: string[] = clicksOf(linkId);
  for (const pk of partitions.slice(after ? partitions.indexOf(after.pk) : 0)) {
    const limit = most - records.length;
    if (limit === 0) break;
    const from = after?.pk === pk ? after : undefined;
    records.push(...(await Array.fromAsync(query({ pk, between: anyTime }, { after: from, limit }))));
  }
  return records;
}
