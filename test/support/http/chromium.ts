import type { Browser } from 'playwright-core';
import { startChromium } from '../../../tools/browser/chromium.ts';

export { chromiumPath, newPage, startChromium } from '../../../tools/browser/chromium.ts';

let shared: Promise<Browser> | undefined;

/** A browser for all test files of a process, which ends with it. Each test has a context of its own. */
export function useChromium(): Promise<Browser> {
  shared ??= startChromium();
  return shared;
}
