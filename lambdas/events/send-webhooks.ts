import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { alarming } from '../core/alarms.ts';
import { RequestError } from '../core/errors.ts';
import { isAlarming } from '../core/webhook/backlog.ts';
import { type Attempt, type Delivery, isSuccess } from '../core/webhook/delivery.ts';
import { callsPerUrl, latestMs, pauseAt } from '../core/webhook/host-calls.ts';
import { healthAfter, type ReceiverHealth } from '../core/webhook/receiver.ts';
import { rememberedMs } from '../core/webhook/webhook-secret.ts';
import { webhookHeaders } from '../core/webhook/webhook-signature.ts';
import { postWebhook } from '../outbound/post-webhook.ts';
import type { SenderEvent } from '../outbound/senders.ts';
import { timeLeft, withinInvocation } from '../runtime/deadline.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { addToMetrics } from '../runtime/metrics.ts';
import { setting } from '../runtime/settings.ts';
import { tableTime } from '../store/table/clock.ts';
import type { ReceiverPk } from '../store/table/keys.ts';
import { enqueue, giveUp, recordAttempt } from '../store/webhooks/deliveries.ts';
import { type HostRun, type Hosts, hostsAt } from '../store/webhooks/host-calls.ts';
import { dueEntries, type QueueEntry, removeEntry, removeWake, wakesFor } from '../store/webhooks/queue.ts';
import { endLease, type Findings, type Receiver, takeLease } from '../store/webhooks/receivers.ts';
import { validSecrets } from '../store/webhooks/secrets.ts';

/**
 * Sends what is due for receivers. A receiver is a URL of a workspace. For each of them, the sender takes the
 * receiver's lease (`receivers.ts`), makes a run, ends the lease, and starts over if more became due meanwhile.
 *
 * A run first sends what somebody asked to be sent at once (wake items), then what is due in the queue. An entry of the
 * queue is removed only after its attempt is recorded, which also adds an entry for the retry of a failed attempt. For
 * example, delivery D is due at 12:00, and sender S dies while it sends it:
 *
 *     S   POSTs D: the URL responds with 200; S dies before it records that
 *     -   the lease of S runs out, the receiver is due, and the schedule starts T
 *     T   finds the entry 12:00 in the queue, and D is still pending, due at 12:00: POSTs D once more, same webhook-id
 *     T   records the attempt: D has succeeded
 *     T   dies before it removes the entry
 *     U   finds the entry 12:00, but D is not pending any more: removes the entry
 *
 * So every delivery is sent at least once, and the receiver recognises repetitions by the id.
 */

/** A run ends after this many consecutive failures. The receiver's next run follows within a minute. */
const mostFailures = 5;

/** The time reserved for an attempt with everything around it, in milliseconds. No attempt begins with less. */
const attemptMs = 17_000;

/**
 * How long a run waits for its host, if the rate does not require more, in milliseconds; and how long until it asks
 * again. The receiver's next run follows within a minute.
 */
const patienceMs = 5_000;
const askAgainMs = 100;

/** How often a call that would begin too late asks for another time. After that, it begins late. */
const mostAsked = 3;

/** A call that takes longer makes its receiver slow, in milliseconds. */
const slowMs = 5_000;

/**
 * Sends what is due for receivers, for as long as it holds their leases. A receiver that is stopped gets only what
 * somebody asked to be sent at once. No receiver waits for another.
 */
export const handler = ({ receivers, isScheduled = false }: SenderEvent, context: Context): Promise<void> =>
  withinInvocation(context, async () => {
    const hosts = hostsAt(pauseMs());
    const outcomes = await Promise.allSettled(receivers.map((pk) => serve(pk as ReceiverPk, isScheduled, hosts)));
    // Lambda retries the event. Nothing is due then for the receivers that were served.
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  });

/** The time between two calls to a host, by the stage's rate, in milliseconds. */
const pauseMs = (): number => pauseAt(Number(setting('WEBHOOK_RATE')));

async function serve(pk: ReceiverPk, isScheduled: boolean, hosts: Hosts): Promise<void> {
  // If something is added to the queue while this sender leaves, the same invocation sends it.
  while (timeLeft() > attemptMs) {
    const lease = await takeLease(pk, isScheduled);
    if (!lease) return;
    const run = newRun(lease, hosts);
    if (await sendWanted(run)) await sendQueued(run);
    reportBacklog(run);
    await leaveHost(run);
    const findings = findingsOf(run);
    const isWanted = await endLease(lease, findings);
    // A receiver that is slow, or whose host has no time, is already due, and waits for the schedule.
    if (!isWanted || findings.isSlow || run.isHostBusy) return;
  }
}

