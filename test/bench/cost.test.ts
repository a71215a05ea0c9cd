import { expect, inject, test } from 'vitest';
import { functionSettings } from '../../bench/local-service.ts';
import { useTables } from '../support/tables.ts';

// "npm run cost" runs this test with permission to update the page.
test('docs/cost.md says what capacity each operation takes, and what it costs: a million redirects at most $2.10, capped at most $3.00.', async () => {
  await useTables();
  Object.assign(process.env, functionSettings);
  const { costPage } = await import('../../bench/cost-page.ts');
  const page = await costPage(inject('service').outdir);
  await expect(page).toMatchFileSnapshot('../../docs/cost.md');
  const [, redirects, capped] =
    /A million redirects, recorded and counted,\*\* cost \$([\d.]+), and \$([\d.]+) if/.exec(page) ?? [];
  expect(Number(redirects)).toBeGreaterThan(0);
  expect(Number(redirects), 'a million redirects').toBeLessThanOrEqual(2.1);
  expect(Number(capped), 'a million redirects of capped links').toBeLessThanOrEqual(3);
}, 180_000);
