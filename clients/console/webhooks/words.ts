import type { StatusWords } from '../parts/kit/status-words.ts';
import { shortTime, sinceTime } from '../parts/time.ts';
import type { Delivery, Webhook } from '../service/types.ts';

/** The events that a webhook may get, and their meaning. */
export const events: Readonly<Record<Webhook['events'][number], string>> = {
  'link.clicked': 'A link is clicked',
  'link.cap_reached': 'A link reaches its click limit',
  'link.created': 'A link is created',
  'link.updated': 'A link is changed',
  'link.deleted': 'A link is deleted',
};

/** The events of a webhook, in words. */
export const eventsText = (names: readonly string[]): string =>
  names
    .map((name, index) => {
      const text = (events as Readonly<Record<string, string>>)[name] ?? name;
      return index === 0 ? text : text.charAt(0).toLowerCase() + text.slice(1);
    })
    .join(', ');

const deliveryWords: Readonly<Record<Delivery['state'], StatusWords>> = {
  pending: { icon: 'clock', tone: 'warning', word: 'Waiting' },
  succeeded: { icon: 'check', tone: 'good', word: 'Delivered' },
  failed: { icon: 'close', tone: 'bad', word: 'Failed' },
  paused: { icon: 'stop', tone: 'warning', word: 'Paused' },
};

export const deliveryStates = Object.keys(deliveryWords) as Delivery['state'][];
export const wordsOfDelivery = (state: Delivery['state']): StatusWords => deliveryWords[state];

const since = (at: string | null): string => (at === null ? '' : ` since ${sinceTime(at)}`);

/** For how many days the service keeps deliveries. */
export const keptDays = 14;

/** The last attempt among the newest deliveries of a webhook; null if there was none. */
export type LastAttempt = { readonly at: string; readonly isSuccess: boolean } | null;

export function lastAttemptOf(deliveries: readonly Pick<Delivery, 'attempts'>[]): LastAttempt {
  const all = deliveries.flatMap(({ attempts }) => attempts).toSorted((one, other) => (one.at < other.at ? -1 : 1));
  const last = all.at(-1);
  return last ? { at: last.at, isSuccess: last.error === null } : null;
}

type Doing = Pick<Webhook, 'active' | 'createdAt' | 'status'>;

/**
 * Whether the last attempt contradicts the status, which is updated only when the sender's run ends.
 *
 * @param last undefined while it is unknown
 */
export const isBehind = ({ status: { state, since } }: Doing, last: LastAttempt | undefined): boolean => {
  if (!last || state === 'no_secret') return false;
  return last.isSuccess ? since !== null && last.at > since : state === 'ok';
};

/** How a webhook's address is doing, in a sentence. The last attempt may be newer than its status. */
export function wordsOf(webhook: Doing, last: LastAttempt | undefined, now = Date.now()): StatusWords {
  if (!webhook.active) return { icon: 'off', tone: 'quiet', word: 'Off: events are not sent, and not kept for later' };
  const { state, since: at } = webhook.status;
  const working: StatusWords = { icon: 'check', tone: 'good', word: 'Working' };
  if (last && isBehind(webhook, last))
    return last.isSuccess
      ? working
      : { icon: 'alert', tone: 'bad', word: `The last attempt failed, at ${sinceTime(last.at, now)}` };
  switch (state) {
    case 'failing':
      return { icon: 'alert', tone: 'bad', word: `Failing${since(at)}` };
    case 'paused':
      return {
        icon: 'stop',
        tone: 'bad',
        word: `Paused${since(at)}, after three days of failures. A test that succeeds resumes it`,
      };
    case 'gone':
      return {
        icon: 'stop',
        tone: 'bad',
        word: `Stopped${since(at)}: your server answered 410 Gone. A test that succeeds resumes it`,
      };
    case 'no_secret':
      return { icon: 'alert', tone: 'bad', word: 'No secret, so nothing can be signed or sent. Create one' };
    default:
      return last === null ? { icon: 'clock', tone: 'quiet', word: nothingText(webhook, now) } : working;
  }
}

/** Deliveries that are no longer kept may have been sent. */
const nothingText = ({ createdAt }: Doing, now: number): string =>
  now - Date.parse(createdAt) < keptDays * 24 * 60 * 60_000 ? 'Nothing sent yet' : `Nothing sent in the last ${keptDays} days`;

/** Texts for the API's reasons that say little by themselves. */
const failures: Readonly<Record<string, string>> = {
  dns: 'no DNS record has its name',
  failed: 'the request could not be made',
  invalid_response: 'the answer was not HTTP',
  not_public: 'the address is not public',
  refused: 'no server listens there',
  reset: 'the connection ended early',
  timeout: 'there was no answer in time',
  tls: 'the certificate is not valid',
  unreachable: 'no connection',
};

/** Why there was no response, in words. */
export const failureText = (error: string): string =>
  Object.hasOwn(failures, error) ? (failures[error] ?? error) : error.replaceAll('_', ' ');

/** The result of an attempt: a status, or why there was no response. */
export const attemptText = ({ status, error }: Pick<Delivery['attempts'][number], 'status' | 'error'>): string =>
  status !== null ? String(status) : failureText(error ?? '');

/** A delivery that has been due for longer is late. */
const lateMs = 60_000;

/**
 * Whether a delivery has been due for a while. A run of the sender ends after some failures in a row, so an address
 * that fails gets a few attempts a minute, and its other deliveries wait their turn.
 */
export const isLate = ({ state, nextAttemptAt }: Pick<Delivery, 'state' | 'nextAttemptAt'>, now = Date.now()): boolean =>
  state === 'pending' && nextAttemptAt !== null && now - Date.parse(nextAttemptAt) > lateMs;

export const lateText = 'While an address fails, only a few of its deliveries are tried each minute. The others wait their turn.';

/** When a delivery is sent again. A time that has just passed means that it is about to be sent. */
export function nextText(at: string, now = Date.now()): string {
  if (now - Date.parse(at) > lateMs) return 'due, waiting its turn';
  return Date.parse(at) - now < 60_000 ? 'next in a moment' : `next ${shortTime(at, now)}`;
}
