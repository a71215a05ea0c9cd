import { vi } from 'vitest';

/** Lets no test wait for the time that a look-up of a destination takes, whatever it answers. */
export function withoutLookUpTime(): void {
  const { setTimeout } = globalThis;
  const atOnce = (done: () => void, ms: number) => setTimeout(done, ms === 1_500 ? 0 : ms);
  vi.spyOn(globalThis, 'setTimeout').mockImplementation(atOnce as typeof setTimeout);
}
