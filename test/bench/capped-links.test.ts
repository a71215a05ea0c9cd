import { beforeAll, describe, expect, test } from 'vitest';
import type { CappedLink, CappedLinkResult } from '../../bench/capped-link-simulation.ts';
import { functionSettings } from '../../bench/local-service.ts';
import { useTables } from '../support/tables.ts';

// What `node bench/capped-links.ts` simulates, for a shorter time. The figures do not depend on the machine.

let simulate: (capped: CappedLink) => Promise<CappedLinkResult>;
beforeAll(async () => {
  await useTables();
  Object.assign(process.env, functionSettings);
  const { simulateCappedLink } = await import('../../bench/capped-link-simulation.ts');
  simulate = (capped) => simulateCappedLink(capped, Math.random);
});

describe('In simulated time', () => {
  test('A link with a cap redirects 800 visitors a second, who wait a second at most, while its owner and the operator change it.', async () => {
    const result = await simulate({ maxClicks: 10_000, arrive: { perSecond: 800, seconds: 0.5 }, by: 'cap item' });
    expect(Object.keys(result.statuses)).toEqual(['302']);
    expect(result.statuses[302]).toBeGreaterThan(300);
    expect(result.waited.median).toBeLessThanOrEqual(30);
    expect(result.waited.longest).toBeLessThanOrEqual(1_000);
    expect([result.owner.failed, result.operator.failed]).toEqual([0, 0]);
    expect(Math.max(result.owner.longest, result.operator.longest)).toBeLessThanOrEqual(100);
  });

  test('Of 300 visitors at the same moment, exactly as many as the cap allows are redirected, and all others get 410.', async () => {
    const result = await simulate({ maxClicks: 10, arrive: { atOnce: 300 }, by: 'cap item' });
    expect(result.statuses).toEqual({ 302: 10, 410: 290 });
    expect(result.waited.longest).toBeLessThanOrEqual(1_000);
  });

  test('Visitors of a used-up link take two reads each, and no write.', async () => {
    const visits = { maxClicks: 1, usedBefore: 2, arrive: { perSecond: 500, seconds: 0.5 } } as const;
    const { statuses, used } = await simulate({ ...visits, by: 'cap item' });
    expect(statuses[302]).toBeUndefined();
    expect(statuses[410]).toBeGreaterThan(150);
    // Besides those of the owner and the operator.
    expect(used.writeUnits).toBeLessThanOrEqual(12);
  });
});
