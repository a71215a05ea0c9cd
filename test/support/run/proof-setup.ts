import fc from 'fast-check';
import { expect } from 'vitest';

// `npm run proof` prints each property with its number of runs, and the seed that reproduces them.
fc.configureGlobal({
  reporter: (details) => {
    if (details.failed) throw new Error(fc.defaultReportMessage(details));
    console.log(`${details.numRuns} runs, seed ${details.seed}: ${expect.getState().currentTestName}`);
  },
});
