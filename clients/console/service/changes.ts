import { isUnsure } from './failures.ts';
import { type Say, untilAnswered } from './patience.ts';

// Notes what the page has changed, so that Undo finds it in the history by request ids. Values and authors are not
// enough: somebody else, or the same person in another tab, may have set the same values before or since.

/** A change that the page has made. */
export type Made = {
  /** A time before it, by the service's clock. */
  readonly after: string;
  /** The ids of its requests, answered or not. */
  readonly requests: ReadonlySet<string>;
};

/** Gives a request an id that the page has chosen, so that the page knows it even without an answer. */
export type RequestId = { readonly 'X-Amzn-RequestId': string };

/** The tolerance between clocks. */
const slackMs = 2_000;

/** Records the requests of one change, which may be sent several times. */
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
        // If a gateway chooses its own ids, the answers have them.
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
 * Makes something under an `Idempotency-Key`, and asks again until it is answered. Until then, the same body has the
 * same key, even if somebody closes the form and fills it in again: nothing is made twice.
 *
 * @param what what is made, such as "webhook"
 * @param say called with what it waits for.
 * @param send sends a request with this key and body.
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
