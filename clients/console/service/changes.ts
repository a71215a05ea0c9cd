import { isUnsure } from './failures.ts';
import { type Say, untilAnswered } from './patience.ts';

// What the page has changed, so that Undo finds it in the history. Undo never goes by values or by who changed them:
// somebody else, or the same person in another tab, may have given them to the same things before, or again since.

/** A change that the page has made. */
export type Made = {
  /** A time before it, by the service's clock. */
  readonly after: string;
  /** The ids of its requests, answered or not. */
  readonly requests: ReadonlySet<string>;
};

/** What gives a request the id that the page has chosen, so that it knows the id if there is no answer. */
export type RequestId = { readonly 'X-Amzn-RequestId': string };

/** How far a time may be off that another clock says. */
const slackMs = 2_000;

/** Notes what is known of the requests of one change, which may be sent several times. */
export function recording() {
  const began = performance.now();
  const requests = new Set<string>();
  let hasLost = false;
  let after = new Date(Date.now() - slackMs);
  return {
    send: async <T extends { readonly response?: Response }>(call: (headers: RequestId) => Promise<T>): Promise<T> => {
      const id = crypto.randomUUID();
      requests.add(id);
      try {
        const answer = await call({ 'X-Amzn-RequestId': id });
        const { headers } = answer.response ?? new Response();
        const date = headers.get('Date');
        // If a gateway chooses ids by itself, those of answers are known.
        requests.add(headers.get('x-amzn-RequestId') ?? id);
        if (date !== null) after = new Date(Date.parse(date) - (performance.now() - began) - slackMs);
        return answer;
      } catch (error) {
        hasLost ||= isUnsure(error);
        throw error;
      }
    },
    /** Whether a request may have been carried out without an answer. */
    isUnsure: () => hasLost,
    made: (): Made => ({ after: after.toISOString(), requests }),
  };
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