/** Gives back a run's share of its host's calls. If the table is busy, the share ends when the run's lease would. */
async function leaveHost({ host }: Run): Promise<void> {
  await host?.leave().catch((error) => {
    if (!(error instanceof RequestError)) throw error;
  });
}

/** A run of the sender for a receiver. */
type Run = {
  readonly pk: ReceiverPk;
  /** The secrets by webhook, and when they were read. Those of the links' URLs are under null. */
  readonly secrets: Map<string | null, { readonly valid: readonly string[]; readonly readAt: number }>;
  readonly hostOf: (url: string) => HostRun;
  /** The host of the URL, once a call is to be made. */
  host: HostRun | undefined;
  /** When the run may begin its next calls, in milliseconds since 1970. */
  times: number[];
  /** How many more calls the run wants to make, as far as it knows. */
  wanted: number;
  /** How many calls the run may have under way. */
  concurrency: number;
  /** The request for more times that is under way. */
  asking: Promise<boolean> | undefined;
  isHostBusy: boolean;
  health: ReceiverHealth;
  /** Whether the receiver was slow before this run. */
  readonly wasSlow: boolean;
  /** How long the slowest call took; undefined before the first. */
  slowestMs: number | undefined;
  failuresInARow: number;
  isOutOfTime: boolean;
  /** When the first entry was due at the last look into the queue, in ISO 8601; undefined if none was. */
  oldestDueAt: string | undefined;
};

function newRun(lease: Receiver, hosts: Hosts): Run {
  const { pk, failingSince, failedAt, error, redirectsTo, stopped, stoppedAt, isSlow } = lease;
  return {
    pk,
    hostOf: (url) => hosts(lease, url),
    secrets: new Map(),
    host: undefined,
    times: [],
    wanted: 0,
    concurrency: callsPerUrl,
    asking: undefined,
    isHostBusy: false,
    health: { failingSince, failedAt, error, redirectsTo, stopped, stoppedAt },
    wasSlow: isSlow,
    slowestMs: undefined,
    failuresInARow: 0,
    isOutOfTime: false,
    oldestDueAt: undefined,
  };
}

const isOver = ({ failuresInARow, isOutOfTime, isHostBusy }: Run): boolean =>
  failuresInARow >= mostFailures || isOutOfTime || isHostBusy || timeLeft() < attemptMs;

/** What a run has found about its receiver. */
const findingsOf = ({ health, wasSlow, slowestMs }: Run): Findings => ({
  ...health,
  isSlow: slowestMs === undefined ? wasSlow : slowestMs > slowMs,
});

/** Sends what somebody asked to be sent at once, one after the other. Returns false if the run is over. */
async function sendWanted(run: Run): Promise<boolean> {
  for await (const wake of wakesFor(run.pk)) {
    if (wake.delivery?.state === 'pending' && !(await attempt(run, wake.delivery))) return false;
    await removeWake(wake);
    if (isOver(run)) return false;
  }
  return true;
}

/** Sends what is due in the queue, unless the receiver is stopped or the run is over. */
async function sendQueued(run: Run): Promise<void> {
  while (maySendQueued(run)) {
    const entries = await dueEntries(run.pk);
    run.oldestDueAt = entries[0]?.at;
    if (entries.length === 0) return;
    const pending = entries.flatMap(({ delivery }) => (delivery?.state === 'pending' ? delivery : []));
    run.wanted = pending.length;
    if (pending[0] && run.times.length === 0 && !(await takeTimes(run, pending[0].url))) return;
    await inParallel(entries, run.concurrency, (entry) => sendEntry(run, entry));
  }
}

/** Logs that deliveries have waited for long, if the run ended before it caught up. */
function reportBacklog({ pk: receiver, oldestDueAt }: Run): void {
  if (oldestDueAt === undefined || !isAlarming(oldestDueAt, tableTime())) return;
  console.warn({ message: alarming.receiverBehind, receiver, oldestDueAt });
}

const maySendQueued = (run: Run): boolean => !isOver(run) && run.health.stopped === null;

/** Sends the delivery of an entry of the queue, and removes the entry. */
async function sendEntry(run: Run, entry: QueueEntry): Promise<void> {
  const { delivery, at } = entry;
  // A delivery that was sent again has older entries, too. Only one of them says when it is due.
  if (delivery?.state === 'pending' && delivery.nextAttemptAt === at) {
    if (!maySendQueued(run) || !(await attempt(run, delivery))) return;
  } else if (delivery) await enqueue(delivery);
  // An attempt has put the delivery into the queue again, if there is another one.
  await removeEntry(entry);
}

/**
 * Makes an attempt and records it. A delivery without a secret to sign it is given up.
 *
 * @returns false if the limits of the host leave no time for an attempt.
 */
