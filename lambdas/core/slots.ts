import type { RateLimit } from './limits.ts';

/**
 * Slots: the requests that have passed a limit, oldest first. At most the quota pass in any window, whichever request is
 * looked at first.
 */
export type Slots = { readonly taken: readonly Taken[]; readonly lift: Lift | undefined };

/** A slot: its time, in milliseconds since 1970, and by whom it was taken; 0 if it never was. */
export type Taken = { readonly at: number; readonly by: string };

/** A limit that differs from the usual one until then. `until` is in milliseconds since 1970. */
export type Lift = { readonly quota: number; readonly until: number };

/** Stands for the token of a slot that nobody has. */
export const nobody = '-';

/** A request. @property token unique, and not chosen by the client. @property receivedAt in milliseconds since 1970 */
export type Asking = { readonly token: string; readonly receivedAt: number };

/** How many more requests would pass now, and in how many seconds there is one more. */
type Left = { readonly remaining: number; readonly resetSeconds: number };

/** Whether a request passes, what is left, and the limit in force. */
export type Slot = Left & { readonly passed: boolean; readonly limit: RateLimit };

/** What becomes of a request: it has passed or is refused; or how it may take a slot. */
export type Decision =
  | { readonly slot: Slot }
  | {
      readonly limit: RateLimit;
      /** The newest slot is later than the request, whose slot then gets that time, too, so that slots stay in order. */
      readonly isOvertaken: boolean;
      /** The slots with the request's own, if there are not as many as the limit's quota; undefined if there are. */
      readonly resized: readonly Taken[] | undefined;
    };

/** Decides by the slots as they are. A lift is over for a request if it is for the one with the newest slot. */
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

/** The limit that is in force then. @param at in milliseconds since 1970 */
export const limitAt = (lift: Lift | undefined, at: number, usual: RateLimit): RateLimit =>
  lift && at < lift.until ? { ...usual, quota: lift.quota } : usual;

/**
 * As many slots as the quota. With a larger quota than before, older slots are those that never were. With a smaller one,
 * the oldest go: none of these is in the window if fewer slots than the quota are.
 */
const ofQuota = (taken: readonly Taken[], quota: number): Taken[] =>
  [...Array.from({ length: quota }, () => ({ at: 0, by: nobody })), ...taken].slice(-quota);

/**
 * What is left of a limit.
 *
 * @param times of what has passed, oldest first. One that is later than `now` counts as now.
 */
export function leftOf(times: readonly number[], { quota, windowSeconds }: RateLimit, now: number): Left {
  const recent = times.filter((at) => at > now - windowSeconds * 1_000);
  // There is one more when this one has left the window. It is the oldest, unless a former quota was larger.
  const next = Math.min(now, recent[Math.max(0, recent.length - quota)] ?? now);
  return {
    remaining: Math.max(0, quota - recent.length),
    resetSeconds: Math.max(0, Math.ceil((next + windowSeconds * 1_000 - now) / 1_000)),
  };
}
