import { isUnsure } from './failures.ts';
import { type Say, untilAnswered } from './patience.ts';
import type { HistoryEntry } from './types.ts';

// What the page has changed, so that Undo finds it in the history. Undo never goes by values: somebody else may have given
// them to the same things before, or again since.

/** A change that the page has made. */
export type Made = {
  /** A time before it, by the service's clock. */
  readonly after: string;
  /** The ids of the requests that were answered. */
  readonly requests: ReadonlySet<string>;
  /** Whether there was a request without an answer, whose id nobody knows. */
  readonly isUnsure: boolean;
};

/** How far a time may be off that another clock says. */
const slackMs = 2_000;

/** Notes what is known of the requests of one change, which may be sent several times. */
export function recording() {
  const began = performance.now();
  const requests = new Set<string>();
  let hasLost = false;
  let after = new Date(Date.now() - slackMs);
  return {
    send: async <T extends { readonly response?: Response }>(call: () => Promise<T>): Promise<T> => {
      try {
        const answer = await call();
        const { headers } = answer.response ?? new Response();
        const [id, date] = [headers.get('x-amzn-RequestId'), headers.get('Date')];
        if (id !== null) requests.add(id);
        if (date !== null) after = new Date(Date.parse(date) - (performance.now() - began) - slackMs);
        return answer;
      } catch (error) {
        hasLost ||= isUnsure(error);
        throw error;
      }
    },
    /** Whether a request may have been carried out without an answer. */
    isUnsure: () => hasLost,
    made: (): Made => ({ after: after.toISOString(), requests, isUnsure: hasLost }),
  };
}

/**
 * Whether an entry of the history is of a change that the page has made. If a request has no answer, what the same person or
 * key has done to the same things since counts.
 *
 * @param own the ids by which the history knows the person who uses the page
 * @param expected the ids of what the change was about
 */
export function isOf(
  made: Made,
  { requestId, actor, at, subject }: HistoryEntry,
  own: readonly string[],
  expected: readonly string[],
) {
  if (requestId !== null && made.requests.has(requestId)) return true;
  return made.isUnsure && actor.id !== null && own.includes(actor.id) && at >= made.after && expected.includes(subject.id);
}

const keys = new Map<string, string>();

/**
 * Makes something under an `Idempotency-Key`, and asks again until it is answered. Until then, the same body has the same
 * key, also if somebody closes the form and fills it in again: nothing is made twice.
 *
 * @param what is made, such as "webhook"
 * @param say called with what it waits for.
 * @param send gets what a request has besides its path.
 * @throws ProblemError; UnsureError
 */
export async function keyed<Body extends object, T>(
  what: string,
  body: Body,
  say: Say,
  send: (init: { params: { header: { 'Idempotency-Key': string } }; body: Body }) => Promise<T>,
): Promise<T> {
  const name = JSON.stringify([what, body]);
  const key = keys.get(name) ?? crypto.randomUUID();
  keys.set(name, key);
  const answer = await untilAnswered(() => send({ params: { header: { 'Idempotency-Key': key } }, body }), say);
  keys.delete(name);
  return answer;
}
