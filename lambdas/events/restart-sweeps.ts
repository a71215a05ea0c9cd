import type { Context } from 'aws-lambda';
import { withinInvocation } from '../runtime/deadline.ts';
import { restartStalledSweeps } from '../store/sweeps.ts';

/** Runs by a schedule: a sweep whose page failed for good goes on an hour later at the latest. */
export const handler = (_event: unknown, context: Context): Promise<void> =>
  withinInvocation(context, async () => {
    const restarted = await restartStalledSweeps();
    if (restarted > 0) console.warn({ message: 'sweeps had stalled and go on', restarted });
  });
