import { dayOfTime } from '../core/click/day.ts';
import type { Link } from '../core/link/link.ts';
import { visitorHash } from '../core/visitor/visitor-hash.ts';
import { timeLeft, withDeadline } from '../runtime/deadline.ts';
import { type Instant, instant } from '../runtime/instant.ts';
import { loggedRequest } from '../runtime/logged-request.ts';
import { memory } from '../runtime/memory.ts';
import { optionalSetting } from '../runtime/settings.ts';
import { getDaySecret, isAround } from '../store/visitors/day-secrets.ts';
import type { ShortRequest } from './short-request.ts';

/** How long a visit may wait for a day's secret, in milliseconds. */
const secretMs = 250;

/** How long a function does not retry a failed read of a secret, in milliseconds, so that visits do not wait for it. */
const withoutMs = 10_000;

/**
 * The redirect's part in counting unique clicks, if the stage does that: each click has a hash that identifies its
 * visitor on its link and day (UTC), under a secret of the day (`../store/visitors/day-secrets.ts`). The click log
 * decides which click was the first (`../click-log/writing.ts`). Without the secret, or if the visitor opts out, a
 * click has no hash and isn't unique.
 */
export type UniqueVisitors = {
  /** Reads the secret of the request's day, unless it is cached. Call it in parallel with other reads. */
  readonly prepare: (request: ShortRequest, now: Instant) => Promise<void>;
  /** Identifies the visitor on this link and day; undefined if visitors are not counted, or the secret is not known. */
  readonly hashOf: (link: Pick<Link, 'id'>, request: ShortRequest) => string | undefined;
};

export function uniqueVisitors(): UniqueVisitors {
  // At midnight, requests of two days come at the same time. The secrets of earlier days are forgotten.
  const secrets = memory<string>({ forMs: Number.POSITIVE_INFINITY, most: 2 });
  const missing = memory<true>({ forMs: withoutMs, most: 2 });
  const wants = ({ optsOut }: ShortRequest) => optionalSetting('UNIQUE_CLICKS') === 'daily' && !optsOut;

  return {
    prepare: async (request, now) => {
      if (!wants(request)) return;
      const day = dayOf(request);
      if (secrets.get(day, now) || missing.get(day, now)) return;
      const secret = await quietly('a day has no secret for unique clicks', () =>
        withDeadline(Math.min(timeLeft(), secretMs), () => getDaySecret(day)),
      );
      if (secret === undefined) missing.set(day, true, now);
      else secrets.set(day, secret, now);
    },
    hashOf: ({ id }, request) => {
      if (!wants(request)) return undefined;
      const day = dayOf(request);
      const secret = isAround(day) ? secrets.get(day, instant())?.value : undefined;
      return secret === undefined ? undefined : visitorHash(secret, id, request);
    },
  };
}

/** The day in UTC on which the gateway received a request. */
const dayOf = ({ receivedAt }: ShortRequest): string => dayOfTime(new Date(receivedAt).toISOString());

/** Does optional work. If it fails, logs why. */
async function quietly<T>(message: string, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    console.warn({ message, ...loggedRequest(), name: (error as Error).name });
    return undefined;
  }
}
