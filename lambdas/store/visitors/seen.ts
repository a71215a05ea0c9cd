import type { Click } from '../../core/click/click.ts';
import { dayMs } from '../../core/click/day.ts';
import type { Item } from '../table/client.ts';
import { type Key, type SeenVisitor, seenKey } from '../table/keys.ts';
import { putItem } from '../table/writes.ts';

/**
 * How unique clicks are counted, if the stage does that: a visitor counts once for each link and day in UTC.
 *
 * Beside each click, the redirect puts an item that says that the link saw this visitor on this day, in this epoch. All of
 * it follows from its key and the link. So however often, and by however many functions, the same visitor is put, the
 * stream has one INSERT, and only that is counted (`../clicks/days.ts`), once, by the marks of clicks. Puts need no
 * condition, and retries and races do no harm.
 *
 * For example, two functions meet the same visitor at once, and an erasure comes between:
 *
 *     F      puts the visitor, epoch 0             INSERT, which is counted
 *     G      puts the visitor, epoch 0             nothing has changed, and the stream has no record
 *     owner  erases the clicks: epoch 1            the day counts nobody any more; the sweep deletes the item
 *     H      remembers the link: epoch 0           INSERT of an earlier epoch: counted as erased, and deleted
 *     F      reads the link, puts the visitor      INSERT, epoch 1, which is counted
 *
 * The visitor is a hash under a secret of the day (`day-secrets.ts`), which the click has too.
 */

/** How many days a visitor's item is kept after its day, so that `stats verify` can count them again. */
export const seenDays = 7;

/** The item for a visitor of a link. */
export const seenItem = (visitor: SeenVisitor, { workspaceId, host }: Pick<Click, 'workspaceId' | 'host'>): Key & Item => ({
  ...seenKey(visitor),
  workspaceId,
  host,
  ttl: (Date.parse(visitor.day) + (1 + seenDays) * dayMs) / 1_000,
});

/** Records that a link saw a visitor. Repeating it is harmless. @param item as `seenItem` makes it */
export const recordSeen = (item: Key & Item): Promise<void> => putItem(item);
