import { unavailable } from '../../core/errors.ts';
import { backOff, timeForAttempt, type WhenThrottled, whenThrottled } from '../../runtime/deadline.ts';
import { leavesOpen, type ServiceError } from '../../runtime/failed-calls.ts';
import { loggedRequest } from '../../runtime/logged-request.ts';
import type { Options } from './operations.ts';

/** An item with plain JavaScript values. */
export type Item = Record<string, unknown>;

/** How many attempts a call gets. */
export const maxAttempts = 5;

/** Errors of calls that a table throttled. */
const throttledNames = new Set(['ProvisionedThroughputExceededException', 'RequestLimitExceeded', 'ThrottlingException']);

/** Errors of calls that the store refused before it did anything, and may accept later. */
const refusedNames = new Set([
  ...throttledNames,
  // This function's clock is off by more than AWS allows. The next attempt is signed by the time in the error response.
  'InvalidSignatureException',
  'LimitExceededException',
]);

/** True if a failure leaves open whether the store has executed the call, or still will. */
export const isAmbiguous = (error: ServiceError): boolean => !refusedNames.has(error.name) && leavesOpen(error);

const isTransient = (error: ServiceError): boolean => refusedNames.has(error.name) || isAmbiguous(error);

/** How many of its attempts a call has left after a failed one. */
export function attemptsAfter(attempts: number, isThrottled: boolean, tell: WhenThrottled | undefined): number {
  if (!isThrottled || !tell) return attempts - 1;
  tell();
  return 0;
}

/**
 * Makes a call, and retries transient failures until the deadline. A retried write may find that an earlier attempt was
 * executed, even after another request has written since. The earlier attempt may also arrive later. So every write
 * must be one for which that does no harm: see `writes.ts`.
 *
 * @param attempts how many attempts to make: 1 if the call is optional. Throttling ends the attempts if the work has
 *   `whenThrottled`.
 * @param firstMs how long the first of them may take, in milliseconds.
 * @throws RequestError `temporarily_unavailable` if all attempts failed or the deadline has passed; other errors
 *   unchanged.
 */
export async function call<T>(
  send: (options: Options) => Promise<T>,
  { attempts = maxAttempts, firstMs = Number.POSITIVE_INFINITY }: { attempts?: number | undefined; firstMs?: number } = {},
): Promise<T> {
  let attemptsLeft = attempts;
  for (let attempt = 1; ; attempt++) {
    const left = Math.floor(Math.min(timeForAttempt(), attempt === 1 ? firstMs : 2 ** 31 - 1, 2 ** 31 - 1));
    if (left <= 0) throw unavailable();
    try {
      return await send({ timeLeft: left });
    } catch (error) {
      if (!(error instanceof Error) || !isTransient(error)) throw error;
      const { name, code } = error as ServiceError;
      console.warn({ message: 'a store call failed', ...loggedRequest(), attempt, name, code });
      attemptsLeft = attemptsAfter(attemptsLeft, throttledNames.has(name), whenThrottled());
      if (attemptsLeft <= 0) throw unavailable();
    }
    await backOff(attempt);
  }
}
