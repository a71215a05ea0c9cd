import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    globalSetup: 'test/support/global-setup.ts',
    // A process for each file: the store reads its settings from the environment.
    pool: 'forks',
    // What functions log under injected faults is of interest only where a test fails.
    silent: 'passed-only',
    // The first use of a function or of the embedded engine takes its time on a busy machine.
    testTimeout: 60_000,
    hookTimeout: 60_000,
    reporters: process.env.CI ? ['default', ['json', { outputFile: 'node_modules/.cache/test-results.json' }]] : ['default'],
  },
});
