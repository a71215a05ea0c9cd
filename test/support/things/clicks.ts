import { type Click, nothingKnown, type RowDimension, rowDimensions } from '../../../lambdas/core/click/click.ts';
import { newClick } from '../../../lambdas/core/click/new-click.ts';
import type { Link } from '../../../lambdas/core/link/link.ts';
import { inParallel } from '../../../lambdas/runtime/in-parallel.ts';
import { contextWith } from '../http/invoke.ts';

/** A click at a time, with no other data of the visitor. */
export const clickOf = (
  link: Pick<Link, 'id' | 'workspaceId' | 'domain' | 'clickEpoch'>,
  at: string | number,
  visitor: Partial<Record<RowDimension, string>> & Pick<Click, 'visitor'> = {},
): Click => newClick(link, new Date(at).getTime(), { ...nothingKnown, ...visitor });

let made = 0;

/** As long as on AWS. */
const nextSequenceNumber = () => String(300_000_000_000_000_000_000n + BigInt(++made));
const newShardId = () => `shardId-0000000189${String(++made).padStart(10, '0')}-0123abcd`;

/** The record of a click, as the stream delivers it. */
export async function recordOf(click: Click, sequenceNumber = nextSequenceNumber()) {
  const { clickItem } = await import('../../../lambdas/store/clicks/clicks.ts');
  const { pk, sk, ttl } = clickItem(click);
  const values = rowDimensions.map((dimension) => [dimension, { S: click[dimension] }]);
  return {
    dynamodb: {
      Keys: { pk: { S: pk }, sk: { S: sk } },
      NewImage: {
        workspaceId: { S: click.workspaceId },
        host: { S: click.host },
        ...(click.visitor !== undefined && { visitor: { S: click.visitor } }),
        epoch: { N: String(click.epoch) },
        ttl: { N: String(ttl) },
        ...Object.fromEntries(values),
      },
      SequenceNumber: sequenceNumber,
      ApproximateCreationDateTime: Math.floor(Date.parse(click.at) / 1_000),
    },
  };
}

/** Counts clicks, as the stream delivers them by a shard, without recording them. */
export async function countClicks(clicks: readonly Click[], shardId = newShardId()): Promise<void> {
  await (await deliveryOf(clicks, shardId))();
}

/** Returns a function that delivers clicks by a shard of the stream each time it is called. */
export async function deliveryOf(clicks: readonly Click[], shardId = newShardId()): Promise<() => Promise<void>> {
  const { handler } = await import('../../../lambdas/events/count-clicks.ts');
  const batches: Awaited<ReturnType<typeof recordOf>>[][] = [];
  for (let start = 0; start < clicks.length; start += 1_000) {
    batches.push(await Promise.all(clicks.slice(start, start + 1_000).map((click) => recordOf(click))));
  }
  return async () => {
    for (const Records of batches) await handler({ Records, shardId }, contextWith(20_000));
  };
}

/** Records clicks, without counting them. */
export async function recordClicks(clicks: readonly Click[]): Promise<void> {
  const { recordClick } = await import('../../../lambdas/store/clicks/clicks.ts');
  await inParallel(clicks, 25, recordClick);
}

/** Records clicks and counts them. */
export async function makeClicks(clicks: readonly Click[]): Promise<void> {
  await recordClicks(clicks);
  await countClicks(clicks);
}
