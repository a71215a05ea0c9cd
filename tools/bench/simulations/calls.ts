import { longestPause, type Patience, type Tries } from '../../../lambdas/runtime/deadline.ts';
import { maxAttempts, triesAfter } from '../../../lambdas/store/table/client.ts';
import type { Agenda } from './agenda.ts';
import { dynamoDb } from './limits.ts';
import type { Random } from './random.ts';

const usualTries: Tries = { attempts: maxAttempts, firstMs: Number.POSITIVE_INFINITY };

/** A store call of a function: it succeeds, or is throttled. */
export type Call = {
  /** Makes an attempt. False if the table throttles it. */
  readonly attempt: () => boolean;
  /** The function's patience with a busy table; undefined if it tries as often as usual. */
  readonly patience?: Patience | undefined;
  /** How long the call may take with all its attempts, in milliseconds. */
  readonly withinMs?: number;
  readonly done: (isDone: boolean) => void;
};

/** Makes a call as `lambdas/store/table/client.ts` does, with its policy of retries. No response is lost. */
export function makeCall({ now, after }: Agenda, random: Random, { attempt, patience, withinMs = 20_000, done }: Call): void {
  const deadline = now() + withinMs;
  const tryOnce = (tries: Tries, number: number) => {
    const isDone = attempt();
    after(dynamoDb.callMs, () => {
      if (isDone) return done(true);
      const next = triesAfter(tries, true, patience);
      const pause = random() * longestPause(number);
      if (next.attempts <= 0 || now() + pause >= deadline) return done(false);
      after(pause, () => tryOnce(next, number + 1));
    });
  };
  tryOnce(patience?.tries() ?? usualTries, 1);
}
