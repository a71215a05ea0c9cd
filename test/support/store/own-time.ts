import { AsyncLocalStorage } from 'node:async_hooks';
import promises, { setImmediate as nextTick } from 'node:timers/promises';

/** How many milliseconds have passed for some work. */
const own = new AsyncLocalStorage<{ passed: number }>();

/** How many times longer a limit is that guards something real, such as an exchange with the engine. */
const patience = 20;

/**
 * Does work whose deadlines are in a time of its own. Pauses between attempts take none of the machine's time, but all of
 * the work's own, and so does each call of the store. So the outcome does not depend on how busy the machine is. The wall clock, and the
 * age of what functions remember, stay what they are.
 */
export const inOwnTime = <T>(work: () => Promise<T>): Promise<T> => own.run({ passed: 0 }, work);

/** Lets time pass for the work that calls it. Does nothing outside of such work. */
export function pass(ms: number): void {
  const time = own.getStore();
  if (time) time.passed += ms;
}

/** `lambdas/runtime/instant.ts` with the steady clock of such work. For `vi.mock`. */
export function withOwnTime(original: typeof import('../../../lambdas/runtime/instant.ts')) {
  useOwnTimers();
  return { ...original, steadyTime: () => own.getStore()?.passed ?? original.steadyTime() };
}

/**
 * Replaces the timers of this process: of the pauses, only those between attempts, which `backOff` looks up each time.
 * Other work notices nothing.
 */
function useOwnTimers(): void {
  const wait = promises.setTimeout;
  promises.setTimeout = (async (ms, value, options) => {
    if (!own.getStore()) return wait(ms, value, options);
    pass(ms ?? 0);
    await nextTick();
    return value;
  }) as typeof wait;
  const patiently = (ms: number) => (own.getStore() ? Math.min(ms * patience, 2 ** 31 - 1) : ms);
  const { timeout } = AbortSignal;
  AbortSignal.timeout = (ms) => timeout.call(AbortSignal, patiently(ms));
  const start = globalThis.setTimeout;
  globalThis.setTimeout = Object.assign((work: () => void, ms = 0) => start(work, patiently(ms)), start) as typeof start;
}
