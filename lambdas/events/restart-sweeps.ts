import type { Context } from 'aws-lambda';
import { withinInvocation } from '../runtime/deadline.ts';
import { restartStalledSweeps } from '../store/sweeps/sweeps.ts';

/** Runs every hour and restarts sweeps that have not moved for 10 minutes, because a page failed for good. */
export const handler = (_event: unknown, context: Context): Promise<void> =>
  withinInvocation(context, async () => {
    const restarted = await restartStalledSweeps();
    if (restarted > 0) console.warn({ message: 'restarted stalled sweeps', restarted });
  });
