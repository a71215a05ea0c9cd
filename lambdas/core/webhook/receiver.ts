import { type Attempt, isSuccess, longestWaitMs } from './delivery.ts';

/** The health of a receiver: a URL of a workspace that gets webhooks. */
export type ReceiverHealth = {
  /** Since when every attempt has failed, in ISO 8601; when the last one failed, and why. Null if none fails. */
  readonly failingSince: string | null;
  readonly failedAt: string | null;
  readonly error: string | null;
  /** Where the last attempt was redirected to. */
  readonly redirectsTo: string | null;
  /** Why nothing is sent any more: three days of failures, or a 410 response. */
  readonly stopped: 'paused' | 'gone' | null;
  /** Since when it is stopped, in ISO 8601. */
  readonly stoppedAt: string | null;
};

/** The health of a receiver whose last attempt succeeded, or that never had one. */
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
 * The longest time between two failures of the same series, in milliseconds: the longest wait for a retry, and two
 * hours for the scheduled run and an outage.
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
 * Since when a URL has failed, after one more failure. If the gap since the last failure is longer than any retry's
 * wait, earlier failures are ignored: their deliveries were dropped for lack of a secret, or nothing was sent at all.
 *
 * @param at when the attempt began, in ISO 8601, as are the others.
 */
function failingSinceAt(at: string, { failingSince, failedAt }: ReceiverHealth): string {
  if (failingSince === null || failedAt === null) return at;
  return Date.parse(at) - Date.parse(failedAt) > longestGap ? at : failingSince;
}

/** Whether a response says that the URL does not want any more deliveries (RFC 9110, section 15.5.11). */
const isGone = (status: number | null): boolean => status === 410;
