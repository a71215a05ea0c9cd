import { beforeAll, describe, expect, test } from 'vitest';
import type { CappedLink, CappedLinkResult } from '../../../tools/bench/simulations/capped-link.ts';
import { functionSettings } from '../../../tools/bench/support/local-service.ts';
import { useTables } from '../../support/store/tables.ts';

// The simulation of `npx node tools/bench/capped-links.ts`, for a shorter time. The figures do not depend on the machine.

let simulate: (capped: CappedLink) => Promise<CappedLinkResult>;
beforeAll(async () => {
  await useTables();
  Object.assign(process.env, functionSettings);
  const { simulateCappedLink } = await import('../../../tools/bench/simulations/capped-link.ts');
  simulate = (capped) => simulateCappedLink(capped);
});

/** Partitions have hardly any burst capacity saved up, so half a second shows their lasting rate. */
const busy = { maxClicks: 10_000, arrive: { perSecond: 800, seconds: 0.5 }, burstMs: 50 } as const;

describe('In simulated time', () => {
  test('A link with a cap redirects 800 visitors a second, who wait a second at most, while its owner and the operator change it.', async () => {
    const result = await simulate(busy);
    expect(Object.keys(result.statuses)).toEqual(['302']);
    expect(result.statuses[302]).toBeGreaterThan(300);
    expect(result.waited.median).toBeLessThanOrEqual(30);
    expect(result.waited.longest).toBeLessThanOrEqual(1_000);
    expect([result.owner.failed, result.operator.failed]).toEqual([0, 0]);
    expect(Math.max(result.owner.longest, result.operator.longest)).toBeLessThanOrEqual(100);
  });

  test('The largest link with a cap redirects 100 visitors a second, who wait a second at most.', async () => {
    const { largestSettings } = await import('../../../tools/cost/arrangements.ts');
    const settings = { ...largestSettings, cloaked: true, unframeableUrl: largestSettings.url };
    const arrive = { perSecond: 100, seconds: 0.5 };
    // They take three quarters of a partition's capacity, and some come in crowds.
    const { statuses, waited, used } = await simulate({ ...busy, burstMs: 250, arrive, settings });
    expect(Object.keys(statuses)).toEqual(['302']);
    expect(waited.longest).toBeLessThanOrEqual(1_000);
    // Each visit reads all of it twice.
    expect(used.readUnits / (statuses[302] ?? 0)).toBeGreaterThanOrEqual(22);
  });

  test('Of 300 visitors at the same moment, exactly as many as the cap allows are redirected, and all others get 410.', async () => {
    const result = await simulate({ maxClicks: 10, arrive: { burst: 300 } });
    expect(result.statuses).toEqual({ 302: 10, 410: 290 });
    expect(result.waited.longest).toBeLessThanOrEqual(1_000);
  });

  test('Visitors of a used-up link take two reads each, and no write.', async () => {
    const visits = { maxClicks: 1, usedBefore: 2, arrive: { perSecond: 500, seconds: 0.5 } } as const;
    const { statuses, used } = await simulate(visits);
    expect(statuses[302]).toBeUndefined();
    expect(statuses[410]).toBeGreaterThan(150);
    // Besides those of the owner and the operator. How often these read depends on when visitors come, which is random.
    expect(used.writeUnits).toBeLessThanOrEqual(12);
    expect(used.readUnits).toBeLessThanOrEqual(2 * (statuses[410] ?? 0) + 40);
  });
});
