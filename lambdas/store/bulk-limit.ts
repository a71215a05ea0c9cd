import type { RateLimit, Slot } from '../domain/rate-limit.ts';
import type { Item } from './client.ts';
import { limitKey } from './keys.ts';
import { ConditionFailed, updateItem } from './writes.ts';

/** At most 3 bulk requests of one workspace in any 60 seconds. */
export const bulkLimit: RateLimit = { quota: 3, windowSeconds: 60 };

const windowMs = bulkLimit.windowSeconds * 1_000;

/**
 * Takes one of the workspace's slots, exactly, however many requests come at once.
 *
 * The item has the times and tokens of the last three that passed, oldest first. One conditional update shifts them
 * along and puts this request last: on the condition that the oldest has left the window, that this clock is not behind the
 * newest, and that this request is not among them already, as it is when the answer to its own update was lost.
 *
 * A function whose clock lags takes the newest time for its own, so that a slot never lies before one that was given later.
 *
 * @param token another one for each request, which no client can choose.
 */
export async function takeBulkSlot(workspaceId: string, token: string, now = Date.now()): Promise<Slot> {
  try {
    const item = await updateItem(
      limitKey(workspaceId),
      {
        text:
          'SET #at1 = if_not_exists(#at2, :never), #at2 = if_not_exists(#at3, :never), #at3 = :now, ' +
          '#by1 = if_not_exists(#by2, :nobody), #by2 = if_not_exists(#by3, :nobody), #by3 = :me',
        values: { ':never': 0, ':now': now, ':nobody': '-', ':me': token },
      },
      {
        text:
          'attribute_not_exists(pk) OR (#at1 <= :windowStart AND #at3 <= :now ' +
          'AND #by1 <> :me AND #by2 <> :me AND #by3 <> :me)',
        values: { ':windowStart': now - windowMs },
      },
    );
    return slotOf(item, now, true);
  } catch (error) {
    const item = error instanceof ConditionFailed ? error.items[0] : undefined;
    if (!item) throw error;
    if ([item.by1, item.by2, item.by3].includes(token)) return slotOf(item, now, true);
    if (Number(item.at3) > now) return takeBulkSlot(workspaceId, token, Number(item.at3));
    return slotOf(item, now, false);
  }
}

function slotOf(item: Item, now: number, passed: boolean): Slot {
  const inWindow = [item.at1, item.at2, item.at3].map(Number).filter((at) => at > now - windowMs);
  const oldest = Math.min(...inWindow, now);
  return {
    passed,
    remaining: bulkLimit.quota - inWindow.length,
    resetSeconds: Math.max(0, Math.ceil((oldest + windowMs - now) / 1_000)),
  };
}
