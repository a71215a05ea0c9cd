/**
 * A moment by two clocks, in milliseconds. The wall clock may jump. The steady one only runs forwards, but it may stand
 * still while Lambda has frozen the function.
 */
export type Instant = { readonly wall: number; readonly steady: number };

/**
 * The steady clock, in milliseconds from some fixed moment. Not `performance.now()`, because Node loads `perf_hooks`
 * for it, which adds a millisecond to a function's start.
 */
export const steadyTime = (): number => Number(process.hrtime.bigint()) / 1e6;

/** The present moment. `wall` counts from 1970. */
export const instant = (): Instant => ({ wall: Date.now(), steady: steadyTime() });

/** Whether, by both clocks, less than `ms` milliseconds have passed between two moments, and neither was set back. */
export const isWithin = (ms: number, from: Instant, to: Instant): boolean =>
  [to.wall - from.wall, to.steady - from.steady].every((passed) => passed >= 0 && passed < ms);
