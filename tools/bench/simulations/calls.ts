import { longestPause, type WhenThrottled } from '../../../lambdas/runtime/deadline.ts';
import { attemptsAfter, maxAttempts } from '../../../lambdas/store/table/client.ts';
import type { Agenda } from './agenda.ts';
import { dynamoDb } from './limits.ts';
import type { Random } from './random.ts';

/** A store call of a function: it succeeds, or is throttled. */
export type Call = {
  /** Makes an attempt. False if the table throttles it. */
  readonly attempt: () => boolean;
  /** Notified if the table throttles the call, which is then not retried; if undefined, it is retried. */
  readonly whenThrottled?: WhenThrottled | undefined;
  /** How long the call may take with all its attempts, in milliseconds. */
  readonly withinMs?: number;
  readonly done: (isDone: boolean) => void;
};

/** Makes a call as `lambdas/store/table/client.ts` does, with its policy of retries. No response is lost. */
export function makeCall(
  { now, after }: Agenda,
  random: Random,
  { attempt, whenThrottled, withinMs = 20_000, done }: Call,
): void {
  const deadline = now() + withinMs;
  const tryOnce = (attempts: number, number: number) => {
    const isDone = attempt();
    after(dynamoDb.callMs, () => {
      if (isDone) return done(true);
      const left = attemptsAfter(attempts, true, whenThrottled);
      const pause = random() * longestPause(number);
      if (left <= 0 || now() + pause >= deadline) return done(false);
      after(pause, () => tryOnce(left, number + 1));
    });
  };
  tryOnce(maxAttempts, 1);
}
