import { newRequestToken } from '../../domain/ids.ts';
import { backOff } from '../../runtime/deadline.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { hasTags, isStillThere } from '../links/conditions.ts';
import { toLink } from '../links/links.ts';
import { type Pair, toPair } from '../links/tagging.ts';
import { signed } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import { all, failedCondition, ifConditionFails, is, isPresent, lacks } from '../table/conditions.ts';
import { maybeMap, text } from '../table/fields.ts';
import { indexed, type Key, linkKeyOf, pairsOf, sweepKey, sweepsIndex, toKey } from '../table/keys.ts';
import { getItem, getItems, query } from '../table/reads.ts';
import { deleteItem, deleting, transact, updateItem, updating } from '../table/writes.ts';

/** Links per page: with ten at a time, this takes far less than a function's time even if each has to be retried. */
const pageSize = 100;
const inFlight = 10;

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
 * Removes a deleted tag from its next page of links and moves the sweep's cursor, which triggers the next page through
 * the stream. If no links are left, ends the sweep. Idempotent: repeating a page, or running it twice at once, has no
 * further effect.
 *
 * @param most how many links a page has.
 */
export async function sweepPage(tagId: string, most = pageSize): Promise<void> {
  const item = await getItem(sweepKey(tagId));
  if (!item) return;
  const { cursor: after } = toSweep(item);
  const pairs = (await Array.fromAsync(query(pairsOf(tagId), { after, limit: most }))).map(toPair);
  await inParallel(pairs, inFlight, (pair) => takeOff(tagId, pair));

  const last = pairs.at(-1);
  if (!last || pairs.length < most) {
    await deleteItem(sweepKey(tagId));
    return;
  }
  await moveSweep(item, last.key);
}

/**
 * Moves a sweep's cursor, which triggers its next page, if it is where it was read. Only one run moves it, so that there
 * is one chain of pages even if a page was delivered twice.
 *
 * @param condition what else must hold.
 */
export async function moveSweep(item: Item, cursor: Key, condition = isPresent): Promise<void> {
  const { key, cursor: before } = toSweep(item);
  const update = {
    text: 'SET #cursor = :cursor, #movedAt = :now',
    values: { ':cursor': cursor, ':now': new Date().toISOString() },
  };
  const isWhereItWas = before ? is('cursor', before) : lacks('cursor');
  await ifConditionFails(updateItem(key, update, all(condition, isWhereItWas)), () => undefined);
}

/** Removes the tag from the link of a pair, if the link still exists and has it, and deletes the pair. */
async function takeOff(tagId: string, pair: Pair): Promise<void> {
  const { linkId } = pair;
  const key = linkKeyOf(linkId);
  for (let attempt = 0; ; attempt++) {
    const item = await getItem(key);
    const link = item?.id === linkId && item.workspaceId === pair.workspaceId ? toLink(item) : undefined;
    if (!link?.tagIds.includes(tagId)) return deleteItem(pair.key);
    const update = signed({
      text: 'SET #tagIds = :left',
      values: { ':left': link.tagIds.filter((other) => other !== tagId) },
    });
    const writes = [updating(key, update, all(isStillThere(link), hasTags(link.tagIds))), deleting(pair.key)];
    if (!(await failedCondition(transact(writes, newRequestToken())))) return;
    await backOff(attempt);
  }
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
      const write = updateItem(
        key,
        { text: 'SET #movedAt = :now', values: { ':now': new Date(now).toISOString() } },
        is('movedAt', movedAt),
      );
      // The sweep may have moved or ended in the meantime.
      return ifConditionFails(write, () => undefined);
    }),
  );
  return stalled.length;
}
