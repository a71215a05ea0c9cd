import fc from 'fast-check';
import { expect } from 'vitest';

// `npm run proof` says what it tried: each property with its runs, and the seed that does the same again.
fc.configureGlobal({
  reporter: (details) => {
    if (details.failed) throw new Error(fc.defaultReportMessage(details));
    console.log(`${details.numRuns} runs, seed ${details.seed}: ${expect.getState().currentTestName}`);
  },
});
