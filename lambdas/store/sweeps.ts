import { newRequestToken } from '../domain/ids.ts';
import { backOff } from '../runtime/deadline.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { hasTags, isStillThere } from './links/conditions.ts';
import { toLink } from './links/links.ts';
import type { Item } from './table/client.ts';
import { all, failedCondition, ifConditionFails, is, isPresent, lacks } from './table/conditions.ts';
import { type Key, linkKeyOf, pairsOf, sweepKey, sweepsIndex } from './table/keys.ts';
import { getItem, getItems, query } from './table/reads.ts';
import { deleteItem, deleting, transact, updateItem, updating } from './table/writes.ts';

/** Links a page: with ten at a time, far less than a function's time even where each has to be tried again. */
const pageSize = 100;
const inFlight = 10;

/** How long a sweep may stand still before it is taken for stalled, in milliseconds: longer than all retries of the stream. */
const stalledMs = 10 * 60 * 1_000;

/**
 * Takes a deleted tag off its next links and moves the sweep's cursor, which brings the next page through the stream; ends
 * the sweep where no link is left. Doing a page again, or two at once, changes nothing more.
 */
export async function sweepPage(tagId: string): Promise<void> {
  const sweep = await getItem(sweepKey(tagId));
  if (!sweep) return;
  const after = sweep.cursor as Key | undefined;
  const pairs = await Array.fromAsync(query(pairsOf(tagId), { after, limit: pageSize }));
  await inParallel(pairs, inFlight, (pair) => takeOff(tagId, pair));

  const last = pairs.at(-1);
  if (!last || pairs.length < pageSize) {
    await deleteItem(sweepKey(tagId));
    return;
  }
  const write = updateItem(
    sweepKey(tagId),
    {
      text: 'SET #cursor = :cursor, #movedAt = :now',
      values: { ':cursor': { pk: last.pk, sk: last.sk }, ':now': new Date().toISOString() },
    },
    after ? is('cursor', after) : all(isPresent, lacks('cursor')),
  );
  // One chain of pages, even if a page was delivered twice.
  await ifConditionFails(write, () => undefined);
}

/** Takes the tag off the link of a pair, where it is still there, and the pair away. */
async function takeOff(tagId: string, pair: Item): Promise<void> {
  const linkId = String(pair.linkId);
  const key = linkKeyOf(linkId);
  for (let attempt = 0; ; attempt++) {
    const item = await getItem(key);
    const link = item?.id === linkId && item.workspaceId === pair.workspaceId ? toLink(item) : undefined;
    if (!link?.tagIds.includes(tagId)) return deleteItem(pair as Item & Key);
    const update = {
      text: 'SET #tagIds = :left',
      values: { ':left': link.tagIds.filter((other) => other !== tagId) },
    };
    const writes = [updating(key, update, all(isStillThere(link), hasTags(link.tagIds))), deleting(pair as Item & Key)];
    if (!(await failedCondition(transact(writes, newRequestToken())))) return;
    await backOff(attempt);
  }
}

/** Sets going again what has not moved for a while: the change of the item brings the next page through the stream. */
export async function restartStalledSweeps(now = Date.now()): Promise<number> {
  const keys = (await Array.fromAsync(query({ gsi1pk: sweepsIndex }))) as (Item & Key)[];
  const sweeps = await getItems(keys);
  const stalled = sweeps.filter((sweep) => sweep && Date.parse(String(sweep.movedAt)) < now - stalledMs);
  await Promise.all(
    stalled.map((sweep) => {
      const write = updateItem(
        sweep as Item & Key,
        { text: 'SET #movedAt = :now', values: { ':now': new Date(now).toISOString() } },
        is('movedAt', sweep?.movedAt),
      );
      // It may have moved, or ended, in the meantime.
      return ifConditionFails(write, () => undefined);
    }),
  );
  return stalled.length;
}
