import type { Item } from '../table/client.ts';
import { all, failedCondition, hasStill, is, isPresent, lacks, set } from '../table/expressions.ts';
import { maybeMap, text } from '../table/fields.ts';
import { indexed, type Key, sweepsIndex, toKey } from '../table/keys.ts';
import { getItem, getItems, query } from '../table/reads.ts';
import { deleteItem, updateItem } from '../table/writes.ts';

/**
 * Sweeps: work that takes too long for one request, done a page at a time. The item of a sweep says how far it has
 * come. Each change of it reaches the function `sweep` through the stream, which does the next page and moves the
 * cursor. What a page does is in `links/tag-removal.ts`, `erasures/erasure.ts` and `api-keys/made-keys.ts`.
 */

/**
 * How long a sweep may go without progress before it counts as stalled, in milliseconds: longer than all retries of the
 * stream.
 */
const stalledMs = 10 * 60 * 1_000;

/**
 * The item that starts a sweep.
 *
 * @param key of the item.
 * @param id of what is swept.
 * @param fields what the pages must know. A sweep that replaces another one of the same key has another `epoch`.
 * @param now in ISO 8601.
 */
export const newSweep = (key: Key, id: string, fields: Item, now: string): Key & Item => ({
  ...key,
  ...indexed(sweepsIndex, id),
  ...fields,
  startedAt: now,
  movedAt: now,
});

/**
 * Does the next page of a sweep, and moves its cursor, which triggers the page after that through the stream. If
 * nothing is left, ends the sweep. No-op if it has ended.
 *
 * Only one run moves the cursor from where it was read, so that there is one chain of pages even if a page was
 * delivered twice.
 *
 * @param doPage does the page that follows a key, whose item may be gone; undefined on the first page. Returns the last
 *   key of the page; undefined if nothing is left. Doing a page again, or twice at once, has no further effect.
 */
export async function continueSweep(
  key: Key,
  doPage: (sweep: Item, after: Key | undefined) => Promise<Key | undefined>,
): Promise<void> {
  const sweep = await getItem(key);
  if (!sweep) return;
  const cursor = maybeMap(sweep, 'cursor');
  const next = await doPage(sweep, cursor && toKey(cursor));
  const isThis = hasStill('epoch', sweep);
  if (next) {
    const isWhereItWas = cursor ? is('cursor', toKey(cursor)) : lacks('cursor');
    const update = set({ cursor: next, movedAt: new Date().toISOString() });
    await failedCondition(updateItem(key, update, all(isPresent, isThis, isWhereItWas)));
  } else await failedCondition(deleteItem(key, isThis));
}

/**
 * Restarts stalled sweeps: the change of a sweep's item triggers its next page through the stream. Returns how many
 * were stalled.
 */
export async function restartStalledSweeps(now = Date.now()): Promise<number> {
  const keys = (await Array.fromAsync(query({ gsi1pk: sweepsIndex }))).map(toKey);
  const sweeps = (await getItems(keys)).filter((item) => item !== undefined);
  const stalled = sweeps.filter((sweep) => Date.parse(text(sweep, 'movedAt')) < now - stalledMs);
  const update = set({ movedAt: new Date(now).toISOString() });
  // A sweep may have moved or ended in the meantime.
  await Promise.all(
    stalled.map((sweep) => failedCondition(updateItem(toKey(sweep), update, is('movedAt', text(sweep, 'movedAt'))))),
  );
  return stalled.length;
}
