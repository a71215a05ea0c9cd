import type { RateLimit } from '../../lambdas/core/limits.ts';

// When an import sends its bulk requests. Each response says how many the workspace may send: usually 3 a minute, and
// more while the operator has lifted that limit. So the import needs no extra request, and notices within one response
// if the limit changes.
//
// A request may be sent if fewer than the quota are under way or were answered within the window. The service counts a
// request when it arrives, which is before its answer. So at most a quota of this import's requests arrives within any
// window, and none is refused, however long they take. For example, with a quota of 3 and a window of 60 seconds:
//
//     sent      0 s   2 s   4 s   61 s   63 s
//     answered  1 s   3 s   9 s                  the fourth waits for the first answer, and 60 seconds more
//
// If others use the same limit, the service says so with `r=0`, or refuses a request, and the client waits as long as
// the service tells it to.

/** Decides when bulk requests are sent. */
export type Pace = {
  /** Waits for a request's turn. @returns a function to call with the headers of its answer, if there is one. */
  readonly turn: () => Promise<(headers: Headers | undefined) => void>;
  /** How many requests may be under way at a time. */
  readonly atOnce: () => number;
};

/**
 * The most requests under way at a time. Two are enough for 30 a minute: DynamoDB creates at most 1,000 links a second
 * in a workspace, so that more of them only wait for each other (`node tools/bench/million-links.ts`).
 */
const mostAtOnce = 2;

export type PaceOptions = {
  /** Waits for this number of seconds. @throws if the import is stopped. */
  readonly wait: (seconds: number) => Promise<void>;
  /** Called before each wait. */
  readonly onWait: (seconds: number, reason: string) => void;
  /** The clock, in milliseconds. */
  readonly now: () => number;
};

/** The pace that the service's responses allow. Until there is one, a single request is under way. */
export function paceOf({ wait, onWait, now }: PaceOptions): Pace {
  let policy: RateLimit | undefined;
  let underWay = 0;
  let closedUntil = 0;
  /** The times at which requests were answered, the oldest first. */
  let answers: number[] = [];

  /** For how long nothing may be sent, in milliseconds; 0 if something may. */
  const closedFor = (): number => {
    if (!policy) return 0;
    const { quota, windowSeconds } = policy;
    answers = answers.filter((at) => at > now() - windowSeconds * 1_000);
    const tooMany = underWay + answers.length - quota;
    const full = tooMany < 0 ? 0 : (answers[Math.min(tooMany, answers.length - 1)] ?? now()) + windowSeconds * 1_000 - now();
    return Math.max(full, closedUntil - now(), 0);
  };
  return {
    atOnce: () => (policy ? Math.min(mostAtOnce, Math.ceil(policy.quota / 5)) : 1),
    turn: async () => {
      for (let ms = closedFor(); ms > 0; ms = closedFor()) {
        const seconds = Math.ceil(ms / 1_000);
        onWait(seconds, 'the limit on bulk requests');
        await wait(seconds);
      }
      underWay++;
      return (headers) => {
        underWay--;
        answers.push(now());
        policy = policyIn(headers) ?? policy;
        closedUntil = now() + secondsUntilNext(headers) * 1_000;
      };
    },
  };
}

/** The limit that a response names: https://datatracker.ietf.org/doc/html/draft-ietf-httpapi-ratelimit-headers-10 */
function policyIn(headers: Headers | undefined): RateLimit | undefined {
  const [, quota, windowSeconds] = /;q=(\d+);w=(\d+)/.exec(headers?.get('RateLimit-Policy') ?? '') ?? [];
  return Number(quota) > 0 ? { quota: Number(quota), windowSeconds: Number(windowSeconds) } : undefined;
}

/** In how many seconds the service takes the next request; 0 if at once, or if the response does not say. */
function secondsUntilNext(headers: Headers | undefined): number {
  const [, remaining, seconds] = /;r=(\d+);t=(\d+)/.exec(headers?.get('RateLimit') ?? '') ?? [];
  return remaining === '0' ? Number(seconds) : 0;
}
