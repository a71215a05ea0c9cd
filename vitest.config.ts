import { globSync, readFileSync } from 'node:fs';
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
/** The tests at random: `npm run proof` runs them alone, many times as long. */
const isProof = process.env.PROOF !== undefined;
const atRandom = globSync('test/**/*.test.ts').filter((file) => /\bruns\(/.test(readFileSync(file, 'utf8')));
/** Says so where the second engine cannot be had. */
const secondEngine = 'test/support/dynamodb-local.test.ts';

export default defineConfig({
  test: {
    // A process for each file: the store reads its settings from the environment.
    pool: 'forks',
    // More than there are cores: much of the time a test waits for an engine, or for a time that it is about.
    maxWorkers: availableParallelism() + 2,
    maxConcurrency: 20,
    // What functions log under injected faults is of interest only where a test fails.
    silent: isProof ? false : 'passed-only',
    onConsoleLog: (line) => !isProof || /^\d+ runs, seed /.test(line),
    // The first use of a function or of an engine takes its time on a busy machine.
    testTimeout: isProof ? 60 * 60_000 : 60_000,
    hookTimeout: 60_000,
    setupFiles: isProof ? ['test/support/proof-setup.ts'] : [],
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'node_modules/.cache/test-results.json' }]] : ['default'],
    projects: [
      {
        extends: true,
        test: {
          name: 'embedded',
          include: isProof ? atRandom : ['test/**/*.test.ts'],
          exclude: [secondEngine],
          globalSetup: 'test/support/global-setup.ts',
        },
      },
      {
        // The store's tests again, on AWS's own DynamoDB Local.
        extends: true,
        test: {
          name: 'dynamodb-local',
          env: { ENGINE: isProof ? '' : 'dynamodb-local' },
          include: [secondEngine, ...(hasJava17() ? (isProof ? ['test/lambdas/faults.test.ts'] : storeTests) : [])],
          exclude: embeddedAlone,
          globalSetup: 'test/support/dynamodb-local-setup.ts',
        },
      },
    ],
  },
});
