import { setTimeout as wait } from 'node:timers/promises';
import type { Context } from 'aws-lambda';
import { alarming } from '../domain/alarms.ts';
import { type Attempt, type Delivery, failingFor, failingSinceAt, isGone, isSuccess } from '../domain/delivery.ts';
import { webhookHeaders } from '../domain/webhook-signature.ts';
import { postWebhook } from '../outbound/post-webhook.ts';
import type { SenderEvent } from '../outbound/senders.ts';
import { timeLeft, withinInvocation } from '../runtime/deadline.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { addToMetrics } from '../runtime/metrics.ts';
import { setting } from '../runtime/settings.ts';
import { tableTime } from '../store/table/clock.ts';
import { failedCondition, is } from '../store/table/conditions.ts';
import { text } from '../store/table/fields.ts';
import { dueUntil, queuedAt, type ReceiverPk, toKey, wakesOf } from '../store/table/keys.ts';
import { query } from '../store/table/reads.ts';
import { deleteItem } from '../store/table/writes.ts';
import { enqueue, getDeliveries, giveUp, recordAttempt } from '../store/webhooks/deliveries.ts';
import { endLease, type Health, type Receiver, takeLease } from '../store/webhooks/receivers.ts';
import { validSecrets } from '../store/webhooks/secrets.ts';

/** How many calls of one receiver may be under way at a time. */
const inFlight = 10;

/** How many deliveries to read at a time. */
const pageSize = 50;

/**
 * How early a delivery may be sent, in milliseconds. Two functions' ideas of the table's time differ by that much, even if
 * the clocks of both were corrected (`clock.ts`). Otherwise what a function has just created would not be due for a sender
 * that is behind, and wait for the schedule.
 */
const earlyMs = 2_000;

/** So many failures in a row end a run. The receiver's next run follows within a minute. */
const mostFailures = 5;

/** How long an attempt may take with all that surrounds it, in milliseconds. No attempt begins later than that. */
const forAttempt = 17_000;

/** A call that takes longer makes its receiver slow, in milliseconds. */
const slowMs = 5_000;

/**
 * Delivers what is due for receivers, each a URL of a workspace, for as long as it has their leases: what somebody asked
 * to be sent at once, then the queue. A receiver that is stopped gets only the former. None waits for another.
 */
export const handler = ({ receivers, isScheduled = false }: SenderEvent, context: Context): Promise<void> =>
  withinInvocation(context, async () => {
    const outcomes = await Promise.allSettled(receivers.map((pk) => serve(pk as ReceiverPk, isScheduled)));
    // Lambda tries the event again. Nothing is due then for those that were served.
    for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  });

async function serve(pk: ReceiverPk, isScheduled: boolean): Promise<void> {
  // Someone who adds to the queue while this sender leaves is noticed, and served by the same invocation.
  while (timeLeft() > forAttempt) {
    const lease = await takeLease(pk, isScheduled);
    if (!lease) return;
    const health = await work(lease);
    const isWanted = await endLease(lease, health);
    // A slow receiver is already marked as due, and waits for the schedule.
    if (!isWanted || health.isSlow) return;
  }
}

/** Sends what is due, and returns what it has learnt about the receiver. */
async function work(lease: Receiver): Promise<Health> {
  const run = newRun(lease);
  for await (const item of query(wakesOf(lease.pk), { limit: pageSize })) {
    const key = toKey(item);
    const [delivery] = await getDeliveries([key.sk.slice('WAKE#'.length)]);
    if (delivery?.state === 'pending' && !(await run.attempt(delivery))) return run.health();
    // Somebody may have asked for it again meanwhile.
    await failedCondition(deleteItem(key, is('token', text(item, 'token'))));
    if (run.isOver()) return run.health();
  }
  while (!run.isOver() && run.health().stopped === null) {
    const until = new Date(tableTime() + earlyMs).toISOString();
    const entries = await Array.fromAsync(query(dueUntil(lease.pk, until), { limit: pageSize }));
    if (entries.length === 0) break;
    const places = entries.map((entry) => ({ key: toKey(entry), ...queuedAt(toKey(entry).sk) }));
    const deliveries = await getDeliveries(places.map(({ deliveryId }) => deliveryId));
    await inParallel([...places.entries()], inFlight, async ([place, { key, at }]) => {
      const delivery = deliveries[place];
      // A delivery that was sent again has older places, too. Only one is the right one.
      const isDue = delivery?.state === 'pending' && delivery.nextAttemptAt === at;
      if (isDue) {
        if (run.isOver() || run.health().stopped !== null || !(await run.attempt(delivery))) return;
      } else if (delivery) await enqueue(delivery);
      // An attempt has put it into the queue again, if there is another one.
      await deleteItem(key);
    });
  }
  return run.health();
}

