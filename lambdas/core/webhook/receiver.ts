import { type Attempt, isSuccess, longestWaitMs } from './delivery.ts';

/** How a receiver is doing, which is a URL of a workspace that gets webhooks. */
export type ReceiverHealth = {
  /** Since when every attempt has failed, in ISO 8601; when the last one did, and why. Null unless it fails. */
  readonly failingSince: string | null;
  readonly failedAt: string | null;
  readonly error: string | null;
  /** Where the last attempt was redirected to. */
  readonly redirectsTo: string | null;
  /** Why nothing is sent any more: after three days of failures, or because the URL said that it is gone (410). */
  readonly stopped: 'paused' | 'gone' | null;
  /** Since when it is stopped, in ISO 8601. */
  readonly stoppedAt: string | null;
};

/** The health of a receiver whose last attempt succeeded, or to which nothing was sent. */
export const healthy: ReceiverHealth = {
  failingSince: null,
  failedAt: null,
  error: null,
  redirectsTo: null,
  stopped: null,
  stoppedAt: null,
};

const hour = 60 * 60_000;

/** How long a URL may fail before nothing is sent to it any more, in milliseconds. */
const failingFor = 72 * hour;

/**
 * The longest time between two failures that belong together, in milliseconds: the longest wait for a retry, and two
 * hours for the run of the schedule and for an outage.
 */
const longestGap = longestWaitMs + 2 * hour;

/** The health of a receiver after an attempt. @param now when the attempt ended, in milliseconds since 1970 */
export function healthAfter(health: ReceiverHealth, attempt: Attempt, now: number): ReceiverHealth {
  if (isSuccess(attempt.status)) return healthy;
  const failingSince = failingSinceAt(attempt.at, health);
  const { at: failedAt, error, redirectsTo = null } = attempt;
  const failing = { ...health, failingSince, failedAt, error, redirectsTo };
  if (health.stopped !== null) return failing;
  const stopped = isGone(attempt.status) ? 'gone' : now - Date.parse(failingSince) >= failingFor ? 'paused' : null;
  return stopped === null ? failing : { ...failing, stopped, stoppedAt: new Date(now).toISOString() };
}

/**
 * Since when a URL has failed, after one more failure. If nothing was tried for so long that no retry can have been
 * waiting, earlier failures do not count: their deliveries were given up for want of a secret, or nothing was sent at
 * all.
 *
 * @param at when the attempt began, in ISO 8601, as are the others.
 */
function failingSinceAt(at: string, { failingSince, failedAt }: ReceiverHealth): string {
  if (failingSince === null || failedAt === null) return at;
  return Date.parse(at) - Date.parse(failedAt) > longestGap ? at : failingSince;
}

/** Whether a response says that the URL does not want any more deliveries (RFC 9110, section 15.5.11). */
const isGone = (status: number | null): boolean => status === 410;
