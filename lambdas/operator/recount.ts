import { newRequestToken } from '../core/ids.ts';
import type { Link } from '../core/link/link.ts';
import { readCheckpoint } from '../store/clicks/checkpoints.ts';
import { epochOf } from '../store/clicks/counts.ts';
import { toMark } from '../store/clicks/marks.ts';
import { type Cap, settingCap, toCap } from '../store/links/caps.ts';
import { hasGeneration, isStillThere } from '../store/links/conditions.ts';
import { toLink } from '../store/links/links.ts';
import { signed } from '../store/table/authorship.ts';
import type { Item } from '../store/table/client.ts';
import { all, failedCondition, hasStill, plus, set } from '../store/table/expressions.ts';
import { number } from '../store/table/fields.ts';
import { capKey, countKey, linkAt, linkKeyOf, linksIndexes } from '../store/table/keys.ts';
import { chunks, getItems, query } from '../store/table/reads.ts';
import { transact, updateItem, updating } from '../store/table/writes.ts';

/**
 * What a restoration may leave wrong in a link: its counter, its epoch, and the generation of its cap. The operator's
 * command compares them with the rows of its clicks, and sets them. A click on its way to the counter is neither lost
 * nor counted twice, because only rows that the counter's marks cover are counted, and the counter is set only if it
 * hasn't changed since it was read:
 *
 *     R   reads the counter: 7, up to 20 of shard A
 *     R   reads the rows: 9 of shard A, one of them above 20
 *     R   sets 8, if the counter is still 7        done; click 21 is on its way
 *     F   adds click 21, and sets the mark: 9
 *
 * Had F been faster, R would have been refused, and would only report the difference.
 */

/** A link with its counter and its cap. */
export type LinkState = { readonly link: Link; readonly counter: Item | undefined; readonly cap: Cap | undefined };

/** How many links are read at once. */
const linksPerRead = 1_000;

/** All links of a workspace. A link that was created a moment ago may be missing, because the index lags. */
export async function* linkStates(workspaceId: string): AsyncGenerator<LinkState> {
  const entries = await Promise.all(linksIndexes(workspaceId).map((gsi1pk) => Array.fromAsync(query({ gsi1pk }))));
  const ids = [...new Set(entries.flat().map(({ gsi1sk }) => linkAt(String(gsi1sk)).id))];
  for (const some of chunks(ids, linksPerRead)) {
    const items = await getItems(some.flatMap((id) => [linkKeyOf(id), countKey(id), capKey(id)]));
    for (const [index, id] of some.entries()) {
      const [item, counter, cap] = items.slice(3 * index, 3 * index + 3);
      if (item?.id === id && item.workspaceId === workspaceId) yield { link: toLink(item), counter, cap: cap && toCap(id, cap) };
    }
  }
}

/**
 * Tells whether a counter includes a click, by its marks. Reads the checkpoint of each shard once, after the counters.
 */
export function coverage(): (counter: Item | undefined, shard: string, sequenceNumber: string) => Promise<boolean> {
  const checkpoints = new Map<string, Promise<bigint>>();
  return async (counter, shard, sequenceNumber) => {
    const mark = toMark(counter?.[shard])?.number;
    if (mark === undefined && counter?.removals === undefined) return false;
    if (mark !== undefined) return BigInt(sequenceNumber) <= mark;
    const checkpoint = checkpoints.get(shard) ?? readCheckpoint(shard);
    checkpoints.set(shard, checkpoint);
    return BigInt(sequenceNumber) <= (await checkpoint);
  };
}

/**
 * Sets the count of a link, if its counter hasn't changed since it was read, as it does with every click. A counter
 * that was closed with its link is reopened.
 *
 * @param newest when the last of these clicks was, in milliseconds since 1970.
 * @returns whether it was set.
 */
export async function setCount(
  { link: { id }, counter = {} }: LinkState,
  { count, epoch, newest }: { readonly count: number; readonly epoch: number; readonly newest: number },
): Promise<boolean> {
  const known = epochOf(counter) === epoch ? number(counter, 'lastAt', 0) : 0;
  const lastAt = Math.max(known, Math.ceil(newest / 1_000));
  const update = set({ count, epoch: epoch > 0 ? epoch : null, lastAt: count > 0 ? lastAt : null, ttl: null });
  const isAsRead = all(...['count', 'epoch', 'ttl'].map((name) => hasStill(name, counter)));
  return !(await failedCondition(updateItem(countKey(id), update, isAsRead)));
}

/**
 * Gives a link and its cap the same next generation. The cap's used clicks stay, or become the number of clicks if that
 * is more.
 *
 * @returns whether both were unchanged since they were read.
 */
export async function alignCap({ link, cap }: LinkState, clickCount: number): Promise<boolean> {
  const { generation, write } = settingCap(link, cap, clickCount);
  const update = signed(set({ capGeneration: generation, revision: plus(1) }));
  const writes = [updating(linkKeyOf(link.id), update, all(isStillThere(link), hasGeneration(link.capGeneration))), write];
  return !(await failedCondition(transact(writes, newRequestToken())));
}
