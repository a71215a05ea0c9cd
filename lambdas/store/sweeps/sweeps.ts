import type { Item } from '../table/client.ts';
import { all, ifConditionFails, is, isPresent, lacks } from '../table/conditions.ts';
import { maybeMap, text } from '../table/fields.ts';
import { indexed, type Key, sweepKey, sweepsIndex, toKey } from '../table/keys.ts';
import { getItems, query } from '../table/reads.ts';
import { set } from '../table/updates.ts';
import { updateItem } from '../table/writes.ts';

/**
 * Sweeps: work that takes too long for one request, done a page at a time. The item of a sweep says how far it has
 * come. Each change of it reaches the function `sweep` through the stream, which does the next page and moves the
 * cursor. What a page does is in `links/tag-removal.ts` and `stats/erasure.ts`.
 */

/**
 * How long a sweep may go without progress before it counts as stalled, in milliseconds: longer than all retries of the
 * stream.
 */
const stalledMs = 10 * 60 * 1_000;

/** How far a sweep has come: up to the item that `cursor` names, which may be gone. */
type Sweep = { readonly key: Key; readonly cursor: Key | undefined; readonly movedAt: string };

export const toSweep = (item: Item): Sweep => {
  const cursor = maybeMap(item, 'cursor');
  return { key: toKey(item), cursor: cursor && toKey(cursor), movedAt: text(item, 'movedAt') };
};

/** The item that starts the sweep of a tag. */
export const newSweep = (workspaceId: string, tagId: string, now: Date): Key & Item => ({
  ...sweepKey(tagId),
  ...indexed(sweepsIndex, tagId),
  tagId,
  workspaceId,
  startedAt: now.toISOString(),
  movedAt: now.toISOString(),
});

/**
 * Moves a sweep's cursor, which triggers its next page, if it is where it was read. Only one run moves it, so that
 * there is one chain of pages even if a page was delivered twice.
 *
 * @param condition what else must hold.
 */
export async function moveSweep(item: Item, cursor: Key, condition = isPresent): Promise<void> {
  const { key, cursor: before } = toSweep(item);
  const update = set({ cursor, movedAt: new Date().toISOString() });
  const isWhereItWas = before ? is('cursor', before) : lacks('cursor');
  await ifConditionFails(updateItem(key, update, all(condition, isWhereItWas)), () => undefined);
}

/**
 * Restarts stalled sweeps: the change of a sweep's item triggers its next page through the stream. Returns how many
 * were stalled.
 */
export async function restartStalledSweeps(now = Date.now()): Promise<number> {
  const keys = (await Array.fromAsync(query({ gsi1pk: sweepsIndex }))).map(toKey);
  const sweeps = (await getItems(keys)).filter((item) => item !== undefined).map(toSweep);
  const stalled = sweeps.filter(({ movedAt }) => Date.parse(movedAt) < now - stalledMs);
  await Promise.all(
    stalled.map(({ key, movedAt }) => {
      const write = updateItem(key, set({ movedAt: new Date(now).toISOString() }), is('movedAt', movedAt));
      // The sweep may have moved or ended in the meantime.
      return ifConditionFails(write, () => undefined);
    }),
  );
  return stalled.length;
}
