import type { Addition } from '../../../lambdas/store/clicks/count-once.ts';
import type { CountedClick } from '../../../lambdas/store/clicks/counts.ts';
import type { StreamClick } from '../../../lambdas/store/clicks/marks.ts';

// Counting in one item, in the steps that `count-clicks` takes for a whole batch. The modules are loaded when they are
// needed, because they belong to the store of a test.

/** Counts clicks of a link in its counter. Returns the epoch that it has. */
export async function countClicks(linkId: string, shardId: string, clicks: readonly CountedClick[]): Promise<number> {
  const { epochOf, ofCounter } = await import('../../../lambdas/store/clicks/counts.ts');
  return epochOf(await countIn(shardId, ofCounter(linkId, clicks)));
}

async function countIn<C extends StreamClick>(shardId: string, addition: Addition<C>) {
  const { addUncounted } = await import('../../../lambdas/store/clicks/count-once.ts');
  const { shardOf, tidy } = await import('../../../lambdas/store/clicks/checkpoints.ts');
  const { tryGetItems } = await import('../../../lambdas/store/table/reads.ts');
  const shard = shardOf(shardId);
  const [read] = await tryGetItems([addition.key]);
  const item = await addUncounted(shard, addition, read);
  await tidy(shard, addition.clicks, [item]);
  return item;
}
