import { expect, inject, test } from 'vitest';
import { functionSettings } from '../../bench/local-service.ts';
import { useTable } from '../support/table.ts';

// "npm run cost" is this test, with leave to write the page anew.
test('docs/cost.md says what each operation takes of the table, and costs.', async () => {
  await useTable();
  Object.assign(process.env, functionSettings);
  const { costPage } = await import('../../bench/cost-page.ts');
  await expect(await costPage(inject('service').outdir)).toMatchFileSnapshot('../../docs/cost.md');
});
