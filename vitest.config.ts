import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';
import { hasJava17 } from './test/support/dynamodb-local.ts';

/** What has to be true on any engine: the tests of the calls to DynamoDB. */
const storeTests = ['test/lambdas/{store,events}/**/*.test.ts', 'test/lambdas/faults.test.ts'];
/**
 * DynamoDB Local counts no units of statements, and 2 for a transaction of any size; a large sweep or list takes it a minute. The
 * whole service has an engine of its own.
 */
const embeddedAlone = [
  'test/lambdas/store/capacity.test.ts',
  'test/lambdas/events/counted-visits.test.ts',
  'test/lambdas/events/large-sweep.test.ts',
  'test/lambdas/store/links/large-list.test.ts',
];
/** Says so where the second engine cannot be had. */
const secondEngine = 'test/support/dynamodb-local.test.ts';

export default defineConfig({
  test: {
    // A process for each file: the store reads its settings from the environment.
    pool: 'forks',
    // Two at least: much of the time an engine is waited for, or a time that a test is about.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    // What functions log under injected faults is of interest only where a test fails.
    silent: 'passed-only',
    // The first use of a function or of an engine takes its time on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'node_modules/.cache/test-results.json' }]] : ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'embedded',
          include: ['test/**/*.test.ts'],
          exclude: [secondEngine],
          globalSetup: 'test/support/global-setup.ts',
        },
      },
      {
        // The store's tests again, on AWS's own DynamoDB Local.
        extends: true,
        test: {
          name: 'dynamodb-local',
          include: [secondEngine, ...(hasJava17() ? storeTests : [])],
          exclude: embeddedAlone,
          globalSetup: 'test/support/dynamodb-local-setup.ts',
        },
      },
    ],
  },
});
