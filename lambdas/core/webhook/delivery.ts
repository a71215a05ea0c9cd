import { hash } from 'node:crypto';
import { toBase62 } from '../base62.ts';
import { attemptsPerDelivery } from '../limits.ts';
import { retryAfterMs } from './retry-after.ts';

export const deliveryTypes = [
  'link.clicked',
  'link.cap_reached',
  'link.created',
  'link.updated',
  'link.deleted',
  'webhook.test',
] as const;
export type DeliveryType = (typeof deliveryTypes)[number];

/** One attempt to deliver, and its result. */
export type Attempt = {
  /** When it began, in ISO 8601. */
  readonly at: string;
  /** The status of the response; null if there was none. */
  readonly status: number | null;
  /** How long it took, in milliseconds. */
  readonly ms: number;
  /** Why it failed, as a short code; null if it succeeded. */
  readonly error: string | null;
  /** The start of the response, at most 1 kB. Only the newest attempt has it. */
  readonly response: string | null;
  /** Where the response redirects to, at most 1 kB. Only the newest attempt has it. Older items lack it. */
  readonly redirectsTo?: string | null;
};

/** A message for one URL about one event. */
export type Delivery = {
  readonly id: string;
  readonly workspaceId: string;
  readonly type: DeliveryType;
  readonly url: string;
  /** The webhook that it is for; null if the URL is one of the link's own. */
  readonly webhookId: string | null;
  /** The link that it is about; null for a test. */
  readonly linkId: string | null;
  /** The JSON to send: the same bytes in each attempt. */
  readonly body: string;
  readonly state: 'pending' | 'succeeded' | 'failed';
  /** The newest attempts, oldest first. */
  readonly attempts: readonly Attempt[];
  /** How many attempts were made since it was created, or last redelivered. */
  readonly tries: number;
  /** When the next attempt is due, in ISO 8601; null if there is none. */
  readonly nextAttemptAt: string | null;
  readonly createdAt: string;
  /** How often it was changed. */
  readonly revision: number;
};

/** The states that the API shows. A delivery is paused while nothing is sent to its URL. */
export const shownStates = ['pending', 'succeeded', 'failed', 'paused'] as const;
export type ShownState = (typeof shownStates)[number];

/**
 * How a URL that receives webhooks is doing: `failing` if its last attempt failed, `paused` after three days of
 * failures, `gone` if it responded with 410, and `no_secret` if nothing can be signed. `error` and `redirectsTo` are
 * those of the last attempt.
 */
export type WebhookStatus = {
  readonly url: string;
  readonly state: 'ok' | 'failing' | 'paused' | 'gone' | 'no_secret';
  /** In ISO 8601. */
  readonly since: string | null;
  readonly error: string | null;
  readonly redirectsTo: string | null;
};

/**
 * The id of the delivery of an event to a URL. It derives from both, so that processing an event twice creates the same
 * deliveries.
 *
 * @param event identifies the event: no two events of a workspace have the same text.
 */
const deliveryId = (event: string, { webhookId, url }: Pick<Delivery, 'webhookId' | 'url'>): string =>
  `dlv_${toBase62(hash('sha256', JSON.stringify([event, webhookId, url])).slice(0, 32), 22)}`;

/** An event as it is sent to each receiver. */
export type DeliveredEvent = {
  readonly workspaceId: string;
  readonly linkId: string | null;
  readonly type: DeliveryType;
  /** Distinguishes it from other events of the workspace with the same type. */
  readonly key: string;
  readonly body: string;
};

/** A URL that an event is sent to, and the webhook that it belongs to; null if it is one of the link's own URLs. */
export type Target = Pick<Delivery, 'webhookId' | 'url'>;

/** The delivery of an event to a target. @param now in milliseconds since 1970 */
export function newDelivery({ key, ...event }: DeliveredEvent, { webhookId, url }: Target, now: number): Delivery {
  const createdAt = new Date(now).toISOString();
  const id = deliveryId(`${event.type} ${key}`, { webhookId, url });
  const isNew = { state: 'pending', attempts: [], tries: 0, nextAttemptAt: createdAt, createdAt, revision: 0 } as const;
  return { ...event, ...isNew, id, webhookId, url };
}

export const newDeliveries = (event: DeliveredEvent, targets: readonly Target[], now: number): Delivery[] =>
  targets.map((target) => newDelivery(event, target, now));

export const isDeliveryId = (text: string): boolean => /^dlv_[0-9A-Za-z]{22}$/.test(text);

const minute = 60_000;
const hour = 60 * minute;

/**
 * How long to wait after each failed attempt, in milliseconds. The first retry is made by the next scheduled run, which
 * is at most a minute away; the others follow Standard Webhooks' suggestion, until three days have passed.
 */
const waits = [minute / 2, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];

/** The longest that a delivery waits for its next attempt, in milliseconds: each wait is up to a tenth longer. */
export const longestWaitMs = 1.1 * Math.max(...waits);

/** The most that a receiver's `Retry-After` delays an attempt, in milliseconds. */
const longestAskedMs = hour;

/** What is known about an attempt but not stored with it. */
export type AttemptEnd = {
  /** When it ended, by the table's clock, in milliseconds since 1970. */
  readonly now: number;
  /** The header `Retry-After` of its response, if the receiver was busy. */
  readonly retryAfter?: string | undefined;
};

/**
 * When to retry, in milliseconds since 1970: after the wait in `waits`, or when the receiver asks for it, whichever is
 * later. Undefined if no attempt is left.
 *
 * @param tries how many attempts have failed, at least 1.
 * @param random from 0 to 1. Each wait is up to a tenth longer, so that deliveries that failed together are not retried
 *   together.
 */
function nextAttempt(tries: number, { now, retryAfter = '' }: AttemptEnd, random = Math.random()): number | undefined {
  const wait = waits[tries - 1];
  if (wait === undefined) return undefined;
  const spread = 1 + random / 10;
  return Math.round(now + Math.max(wait * spread, Math.min(retryAfterMs(retryAfter, now) * spread, longestAskedMs)));
}

/** Whether a response says that the delivery was accepted. */
export const isSuccess = (status: number | null): boolean => status !== null && status >= 200 && status < 300;

/** A delivery with one more attempt. Only the newest has its response. */
export const withAttempt = (delivery: Delivery, attempt: Attempt): Delivery => ({
  ...delivery,
  attempts: [...delivery.attempts.map((before) => ({ ...before, response: null, redirectsTo: null })), attempt].slice(
    -attemptsPerDelivery,
  ),
});

/** A delivery after an attempt. */
export function afterAttempt(delivery: Delivery, attempt: Attempt, end: AttemptEnd, random?: number): Delivery {
  const tries = delivery.tries + 1;
  const { attempts } = withAttempt(delivery, attempt);
  if (isSuccess(attempt.status)) return { ...delivery, state: 'succeeded', attempts, tries, nextAttemptAt: null };
  const next = nextAttempt(tries, end, random);
  return next === undefined
    ? { ...delivery, state: 'failed', attempts, tries, nextAttemptAt: null }
    : { ...delivery, state: 'pending', attempts, tries, nextAttemptAt: new Date(next).toISOString() };
}
