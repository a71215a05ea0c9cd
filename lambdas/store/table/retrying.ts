import { backOff, timeLeft, withDeadline } from '../../runtime/deadline.ts';

/** Says that somebody else has changed what a decision was based on. */
export const overtaken = Symbol('overtaken');

/**
 * Reads, decides and writes, until nobody else interferes. Waits a moment before it starts over, so that competing
 * functions do not collide again.
 *
 * @param decide reads what it depends on, and writes on the condition that this has not changed; returns `overtaken` if
 *   it has.
 * @param budget how long to retry, in milliseconds, if the deadline allows it.
 * @throws RequestError `temporarily_unavailable` if time ran out; whatever `decide` throws
 */
export function retrying<T>(decide: () => Promise<T | typeof overtaken>, budget = Number.POSITIVE_INFINITY): Promise<T> {
  const decideUntilDone = async (): Promise<T> => {
    for (let attempt = 0; ; attempt++) {
      if (attempt > 0) await backOff(attempt);
      const result = await decide();
      if (result !== overtaken) return result;
    }
  };
  return budget < timeLeft() ? withDeadline(budget, decideUntilDone) : decideUntilDone();
}
