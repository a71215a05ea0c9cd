import { ProblemError } from '../../typescript/problem.ts';
import { isUnsure, UnsureError } from './failures.ts';

// What the page does about requests that are refused for the moment, or that get no answer. It says what it waits for.

/** Shows what a request waits for; '' if it waits for nothing. */
export type Say = (text: string) => void;
export type Wait = (ms: number) => Promise<unknown>;

export const waitFor: Wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const checking = 'Checking whether it was saved…';

const second = 1_000;
const mostRefusals = 5;
/** Pauses before a request without an answer is sent again. */
const pauses: readonly number[] = [1_000, 2_000, 4_000];

/**
 * Sends a request again after the time that a limit takes, and counts the seconds down.
 *
 * @param most how often.
 */
export async function patiently<T>(
  send: () => Promise<T>,
  say: Say = () => {},
  { most = mostRefusals, wait = waitFor }: { readonly most?: number; readonly wait?: Wait } = {},
): Promise<T> {
  for (let refusals = 0; ; refusals++) {
    try {
      return await send();
    } catch (error) {
      if (!(error instanceof ProblemError && error.status === 429) || refusals === most) throw error;
      for (let left = error.retryAfter ?? 1; left > 0; left--) {
        say(`Too many requests. Next try in ${left} s.`);
        await wait(second);
      }
      say('');
    }
  }
}

/**
 * Sends a request until it is answered. It must be one that may be carried out twice.
 *
 * @throws UnsureError if there is no answer after several attempts.
 */
export async function untilAnswered<T>(
  send: () => Promise<T>,
  say: Say = () => {},
  { wait = waitFor, most = mostRefusals }: { readonly wait?: Wait; readonly most?: number } = {},
): Promise<T> {
  for (const pause of [...pauses, undefined]) {
    try {
      return await patiently(send, say, { wait, most });
    } catch (error) {
      if (!isUnsure(error)) throw error;
      if (pause === undefined) throw new UnsureError(error);
      say(checking);
      await wait(pause);
    }
  }
  throw new Error('unreachable');
}
