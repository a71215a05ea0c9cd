import { expect, test } from 'vitest';
import { functionSettings } from '../../../tools/bench/support/local-service.ts';
import { useTables } from '../../support/store/tables.ts';

test('Each kind of visit that the benchmarks measure succeeds each time, and all but previews are counted.', async () => {
  await useTables();
  Object.assign(process.env, functionSettings);
  const { unitsOf } = await import('../../../tools/bench/support/units.ts');
  const { invocation, newVisits, newWorkspace, visitEvent } = await import('../../../tools/bench/support/fixtures.ts');
  const { handler } = await import('../../../lambdas/redirect/redirect.ts');
  const { host, domain } = await newWorkspace();
  for (const [kind, { path, headers, status }] of Object.entries(await newVisits(domain))) {
    for (const visit of ['first', 'second']) {
      let result: Awaited<ReturnType<typeof handler>> = {};
      const { write } = await unitsOf(async () => {
        result = await handler(visitEvent(host, path(), headers), invocation);
      });
      expect(result.statusCode, `${visit} visit, ${kind}`).toBe(status);
      expect(write > 0, `${visit} visit, ${kind}`).toBe(kind !== 'preview');
    }
  }
});
