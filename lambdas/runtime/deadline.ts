import { AsyncLocalStorage } from 'node:async_hooks';
import { unavailable } from '../core/errors.ts';
import { steadyTime } from './instant.ts';
import { stackOf } from './stack.ts';

/** The part of an invocation's time that is reserved for the response, in milliseconds. */
const reserve = 5_000;

/** Called when the table throttles an attempt of a call, which then isn't retried. */
export type WhenThrottled = () => void;

/** The limits of the store calls of some work. */
type Limits = {
  /** When all of them must be done, by the steady clock, which nobody sets and which runs during an invocation. */
  readonly deadline: number;
  /** How long each attempt may take, in milliseconds. */
  readonly attemptMs: number;
  readonly isVisit: boolean;
  /** Without it, throttled calls are retried. */
  readonly whenThrottled?: WhenThrottled | undefined;
};

const limits = new AsyncLocalStorage<Limits>();

/**
 * Runs `work` with a deadline for its store calls, `budget` milliseconds from now.
 *
 * @param attemptMs how long each attempt of a call may take. Less than the budget leaves time for another one if there
 *   is no response. The default is the present limit.
 * @param whenThrottled called if the table throttles a call, which then fails. By default, the call is retried.
 */
export const withDeadline = <T>(
  budget: number,
  work: () => Promise<T>,
  attemptMs = attemptLimit(),
  whenThrottled?: WhenThrottled,
): Promise<T> => limits.run({ deadline: steadyTime() + budget, attemptMs, isVisit: isVisit(), whenThrottled }, work);

const attemptLimit = (): number => limits.getStore()?.attemptMs ?? Number.POSITIVE_INFINITY;

/** The part of Lambda's context that is used here. */
type Context = { getRemainingTimeInMillis(): number };

/**
 * Runs `work` with the invocation's deadline for store calls: 20 of a function's 25 seconds, within the gateway's 29.
 * Lambda logs errors that are thrown here, so their stacks are mapped to the source files.
 */
export const withinInvocation = <T>(context: Context, work: () => Promise<T>): Promise<T> => inInvocation(context, work, false);

/** The same for a visitor of a short link, whose reads are retried sooner. */
export const withinVisit = <T>(context: Context, work: () => Promise<T>): Promise<T> => inInvocation(context, work, true);

function inInvocation<T>(context: Context, work: () => Promise<T>, isVisit: boolean): Promise<T> {
  const deadline = steadyTime() + context.getRemainingTimeInMillis() - reserve;
  return limits.run({ deadline, attemptMs: Number.POSITIVE_INFINITY, isVisit }, work).catch((error: unknown) => {
    if (error instanceof Error) Object.assign(error, { stack: stackOf(error) });
    throw error;
  });
}

/** Whether a visitor of a short link waits for this work. */
export const isVisit = (): boolean => limits.getStore()?.isVisit ?? false;

/** What to call if the table throttles a call of this work; undefined if such calls are retried. */
export const whenThrottled = (): WhenThrottled | undefined => limits.getStore()?.whenThrottled;

/** How many milliseconds are left until the deadline; infinite without one. */
export const timeLeft = (): number => (limits.getStore()?.deadline ?? Number.POSITIVE_INFINITY) - steadyTime();

/** How many milliseconds the next attempt of a call may take. */
export const timeForAttempt = (): number => Math.min(timeLeft(), attemptLimit());

/**
 * The longest pause before a retry, in milliseconds.
 *
 * @param attempt the number of the attempt that failed, from 1 on.
 */
export const longestPause = (attempt: number): number => Math.min(500, 20 * 2 ** attempt);

/**
 * Waits before a retry: a random time up to the longest pause, so that colliding requests do not collide again
 * (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
 *
 * @param until another deadline, by the steady clock.
 * @throws RequestError `temporarily_unavailable` if no time is left for a retry.
 */
export async function backOff(attempt: number, until = Number.POSITIVE_INFINITY): Promise<void> {
  const pause = Math.random() * longestPause(attempt);
  if (pause >= timeLeft() || steadyTime() + pause > until) throw unavailable();
  // An import would load it whenever a function starts.
  await process.getBuiltinModule('node:timers/promises').setTimeout(pause);
}
