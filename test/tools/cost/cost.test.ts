import { expect, inject, test, vi } from 'vitest';
import { functionSettings } from '../../../tools/bench/support/local-service.ts';
import { patience } from '../../support/run/patience.ts';
import { useTables } from '../../support/store/tables.ts';

// Functions remember the blocked hosts for 50 seconds. On a slow machine that would end between an operation's
// preparation and its measurement, so here no time passes for what they remember.
vi.mock('../../../lambdas/runtime/instant.ts', async (original) => {
  const real = await original<typeof import('../../../lambdas/runtime/instant.ts')>();
  const start = real.instant();
  return { ...real, instant: () => start };
});

// On a slow machine, a sender would read secrets again, and a call that begins late would ask for another time, a write.
vi.mock('../../../lambdas/core/webhook/webhook-secret.ts', async (original) => ({
  ...(await original<typeof import('../../../lambdas/core/webhook/webhook-secret.ts')>()),
  rememberedMs: Number.POSITIVE_INFINITY,
}));
vi.mock('../../../lambdas/core/webhook/host-calls.ts', async (original) => ({
  ...(await original<typeof import('../../../lambdas/core/webhook/host-calls.ts')>()),
  latestMs: Number.POSITIVE_INFINITY,
}));

// On a slow machine, a call that takes longer would be sent again, and take more units.
vi.mock('../../../lambdas/store/table/operations.ts', async (original) => ({
  ...(await original<typeof import('../../../lambdas/store/table/operations.ts')>()),
  connectionTimeout: patience,
  requestTimeout: patience,
}));

// On a slow machine, an import would renew its lease, a write each time.
vi.mock('../../../lambdas/store/schedules/leases.ts', async (original) => ({
  ...(await original<typeof import('../../../lambdas/store/schedules/leases.ts')>()),
  whileRenewing: (_: unknown, work: () => unknown) => work(),
}));

// "npm run cost" runs this test with permission to update the files.
test('docs/cost.md and its data have the capacity of each operation and the price of a month and of each setting, and a million redirects cost at most $2.10, with a cap at most $3.00.', async () => {
  await useTables();
  Object.assign(process.env, functionSettings);
  const { costFiles } = await import('../../../tools/cost/cost-page.ts');
  const { page, operations, prices } = await costFiles(inject('service').outdir);
  await expect(page).toMatchFileSnapshot('../../../docs/cost.md');
  await expect(operations).toMatchFileSnapshot('../../../docs/cost/operations.csv');
  await expect(prices).toMatchFileSnapshot('../../../docs/cost/prices.csv');
  const [, redirects, capped] =
    /A million redirects, recorded and counted,\*\* cost \$([\d.]+), and \$([\d.]+) if/.exec(page) ?? [];
  expect(Number(redirects)).toBeGreaterThan(0);
  expect(Number(redirects), 'a million redirects').toBeLessThanOrEqual(2.1);
  expect(Number(capped), 'a million redirects of capped links').toBeLessThanOrEqual(3);
});
