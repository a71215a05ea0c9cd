import { inParallel } from '../../runtime/in-parallel.ts';
import { continueSweep } from '../sweeps/sweeps.ts';
import { signed } from '../table/authorship.ts';
import { commit } from '../table/commit.ts';
import { all, set } from '../table/expressions.ts';
import { linkKeyOf, pairsOf, sweepKey } from '../table/keys.ts';
import { getItem, query } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { deleteItem, deleting, updating } from '../table/writes.ts';
import { hasTags, isStillThere } from './conditions.ts';
import { toLink } from './links.ts';
import { type Pair, toPair } from './tagging.ts';

/** Links per page: with ten at a time, this takes far less than a function's time even if each has to be retried. */
const pageSize = 100;
const concurrency = 10;

/** Removes a deleted tag from its next page of links, in its sweep. @param most how many links a page has */
export const sweepPage = (tagId: string, most = pageSize): Promise<void> =>
  continueSweep(sweepKey(tagId), async (_, after) => {
    const pairs = (await Array.fromAsync(query(pairsOf(tagId), { after, limit: most }))).map(toPair);
    await inParallel(pairs, concurrency, (pair) => takeOff(tagId, pair));
    return pairs.length < most ? undefined : pairs.at(-1)?.key;
  });

/** Removes the tag from the link of a pair, if the link still exists and has it, and deletes the pair. */
function takeOff(tagId: string, pair: Pair): Promise<void> {
  const { linkId } = pair;
  const key = linkKeyOf(linkId);
  return retrying(async () => {
    const item = await getItem(key);
    const link = item?.id === linkId && item.workspaceId === pair.workspaceId ? toLink(item) : undefined;
    if (!link?.tagIds.includes(tagId)) return deleteItem(pair.key);
    const update = signed(set({ tagIds: link.tagIds.filter((other) => other !== tagId) }));
    const isAsRead = all(isStillThere(link), hasTags(link.tagIds));
    const { failed } = await commit({ link: updating(key, update, isAsRead), pair: deleting(pair.key) });
    return failed ? overtaken : undefined;
  });
}
