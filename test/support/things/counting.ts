import type { Addition } from '../../../lambdas/store/clicks/add-uncounted.ts';
import type { CountedClick } from '../../../lambdas/store/clicks/counts.ts';
import type { DayClick, LinkDay } from '../../../lambdas/store/clicks/days.ts';
import type { StreamClick } from '../../../lambdas/store/clicks/marks.ts';

// Counting in one item, in the steps that `count-clicks` takes for a whole batch. The modules are loaded when they are
// needed, because they belong to the store of a test.

/** Counts clicks of a link in its counter. Returns the epoch that it has. */
export async function countClicks(linkId: string, shardId: string, clicks: readonly CountedClick[]): Promise<number> {
  const { epochOf, ofCounter } = await import('../../../lambdas/store/clicks/counts.ts');
  const { item } = await countIn(shardId, ofCounter(linkId, clicks));
  return epochOf(item);
}

/** Counts clicks of a link in its day. */
export async function addToDay({ day, ...ids }: LinkDay, shardId: string, clicks: readonly DayClick[]): Promise<void> {
  const { currentEpochs } = await import('../../../lambdas/store/clicks/counts.ts');
  const { emptyDay, ofDay } = await import('../../../lambdas/store/clicks/days.ts');
  const addition = ofDay(
    day,
    clicks.map((click) => ({ ...click, ...ids })),
  );
  const { item, mayBeNew } = await countIn(shardId, addition);
  const [epoch = 0] = mayBeNew ? await currentEpochs([ids.linkId]) : [];
  await emptyDay(item, epoch);
}

/** Counts clicks of a workspace in its day, or in that of a domain. */
export async function addToWorkspaceDay(
  { workspaceId, day, host }: Pick<LinkDay, 'workspaceId' | 'day' | 'host'>,
  shardId: string,
  clicks: readonly DayClick[],
): Promise<void> {
  const { ofWorkspaceDay } = await import('../../../lambdas/store/clicks/days.ts');
  const { shardOf } = await import('../../../lambdas/store/clicks/checkpoints.ts');
  const mine = clicks.map((click) => ({ ...click, linkId: '', workspaceId }));
  await countIn(shardId, ofWorkspaceDay(day, shardOf(shardId), mine, host));
}

async function countIn<C extends StreamClick>(shardId: string, addition: Addition<C>) {
  const { addUncounted } = await import('../../../lambdas/store/clicks/add-uncounted.ts');
  const { shardOf, tidy } = await import('../../../lambdas/store/clicks/checkpoints.ts');
  const { tryGetItems } = await import('../../../lambdas/store/table/reads.ts');
  const shard = shardOf(shardId);
  const [read] = await tryGetItems([addition.key]);
  const added = await addUncounted(shard, addition, read);
  await tidy(shard, addition.clicks, [added.item]);
  return added;
}