/** One run of the sender for a receiver: its calls, at the stage's rate, and what they show. */
function newRun(lease: Receiver) {
  const pauseMs = 1_000 / Number(setting('WEBHOOK_RATE'));
  const secrets = new Map<string | null, Promise<string[]>>();
  let { failingSince, failedAt, error, stopped, stoppedAt } = lease;
  // The last sender's clock may have been ahead.
  let nextCallAt = Math.min(lease.nextCallAt, tableTime() + inFlight * pauseMs);
  let { isSlow } = lease;
  let slowest = 0;
  let failures = 0;
  let isOutOfTime = false;

  const secretsOf = ({ workspaceId, webhookId }: Delivery): Promise<string[]> => {
    const known = secrets.get(webhookId) ?? validSecrets(workspaceId, webhookId, tableTime());
    secrets.set(webhookId, known);
    return known;
  };

  /** Waits until the rate allows another call. Returns false if that leaves no time for it. */
  const turn = async (): Promise<boolean> => {
    const now = tableTime();
    const begin = Math.max(now, nextCallAt);
    isOutOfTime ||= timeLeft() - (begin - now) < forAttempt;
    if (isOutOfTime) return false;
    nextCallAt = begin + pauseMs;
    if (begin > now) await wait(begin - now);
    return true;
  };

  const learn = (attempt: Attempt, now: number) => {
    slowest = Math.max(slowest, attempt.ms);
    isSlow = slowest > slowMs;
    if (isSuccess(attempt.status)) {
      failures = 0;
      failingSince = failedAt = error = stopped = stoppedAt = null;
      return;
    }
    failures++;
    failingSince = failingSinceAt(attempt.at, { failingSince, failedAt });
    failedAt = attempt.at;
    error = attempt.error;
    if (stopped !== null) return;
    if (isGone(attempt.status)) stopped = 'gone';
    else if (now - Date.parse(failingSince) >= failingFor) stopped = 'paused';
    if (stopped === null) return;
    stoppedAt = new Date(now).toISOString();
    console.warn({ message: alarming.receiverStopped, receiver: lease.pk, why: stopped });
  };

  return {
    isOver: () => failures >= mostFailures || isOutOfTime || timeLeft() < forAttempt,
    health: (): Health => ({ failingSince, failedAt, error, stopped, stoppedAt, isSlow, nextCallAt: Math.ceil(nextCallAt) }),
    /**
     * Makes an attempt and records it. A delivery without a secret to sign it is given up.
     *
     * @returns false if the rate leaves no time for an attempt.
     */
    attempt: async (delivery: Delivery): Promise<boolean> => {
      const known = await secretsOf(delivery);
      if (known.length === 0) {
        await giveUp(delivery, {
          at: new Date(tableTime()).toISOString(),
          status: null,
          ms: 0,
          error: 'no_secret',
          response: null,
        });
        return true;
      }
      if (!(await turn())) return false;
      const at = tableTime();
      const { id, url, body } = delivery;
      const headers = webhookHeaders({ id, timestamp: Math.floor(at / 1_000), body }, known);
      const { status = null, ms, error = `status_${status}`, response = null } = await postWebhook({ url, headers, body });
      const attempt = { at: new Date(at).toISOString(), status, ms, error: isSuccess(status) ? null : error, response };
      const now = tableTime();
      learn(attempt, now);
      addToMetrics({ Deliveries: 1 }, { Outcome: isSuccess(status) ? 'delivered' : 'failed' });
      await recordAttempt(delivery, attempt, now);
      return true;
    },
  };
}
