import { vi } from 'vitest';

/** Removes the wait for the time that a destination lookup always takes (1.5 s, `lookUpMs`), so that tests are fast. */
export function withoutLookUpTime(): void {
  const { setTimeout } = globalThis;
  const atOnce = (done: () => void, ms: number) => setTimeout(done, ms === 1_500 ? 0 : ms);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(atOnce as typeof setTimeout);
}
