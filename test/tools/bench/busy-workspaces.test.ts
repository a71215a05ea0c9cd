import { beforeAll, describe, expect, test } from 'vitest';
import type { BusyWorkspace, BusyWorkspaceResult } from '../../../tools/bench/simulations/busy-workspace.ts';
import { functionSettings } from '../../../tools/bench/support/local-service.ts';
import { useTables } from '../../support/store/tables.ts';

// The simulations of `npx node tools/bench/busy-workspaces.ts` and `million-links.ts`, for a shorter time. The figures do not
// depend on the machine.

let simulate: (busy: BusyWorkspace) => Promise<BusyWorkspaceResult>;
beforeAll(async () => {
  await useTables();
  Object.assign(process.env, functionSettings);
  const { simulateBusyWorkspace } = await import('../../../tools/bench/simulations/busy-workspace.ts');
  // Partitions have little burst capacity saved up, so half a second shows their lasting rate.
  simulate = (busy) => simulateBusyWorkspace({ ...busy, burstMs: 200 });
});

describe('In simulated time', () => {
  test('A workspace creates 100 links a second with 20 tags each, and each request takes less than a second.', async () => {
    const work = { createsPerSecond: 100, seconds: 0.5 };
    const { done, failed, longest } = await simulate({ tags: 100, tagsPerLink: 20, work });
    expect(done).toBeGreaterThan(25);
    expect(failed).toBe(0);
    expect(longest).toBeLessThanOrEqual(1_000);
  });

  test('A bulk update replaces 20 tags of 60 links by 20 others within three seconds.', async () => {
    const { done, longest } = await simulate({ tags: 40, tagsPerLink: 20, work: { replaceTagsOf: 60 } });
    expect(done).toBe(60);
    expect(longest).toBeLessThanOrEqual(3_000);
  });

  test('At the pace of the import client with a lifted limit, no request fails, and most wait for at most one other.', async () => {
    const work = { pacedImports: 5, perMinute: 30 };
    const { done, failed, median } = await simulate({ tags: 0, tagsPerLink: 0, work });
    expect([done, failed]).toEqual([5_000, 0]);
    // Retries wait for random times, so the longest request varies most. The median of two at a time is 1,400 to 2,400 ms,
    // and that of six 3,200 to 4,100 ms.
    expect(median).toBeLessThanOrEqual(2_900);
  });
});
