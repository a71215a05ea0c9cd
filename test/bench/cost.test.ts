import { readFileSync } from 'node:fs';
import { expect, inject, test } from 'vitest';
import { functionSettings } from '../../bench/local-service.ts';
import { useTable } from '../support/table.ts';

test('docs/cost.md is what "npm run cost" prints, units and all', async () => {
  await useTable();
  Object.assign(process.env, functionSettings);
  const { costPage } = await import('../../bench/cost-page.ts');
  expect(readFileSync('docs/cost.md', 'utf8')).toBe(await costPage(inject('service').outdir));
});
