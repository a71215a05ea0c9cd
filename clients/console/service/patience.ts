import { ProblemError } from '../../typescript/problem.ts';
import { isUnsure, UnsureError, waitOf } from './failures.ts';

// Retries requests that are refused for the moment or get no answer, and says what it waits for.

/** Shows what a change waits for, or its progress; '' shows nothing. With `stop`, people can end it. */
export type Say = (text: string, stop?: () => void) => void;
export type Wait = (ms: number) => Promise<unknown>;

export const waitFor: Wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export const checking = 'Checking whether it was saved…';

type Patience = { readonly most?: number; readonly wait?: Wait };

const second = 1_000;
/** How often a request is retried that a limit has refused. */
export const mostRefusals = 5;

/** Whether a limit has refused a request, which may succeed later. */
export const isRefusal = (error: unknown): boolean => error instanceof ProblemError && error.status === 429;

/** What the page says while a request waits for a limit. */
export const waitText = (seconds: number): string => `Too many requests. Next try in ${seconds} s.`;

/** Pauses before a request without an answer is retried. */
const pauses: readonly number[] = [1_000, 2_000, 4_000];

/**
 * Retries a request after the time that a limit demands, and counts the seconds down.
 *
 * @param most the most retries.
 */
export async function patiently<T>(
  send: () => Promise<T>,
  say: Say = () => {},
  { most = mostRefusals, wait = waitFor }: Patience = {},
): Promise<T> {
  for (let refusals = 0; ; refusals++) {
    try {
      return await send();
    } catch (error) {
      if (!isRefusal(error) || refusals === most) throw error;
      for (let left = waitOf(error); left > 0; left--) {
        say(waitText(left));
        await wait(second);
      }
      say('');
    }
  }
}

/**
 * Sends a request until it is answered. It must be safe to repeat.
 *
 * @throws UnsureError if there is no answer after several attempts.
 */
export async function untilAnswered<T>(
  send: () => Promise<T>,
  say: Say = () => {},
  { wait = waitFor, ...more }: Patience = {},
): Promise<T> {
  for (const pause of [...pauses, undefined]) {
    try {
      return await patiently(send, say, { wait, ...more });
    } catch (error) {
      if (!isUnsure(error)) throw error;
      if (pause === undefined) throw new UnsureError(error);
      say(checking);
      await wait(pause);
    }
  }
  throw new Error('unreachable');
}

/**
 * Makes something with a unique name. If an answer was lost, it looks whether the first attempt has made it.
 *
 * @param find finds it by its name
 * @throws ProblemError; UnsureError
 */
export async function untilMade<T>(
  send: () => Promise<{ readonly data: T }>,
  find: () => Promise<T | undefined>,
  say?: Say,
): Promise<T> {
  let isRepeated = false;
  const again: Say = (text) => {
    isRepeated ||= text === checking;
    say?.(text);
  };
  try {
    return (await untilAnswered(send, again)).data;
  } catch (error) {
    const there = isRepeated ? await find() : undefined;
    if (there === undefined) throw error;
    return there;
  }
}

/**
 * Deletes something; no-op if it is already deleted.
 *
 * @returns whether the last attempt has deleted it.
 * @throws ProblemError; UnsureError if nobody answers.
 */
export async function deleteSurely(send: () => Promise<unknown>, say: Say): Promise<boolean> {
  try {
    await untilAnswered(send, say);
    return true;
  } catch (error) {
    if (!(error instanceof ProblemError && error.status === 404)) throw error;
    return false;
  }
}
