import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { unavailable } from '../domain/errors.ts';
import { stackOf } from './stack.ts';

/** What an invocation keeps back of its time to give its answer, in milliseconds. */
const reserve = 5_000;

const deadline = new AsyncLocalStorage<number>();

/** Runs `work` with an end to the store calls in it, `budget` milliseconds from now. */
export const withDeadline = <T>(budget: number, work: () => Promise<T>): Promise<T> => deadline.run(Date.now() + budget, work);

/**
 * Runs `work` with an end to the store calls in it: 20 s of a function's 25, which is within the gateway's 29. What it throws is logged
 * by Lambda, so its stack is that of the sources.
 */
export const withinInvocation = <T>(context: { getRemainingTimeInMillis(): number }, work: () => Promise<T>): Promise<T> =>
  withDeadline(context.getRemainingTimeInMillis() - reserve, work).catch((error: unknown) => {
    if (error instanceof Error) Object.assign(error, { stack: stackOf(error) });
    throw error;
  });

/** How many milliseconds the request under way has left. */
export const timeLeft = (): number => (deadline.getStore() ?? Number.POSITIVE_INFINITY) - Date.now();

/**
 * Waits before another attempt: up to `20 ms * 2^attempt`, at most half a second, at random, so that those who collided
 * do not collide again (https://aws.amazon.com/blogs/architecture/exponential-backoff-and-jitter/).
 *
 * @throws RequestError `temporarily_unavailable` where the time does not allow another attempt.
 */
export async function backOff(attempt: number, until = Number.POSITIVE_INFINITY): Promise<void> {
  const pause = Math.random() * Math.min(500, 20 * 2 ** attempt);
  if (pause >= timeLeft() || Date.now() + pause > until) throw unavailable();
  await wait(pause);
}
