import { readFileSync } from 'node:fs';
import { expect } from 'vitest';

// In `npm test`, the randomized tests of a commit try the same each time, so that its verdict can be repeated. The next
// commit tries something else, and `npm run proof` tries something else each time.
const { testPath = '' } = expect.getState();
if (/fast-check|support\/model/.test(readFileSync(testPath, 'utf8'))) {
  const { default: fc } = await import('fast-check');
  fc.configureGlobal({ seed: Number(process.env.SEED) });
}
