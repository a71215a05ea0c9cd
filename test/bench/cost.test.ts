import { expect, inject, test } from 'vitest';
import { functionSettings } from '../../bench/local-service.ts';
import { useTables } from '../support/tables.ts';

// "npm run cost" runs this test with permission to update the page.
test('docs/cost.md says what capacity each operation takes, and what it costs.', async () => {
  await useTables();
  Object.assign(process.env, functionSettings);
  const { costPage } = await import('../../bench/cost-page.ts');
  await expect(await costPage(inject('service').outdir)).toMatchFileSnapshot('../../docs/cost.md');
});
