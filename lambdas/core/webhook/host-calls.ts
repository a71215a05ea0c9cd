/**
 * The calls that a workspace makes to one host. All its URLs there share the limits, so that many URLs put no more load
 * on the host than one.
 *
 * A sender's run reserves times for its next calls, and a share of the concurrent calls. For example, at 25 calls a
 * second, run R may have 10 calls under way, and run S wants to make 3:
 *
 *     nextCallAt 12:00:00.000, R: 10   ->   nextCallAt 12:00:00.132, R: 10, S: 3
 *     S calls at 00.000, 00.044 and 00.088, whatever R and others do
 */
export type HostCalls = {
  /** The next free time, in milliseconds since 1970. */
  readonly nextCallAt: number;
  /** The runs that may have calls under way, by their receivers. */
  readonly runs: Readonly<Record<string, RunAtHost>>;
};

/** How many calls a run may have under way, and the latest time at which it ends, in milliseconds since 1970. */
export type RunAtHost = { readonly concurrency: number; readonly until: number };

/** How many calls of a workspace to one host may be under way at a time. */
const callsPerHost = 20;

/** How many calls to one URL may be under way at a time. */
export const callsPerUrl = 10;

/** How much later than its time a call may begin, in milliseconds. */
export const latestMs = 100;

/**
 * The time between two calls, in milliseconds: a little more than the rate requires. Otherwise a call that begins late
 * could be one too many in its second.
 *
 * @param rate in calls a second.
 */
export const pauseAt = (rate: number): number => (1_000 + latestMs) / rate;

/** A run's request for calls. */
export type Request = {
  readonly receiver: string;
  /** How many calls the run wants to make, at least one. */
  readonly wanted: number;
  /** How long it can wait for them, in milliseconds. */
  readonly patienceMs: number;
  /** The latest time at which the run ends, in milliseconds since 1970. */
  readonly until: number;
};

/** The calls that a run may make: when each may begin, in milliseconds since 1970, and how many at a time. */
export type Grant = { readonly host: HostCalls; readonly times: readonly number[]; readonly concurrency: number };

/**
 * Reserves times for some of a run's calls, at least one. A run gets at most half of the free share of concurrent
 * calls, so that a URL that hangs leaves some to the others.
 *
 * @param now when the run asks, in milliseconds since 1970.
 * @returns undefined if no time is free soon enough, or too many calls are under way.
 */
export function takeCalls(
  { nextCallAt, runs }: HostCalls,
  { receiver, wanted, patienceMs, until }: Request,
  pauseMs: number,
  now: number,
): Grant | undefined {
  const { [receiver]: own, ...others } = Object.fromEntries(Object.entries(runs).filter(([, run]) => run.until > now));
  const free = Object.values(others).reduce((left, { concurrency }) => left - concurrency, callsPerHost);
  // A run keeps the share that it already has, because it may have that many calls under way.
  const concurrency = Math.max(own?.concurrency ?? 0, Math.min(wanted, callsPerUrl, Math.ceil(free / 2)));
  const from = Math.max(now, nextCallAt);
  const times = Array.from({ length: Math.min(wanted, concurrency) }, (_, index) => from + index * pauseMs).filter(
    (time) => time <= now + patienceMs,
  );
  if (times.length === 0) return undefined;
  const host = {
    nextCallAt: from + times.length * pauseMs,
    runs: { ...others, [receiver]: { concurrency, until } },
  };
  return { host, times, concurrency };
}

/**
 * The calls of a host after a run; undefined if a write isn't worth it, because the run was alone and had one call at a
 * time. Such a run is dropped after `until`.
 */
export function leaveHost({ nextCallAt, runs }: HostCalls, receiver: string): HostCalls | undefined {
  const { [receiver]: own, ...others } = runs;
  if (own === undefined || (own.concurrency === 1 && Object.keys(others).length === 0)) return undefined;
  return { nextCallAt, runs: others };
}
