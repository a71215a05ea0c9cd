import type { RateLimit } from './limits.ts';

/**
 * Slots: the requests that have passed a limit, oldest first. At most the quota pass in any window, in whatever order
 * requests are processed.
 */
export type Slots = { readonly taken: readonly Taken[]; readonly lift: Lift | undefined };

/** A slot: when it was taken, in milliseconds since 1970, and by which request. 0 and `nobody` if it never was. */
export type Taken = { readonly at: number; readonly by: string };

/** A temporary limit. `until` is in milliseconds since 1970. */
export type Lift = { readonly quota: number; readonly until: number };

/** The token of a slot that was never taken. */
export const nobody = '-';

/** A request. @property token unique, and not chosen by the client. @property receivedAt in milliseconds since 1970 */
export type Asking = { readonly token: string; readonly receivedAt: number };

/** How many more requests would pass now, and in how many seconds one more would. */
type Left = { readonly remaining: number; readonly resetSeconds: number };

/** Whether a request passes, what is left, and the limit in force. */
export type Slot = Left & { readonly passed: boolean; readonly limit: RateLimit };

/** The decision on a request: it has passed, it is refused, or it may take a slot. */
export type Decision =
  | { readonly slot: Slot }
  | {
      readonly limit: RateLimit;
      /**
       * The newest slot is later than the request. The request's slot then gets that time, so that slots stay in order.
       */
      readonly isOvertaken: boolean;
      /** All slots, with the request's own, if their number must be changed to the quota; otherwise undefined. */
      readonly resized: readonly Taken[] | undefined;
    };

/**
 * Decides by the current slots. If a lift is over at the time of the newest slot, it is over for older requests too.
 */
export function decide({ taken, lift }: Slots, { token, receivedAt }: Asking, usual: RateLimit): Decision {
  const newest = Math.max(receivedAt, taken.at(-1)?.at ?? 0);
  const limit = limitAt(lift, newest, usual);
  const times = taken.map(({ at }) => at);
  const passed = taken.some(({ by }) => by === token);
  const left = leftOf(times, limit, receivedAt);
  if (passed || left.remaining === 0) return { slot: { passed, limit, ...left } };
  const isFitting = taken.length === limit.quota;
  return {
    limit,
    isOvertaken: newest > receivedAt,
    resized: isFitting ? undefined : ofQuota([...taken, { at: newest, by: token }], limit.quota),
  };
}

/** The limit at a time. @param at in milliseconds since 1970 */
export const limitAt = (lift: Lift | undefined, at: number, usual: RateLimit): RateLimit =>
  lift && at < lift.until ? { ...usual, quota: lift.quota } : usual;

/**
 * As many slots as the quota. If the quota has grown, slots that were never taken are put first. If it has shrunk, the
 * oldest slots are dropped: they have left the window, because it has fewer slots than the quota.
 */
const ofQuota = (taken: readonly Taken[], quota: number): Taken[] =>
  [...Array.from({ length: quota }, () => ({ at: 0, by: nobody })), ...taken].slice(-quota);

/**
 * What is left of a limit.
 *
 * @param times of the requests that have passed, oldest first. Times later than `now` are treated as `now`.
 */
export function leftOf(times: readonly number[], { quota, windowSeconds }: RateLimit, now: number): Left {
  const recent = times.filter((at) => at > now - windowSeconds * 1_000);
  // One more passes when this one has left the window. It is the oldest, unless a former quota was larger.
  const next = Math.min(now, recent[Math.max(0, recent.length - quota)] ?? now);
  return {
    remaining: Math.max(0, quota - recent.length),
    resetSeconds: Math.max(0, Math.ceil((next + windowSeconds * 1_000 - now) / 1_000)),
  };
}