async function attempt(run: Run, delivery: Delivery): Promise<boolean> {
  // What cannot be signed does not wait for its turn.
  if ((await secretsFor(run, delivery)).length === 0) return giveUpUnsigned(delivery);
  const at = await timeForCall(run, delivery.url);
  if (at === undefined) return false;
  // A secret may have ended during the wait.
  const secrets = await secretsFor(run, delivery);
  if (secrets.length === 0) return giveUpUnsigned(delivery);
  const { made, retryAfter } = await post(delivery, secrets, at);
  const now = tableTime();
  updateHealth(run, made, now);
  addToMetrics({ Deliveries: 1 }, { Outcome: isSuccess(made.status) ? 'delivered' : 'failed' });
  await recordAttempt(delivery, made, { now, retryAfter });
  return true;
}

async function giveUpUnsigned(delivery: Delivery): Promise<true> {
  const at = new Date(tableTime()).toISOString();
  await giveUp(delivery, { at, status: null, ms: 0, error: 'no_secret', response: null, redirectsTo: null });
  return true;
}

/**
 * The secrets to sign a delivery with. The run caches them for a moment, but never that there are none, because a
 * delivery that is given up isn't retried.
 */
async function secretsFor({ secrets }: Run, { workspaceId, webhookId }: Delivery): Promise<readonly string[]> {
  const readAt = tableTime();
  const known = secrets.get(webhookId);
  if (known && readAt - known.readAt <= rememberedMs) return known.valid;
  const valid = await validSecrets(workspaceId, webhookId, readAt);
  if (valid.length > 0) secrets.set(webhookId, { valid, readAt });
  return valid;
}

/**
 * Waits until the limits of the host allow another call. Returns when it begins, in milliseconds since 1970; undefined
 * if there is no time for it.
 */
async function timeForCall(run: Run, url: string): Promise<number | undefined> {
  let asked = 0;
  for (;;) {
    for (; run.times.length === 0; asked++) if (!(await takeTimes(run, url))) return undefined;
    const time = run.times.shift() as number;
    const now = tableTime();
    run.isOutOfTime ||= timeLeft() - (time - now) < attemptMs;
    if (run.isOutOfTime) return undefined;
    if (time > now) await wait(time - now);
    const begin = Math.max(time, tableTime());
    if (begin - time > latestMs && asked < mostAsked) continue;
    run.wanted--;
    return begin;
  }
}

/** Takes more times, for all waiting calls. Returns false if the host has none soon. */
function takeTimes(run: Run, url: string): Promise<boolean> {
  run.asking ??= askForTimes(run, url).finally(() => {
    run.asking = undefined;
  });
  return run.asking;
}

async function askForTimes(run: Run, url: string): Promise<boolean> {
  run.host ??= run.hostOf(url);
  for (let waited = 0; waited < patienceMs && !isOver(run); waited += askAgainMs) {
    if (waited > 0) await wait(askAgainMs);
    const patience = Math.min(Math.max(patienceMs, pauseMs()), timeLeft() - attemptMs);
    const grant = await run.host.take({ wanted: Math.max(1, run.wanted), patienceMs: patience });
    if (grant) {
      run.times.push(...grant.times);
      run.concurrency = grant.concurrency;
      return true;
    }
  }
  run.isHostBusy = true;
  return false;
}

/**
 * Sends a delivery, and returns the attempt, and the header `Retry-After` if the receiver is busy.
 *
 * @param at when it begins, in milliseconds since 1970.
 */
async function post(
  { id, url, body }: Delivery,
  secrets: readonly string[],
  at: number,
): Promise<{ readonly made: Attempt; readonly retryAfter: string | undefined }> {
  const headers = webhookHeaders({ id, timestamp: Math.floor(at / 1_000), body }, secrets);
  const answer = await postWebhook({ url, headers, body });
  const { status = null, ms, error = `status_${status}`, response = null, redirectsTo = null, retryAfter } = answer;
  const result = { status, ms, error: isSuccess(status) ? null : error, response, redirectsTo };
  return { made: { at: new Date(at).toISOString(), ...result }, retryAfter };
}

/**
 * Updates what the run knows about its receiver after an attempt.
 *
 * @param now when the attempt ended, in milliseconds since 1970
 */
function updateHealth(run: Run, made: Attempt, now: number): void {
  const { stopped } = run.health;
  run.slowestMs = Math.max(run.slowestMs ?? 0, made.ms);
  run.failuresInARow = isSuccess(made.status) ? 0 : run.failuresInARow + 1;
  run.health = healthAfter(run.health, made, now);
  if (stopped === null && run.health.stopped !== null)
    console.warn({ message: alarming.receiverStopped, receiver: run.pk, why: run.health.stopped });
}
