import { none, nothingKnown } from '../../lambdas/core/click/click.ts';
import { newClickId } from '../../lambdas/core/ids.ts';
import { handler as sealClicks } from '../../lambdas/events/seal-clicks.ts';
import { writeTail } from '../../lambdas/store/clicks/tail.ts';
import { tailsToSeal } from '../../lambdas/store/clicks/tail-entries.ts';
import { mergeRoundKey, tailEntryKey } from '../../lambdas/store/table/keys.ts';
import { deleteItem, putItem } from '../../lambdas/store/table/writes.ts';
import { invocation, newWorkspace } from '../bench/support/fixtures.ts';

// Prepares data for the function that seals clicks, and calls it as the schedules would.

const dayMs = 24 * 60 * 60_000;
/** The function has five minutes, and starts only what it has time for. */
const whole = { ...invocation, getRemainingTimeInMillis: () => 300_000 };

async function sealNothing(): Promise<void> {
  for await (const { workspaceId } of tailsToSeal()) await deleteItem(tailEntryKey(workspaceId));
  await putItem({ ...mergeRoundKey, startedAt: new Date().toISOString(), token: 'done', isDone: true });
}

/** The schedule's hourly work if no tail is due, and the files were already checked today. */
export const nothingToSeal = async () => {
  await sealNothing();
  return async () => {
    await sealClicks({ isHourly: true }, whole);
    return 1;
  };
};

/** Moves a tail of that many clicks, of one batch of the stream and one month, into a file. */
export const sealingOf = (count: number) => async () => {
  await sealNothing();
  const { workspaceId, host } = await newWorkspace();
  const since = new Date(Date.now() - 10 * dayMs).toISOString();
  const rows = Array.from({ length: count }, (_, index) => ({
    ...nothingKnown,
    slug: 'launch',
    path: none,
    utmSource: none,
    utmMedium: none,
    utmCampaign: none,
    id: newClickId(),
    at: since,
    linkId: `lnk_${String(index % 100).padStart(28, '0')}`,
    host,
    epoch: 0,
    shard: 'AbCdEfGhIjK',
    sequenceNumber: String(400_000_000_000_000_000_000n + BigInt(index)),
  }));
  const bytes = await writeTail(workspaceId, 'AbCdEfGhIjK', rows);
  await putItem({ ...tailEntryKey(workspaceId), bytes, since, at: Date.parse(since) });
  return async () => {
    await sealClicks({}, whole);
    return 1;
  };
};
