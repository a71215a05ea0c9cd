import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { alarming } from '../../../lambdas/core/alarms.ts';
import { randomBase62 } from '../../../lambdas/core/base62.ts';
import { type Delivery, newDeliveries, type Target } from '../../../lambdas/core/webhook/delivery.ts';
import { inParallel } from '../../../lambdas/runtime/in-parallel.ts';
import {
  deliveryKey,
  dueKey,
  hostCallsKey,
  queuedKey,
  type ReceiverPk,
  receiverKey,
  receiverPk,
} from '../../../lambdas/store/table/keys.ts';
import { type Attempt, underFaults } from '../../support/faults/faults.ts';
import { befalling, mishapUpTo } from '../../support/faults/random.ts';
import { contextWith } from '../../support/http/invoke.ts';
import { startReceiver, type WebhookReceiver } from '../../support/http/receiver.ts';
import { runs, sized } from '../../support/run/proof.ts';
import { type Store, useStore } from '../../support/store/store.ts';

/** The table's time, which tests move. */
const clock = vi.hoisted(() => ({ now: 0 }));
vi.mock('../../../lambdas/store/table/clock.ts', async (original) => ({
  ...(await original<typeof import('../../../lambdas/store/table/clock.ts')>()),
  tableTime: () => clock.now,
}));

/** The duration of calls that the sender measures, in milliseconds; undefined for the real one. */
const call = vi.hoisted((): { takes: number | undefined } => ({ takes: undefined }));
vi.mock('../../../lambdas/outbound/post-webhook.ts', async (original) => {
  const { postWebhook } = await original<typeof import('../../../lambdas/outbound/post-webhook.ts')>();
  return {
    postWebhook: async (...args: Parameters<typeof postWebhook>) => {
      const answer = await postWebhook(...args);
      return { ...answer, ms: call.takes ?? answer.ms };
    },
  };
});

/** Runs while the sender waits for its turn by the rate, which takes no time here. */
const turn = vi.hoisted((): { meanwhile: (ms: number) => Promise<unknown> } => ({ meanwhile: async () => {} }));
vi.mock('node:timers/promises', async (original) => ({
  ...(await original<typeof import('node:timers/promises')>()),
  setTimeout: (ms: number) => turn.meanwhile(ms),
}));

let store: Store;
let handler: typeof import('../../../lambdas/events/send-webhooks.ts').handler;
let deliveries: typeof import('../../../lambdas/store/webhooks/deliveries.ts');
let receivers: typeof import('../../../lambdas/store/webhooks/receivers.ts');
let secrets: typeof import('../../../lambdas/store/webhooks/secrets.ts');
beforeAll(async () => {
  process.env.WEBHOOK_LOOPBACK = 'allowed';
  process.env.WEBHOOK_RATE = '10000';
  store = await useStore();
  ({ handler } = await import('../../../lambdas/events/send-webhooks.ts'));
  deliveries = await import('../../../lambdas/store/webhooks/deliveries.ts');
  receivers = await import('../../../lambdas/store/webhooks/receivers.ts');
  secrets = await import('../../../lambdas/store/webhooks/secrets.ts');
});

const start = Date.parse('2030-01-02T03:04:05.678Z');
const minute = 60_000;
const hour = 60 * minute;
beforeEach(() => {
  clock.now = start;
  call.takes = undefined;
  turn.meanwhile = async () => {};
});

/** The answer of the receiver under test. */
let answer: Parameters<typeof startReceiver>[0] extends (request: never) => infer Given ? (path: string) => Given : never;
let receiver: WebhookReceiver;
beforeAll(async () => {
  receiver = await startReceiver(({ path }) => answer(path));
});
afterAll(() => receiver.stop());
beforeEach(() => {
  answer = () => 200;
});

/** A workspace with a secret for the URLs of its links. */
async function newWorkspace(): Promise<string> {
  const { id } = await store.createWorkspace('Webhooks', async () => 'gateway');
  await secrets.rotateSecret(id, null);
  return id;
}

/** A new URL of the receiver under test. */
const newTarget = (): Target => ({ webhookId: null, url: `${receiver.url}/${randomBase62(8)}` });

let events = 0;
const newDelivery = (workspaceId: string, target: Target): Delivery => {
  const event = { workspaceId, linkId: null, type: 'link.clicked', key: String(++events), body: '{"a":"ü"}' } as const;
  return newDeliveries(event, [target], clock.now)[0] as Delivery;
};

/** Adds deliveries as the stream's reader does. */
async function add(workspaceId: string, target: Target, count = 1): Promise<Delivery[]> {
  const all = Array.from({ length: count }, () => newDelivery(workspaceId, target));
  for (const delivery of all) await deliveries.addDelivery(delivery);
  await receivers.makeDue(receiverPk(workspaceId, target.url));
  return all;
}

/** Runs a sender as the schedule does. */
const send = (pk: ReceiverPk, budget = 40_000) => handler({ receivers: [pk], isScheduled: true }, contextWith(budget));
/** Runs a sender as the stream's reader does. */
const sendNow = (...pks: ReceiverPk[]) => handler({ receivers: pks }, contextWith(40_000));

/** The webhook-ids that the receiver under test got for a URL. */
const receivedAt = ({ url }: Target): string[] =>
  receiver.received.filter(({ path }) => receiver.url + path === url).map(({ headers }) => String(headers['webhook-id']));

const stateOf = async ({ workspaceId, id }: Delivery) => (await deliveries.findDelivery(workspaceId, id)) as Delivery;

/** The time at which the receiver is due; undefined if it is not. */
const dueAt = async (pk: ReceiverPk) => (await store.getItem(dueKey(pk)))?.at as number | undefined;

describe('A delivery', () => {
  test('A delivery is sent once, signed, and shown with its attempt, and then nothing is due.', async () => {
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const [delivery] = (await add(workspaceId, target)) as [Delivery];
    const pk = receiverPk(workspaceId, target.url);
    await send(pk);
    await send(pk);
    expect(receivedAt(target)).toEqual([delivery.id]);
    const [got] = receiver.received.filter(({ path }) => receiver.url + path === target.url);
    expect(got?.body).toBe('{"a":"ü"}');
    expect(got?.headers['webhook-signature']).toMatch(/^v1,[0-9A-Za-z+/]{43}=$/);
    expect(await stateOf(delivery)).toMatchObject({
      state: 'succeeded',
      attempts: [{ at: new Date(start).toISOString(), status: 200, error: null, response: 'thank you' }],
      nextAttemptAt: null,
    });
    expect(await dueAt(pk)).toBeUndefined();
  });

  test('A delivery is retried in the next minute, after 5 and 30 minutes, 2, 5, 10, 14, 20 and 24 hours, and has then failed.', async () => {
    answer = () => 500;
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const [delivery] = (await add(workspaceId, target)) as [Delivery];
    const pk = receiverPk(workspaceId, target.url);
    const waits: number[] = [];
    for (let attempt = 0; attempt < 10; attempt++) {
      await send(pk);
      const { nextAttemptAt, state, attempts } = await stateOf(delivery);
      expect(attempts).toHaveLength(attempt + 1);
      // The receiver is paused after three days, which another test checks. Here it is resumed.
      await receivers.resume(pk);
      if (nextAttemptAt === null) {
        expect([attempt, state]).toEqual([9, 'failed']);
        break;
      }
      expect(await dueAt(pk).then((at) => at ?? Date.parse(nextAttemptAt))).toBe(Date.parse(nextAttemptAt));
      waits.push(Date.parse(nextAttemptAt) - clock.now);
      // A moment before, nothing is sent. Clocks may differ by two seconds.
      clock.now = Date.parse(nextAttemptAt) - 2_001;
      await send(pk);
      expect(receivedAt(target)).toHaveLength(attempt + 1);
      clock.now += 2_001;
    }
    const expected = [minute / 2, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
    expect(waits).toHaveLength(expected.length);
    for (const [index, wait] of waits.entries()) {
      expect(wait).toBeGreaterThanOrEqual(expected[index] ?? 0);
      expect(wait).toBeLessThanOrEqual((expected[index] ?? 0) * 1.1);
    }
    expect(new Set(receivedAt(target))).toEqual(new Set([delivery.id]));
  });

  /** Answers a new delivery with this status and headers, and returns the delivery after the attempt. */
  const attempted = async (status: number, headers: Record<string, string>, tries = 0) => {
    answer = () => ({ status, headers });
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const [delivery] = (await add(workspaceId, target)) as [Delivery];
    await store.putItem({ ...(await store.getItem(deliveryKey(delivery.id))), ...deliveryKey(delivery.id), tries });
    const pk = receiverPk(workspaceId, target.url);
    await send(pk);
    return { delivery: await stateOf(delivery), pk };
  };
  const waitOf = ({ nextAttemptAt }: Delivery) => Date.parse(nextAttemptAt ?? '') - clock.now;
  const dateIn = (ms: number) => new Date(clock.now + ms).toUTCString();

  test.for([
    // A number is a date this many milliseconds ahead, by the table's clock. The function's clock is years behind.
    [429, '600', 0, 10 * minute, 11 * minute],
    [503, '600', 0, 10 * minute, 11 * minute],
    [503, 10 * minute, 0, 10 * minute - 1_000, 11 * minute],
    [429, '1', 0, minute / 2, 33_000],
    [429, '600', 2, 30 * minute, 33 * minute],
    [429, '3600', 0, hour, hour],
    [429, '86400', 0, hour, hour],
    [503, 48 * hour, 0, hour, hour],
    [503, -hour, 0, minute / 2, 33_000],
    [503, 'soon', 0, minute / 2, 33_000],
    [500, '600', 0, minute / 2, 33_000],
  ] as const)(
    'After %i with a Retry-After, a delivery is retried at that time, at most an hour later, or at the usual one if that is later.',
    async ([status, value, tries, least, most]) => {
      const { delivery, pk } = await attempted(
        status,
        { 'Retry-After': typeof value === 'number' ? dateIn(value) : value },
        tries,
      );
      expect(waitOf(delivery)).toBeGreaterThanOrEqual(least);
      expect(waitOf(delivery)).toBeLessThanOrEqual(most);
      expect(await dueAt(pk)).toBe(Date.parse(delivery.nextAttemptAt ?? ''));
    },
  );

  test('A delivery gets at most ten attempts, even with a Retry-After.', async () => {
    const { delivery } = await attempted(429, { 'Retry-After': '600' }, 9);
    expect(delivery).toMatchObject({ state: 'failed', nextAttemptAt: null });
  });

  test('Whatever happens to the sender, a recorded attempt with a Retry-After of half an hour is retried only then.', async () => {
    await fc.assert(
      fc.asyncProperty(mishapUpTo(20), async (mishap) => {
        clock.now = start;
        answer = () => ({ status: 503, headers: { 'Retry-After': '1800' } });
        const workspaceId = await newWorkspace();
        const target = newTarget();
        const [delivery] = (await add(workspaceId, target)) as [Delivery];
        const pk = receiverPk(workspaceId, target.url);
        await underFaults(befalling(mishap), () => send(pk)).catch(() => undefined);
        for (let turn = 0; turn < 20 && (await stateOf(delivery)).tries === 0; turn++) {
          clock.now += 2 * minute;
          await send(pk);
        }
        const { attempts, nextAttemptAt } = await stateOf(delivery);
        expect(attempts).toHaveLength(1);
        expect(Date.parse(nextAttemptAt ?? '') - Date.parse(attempts[0]?.at ?? '')).toBeGreaterThanOrEqual(30 * minute);
        const sent = receivedAt(target).length;
        for (clock.now += 2 * minute; clock.now < Date.parse(nextAttemptAt ?? '') - minute; clock.now += 5 * minute)
          await send(pk);
        expect(receivedAt(target)).toHaveLength(sent);
        clock.now = Date.parse(nextAttemptAt ?? '');
        await send(pk);
        expect(receivedAt(target)).toHaveLength(sent + 1);
      }),
      { numRuns: runs(10) },
    );
  });

  test('A redirect is shown with its attempt and its URL, until the URL is resumed or an attempt has another result.', async () => {
    const { delivery, pk } = await attempted(308, { Location: 'https://me:secret@www.example.com/hooks' });
    const redirectsTo = 'https://www.example.com/hooks';
    expect(delivery.attempts).toMatchObject([{ status: 308, error: 'redirect', redirectsTo }]);
    expect(await store.getItem(receiverKey(pk))).toMatchObject({ error: 'redirect', redirectsTo });
    clock.now = Date.parse(delivery.nextAttemptAt ?? '');
    answer = () => 500;
    await send(pk);
    expect((await stateOf(delivery)).attempts.map((one) => one.redirectsTo)).toEqual([null, null]);
    expect(await store.getItem(receiverKey(pk))).not.toHaveProperty('redirectsTo');
    // Somebody resumes a paused URL.
    await store.putItem({ ...(await store.getItem(receiverKey(pk))), ...receiverKey(pk), stopped: 'paused', redirectsTo });
    await receivers.resume(pk);
    expect(await store.getItem(receiverKey(pk))).not.toHaveProperty('redirectsTo');
  });

  test('A delivery is sent once, even if an older entry for it is still in the queue.', async () => {
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const [delivery] = (await add(workspaceId, target)) as [Delivery];
    const pk = receiverPk(workspaceId, target.url);
    await store.putItem(queuedKey(pk, new Date(clock.now + 1_000).toISOString(), delivery.id));
    clock.now += minute;
    await send(pk);
    expect(receivedAt(target)).toEqual([delivery.id]);
    expect(await Array.fromAsync(store.query({ pk, skPrefix: 'QUEUE#' }))).toEqual([]);
  });

  test('If somebody redelivers a delivery while it is being sent, it is sent again.', async () => {
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const [delivery] = (await add(workspaceId, target)) as [Delivery];
    const pk = receiverPk(workspaceId, target.url);
    await deliveries.wake(pk, delivery.id);
    let asked = false;
    answer = async () => {
      if (!asked) {
        asked = true;
        await deliveries.wake(pk, delivery.id);
      }
      return 500;
    };
    await send(pk);
    await send(pk);
    expect(receivedAt(target)).toEqual([delivery.id, delivery.id]);
  });

  test('Without a secret, a delivery is not sent, and says so.', async () => {
    const workspaceId = `ws_${randomBase62(16)}`;
    const target = newTarget();
    const [delivery] = (await add(workspaceId, target)) as [Delivery];
    await send(receiverPk(workspaceId, target.url));
    expect(receivedAt(target)).toEqual([]);
    expect(await stateOf(delivery)).toMatchObject({ state: 'failed', attempts: [{ status: null, error: 'no_secret' }] });
  });

  test('A delivery is sent and shown for 14 days after its creation, and then no more, even if the table still has it.', async () => {
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const pk = receiverPk(workspaceId, target.url);
    const [queued, wanted] = (await add(workspaceId, target, 2)) as [Delivery, Delivery];
    const shown = async () =>
      (await deliveries.listDeliveries(workspaceId, {}, { limit: 10 })).deliveries.map(({ id }) => id).toSorted();
    answer = () => 500;
    // `ttl` is in whole seconds.
    clock.now = start + 14 * 24 * hour - 1;
    await send(pk);
    expect(receivedAt(target)).toHaveLength(2);
    expect(await shown()).toEqual([queued.id, wanted.id].toSorted());
    clock.now = Math.ceil(start / 1_000) * 1_000 + 14 * 24 * hour;
    await receivers.makeDue(pk);
    await deliveries.wake(pk, wanted.id);
    clock.now += hour;
    await send(pk);
    expect(receivedAt(target)).toHaveLength(2);
    expect(await shown()).toEqual([]);
    expect(await deliveries.findDelivery(workspaceId, wanted.id)).toBeUndefined();
    expect(await store.getItem(deliveryKey(queued.id))).toBeDefined();
    for (const skPrefix of ['QUEUE#', 'WAKE#']) expect(await Array.fromAsync(store.query({ pk, skPrefix }))).toEqual([]);
    expect(await dueAt(pk)).toBeUndefined();
  });
});

describe('The secrets of a delivery', () => {
  /** Ends the oldest secret for the URLs of a workspace's links. */
  const endOldest = async (workspaceId: string) => {
    const oldest = (await secrets.listSecrets(workspaceId)).at(-1);
    await secrets.endSecret(workspaceId, oldest?.id ?? '');
  };
  /** The number of signatures of each request for a URL. */
  const signaturesAt = ({ url }: Target) =>
    receiver.received
      .filter(({ path }) => receiver.url + path === url)
      .map(({ headers }) => String(headers['webhook-signature']).split(' ').length);

  test('A delivery is sent if there is a secret by then, even by a run that has given up others without one.', async () => {
    const { workspaceId } = await store.newWorkspace();
    const target = newTarget();
    const [before] = (await add(workspaceId, target)) as [Delivery];
    let after: Delivery | undefined;
    const givesUp = ({ command }: Attempt) => command === 'UpdateItem' && after === undefined;
    await underFaults(
      (attempt) => (givesUp(attempt) && attempt.index > 2 ? 'throttle' : undefined),
      () => send(receiverPk(workspaceId, target.url)),
      async () => {
        await secrets.rotateSecret(workspaceId, null);
        [after] = await add(workspaceId, target);
      },
    );
    expect(await stateOf(before)).toMatchObject({ state: 'failed', attempts: [{ error: 'no_secret' }] });
    expect(await stateOf(after as Delivery)).toMatchObject({ state: 'succeeded', attempts: [{ error: null }] });
  });

  test('A sender that found no secret gives up neither delivered nor redelivered deliveries, even if the redelivery dies halfway.', async () => {
    const { workspaceId } = await store.newWorkspace();
    const target = newTarget();
    const [done, again] = (await add(workspaceId, target, 2)) as [Delivery, Delivery];
    const unsigned = { at: new Date(start).toISOString(), status: null, ms: 0, error: 'no_secret', response: null };
    await secrets.rotateSecret(workspaceId, null);
    await deliveries.recordAttempt(done, { ...unsigned, status: 200, error: null }, { now: start });
    clock.now += minute;
    const diesBeforeQueue = befalling({ kind: 'dead-before', index: 1 });
    await expect(underFaults(diesBeforeQueue, () => deliveries.redeliver(again, clock.now))).rejects.toThrow('injected death');
    for (const delivery of [done, again]) await deliveries.giveUp(delivery, unsigned);
    expect(await stateOf(done)).toMatchObject({ state: 'succeeded', attempts: [{ error: null }] });
    const at = new Date(clock.now).toISOString();
    expect(await stateOf(again)).toMatchObject({ state: 'pending', nextAttemptAt: at, attempts: [] });
    expect(await store.getItem(queuedKey(receiverPk(workspaceId, target.url), at, again.id))).toBeDefined();
  });

  test('A secret signs for at most a second after it was deleted or has expired, however long the run lasts.', async () => {
    for (const end of [endOldest, async () => (clock.now += 24 * hour)]) {
      const workspaceId = await newWorkspace();
      await secrets.rotateSecret(workspaceId, null);
      const target = newTarget();
      await add(workspaceId, target);
      let ended = false;
      answer = async () => {
        if (!ended) {
          ended = true;
          await end(workspaceId);
          clock.now += 1_001;
          await add(workspaceId, target);
        }
        return 200;
      };
      await send(receiverPk(workspaceId, target.url));
      expect(signaturesAt(target)).toEqual([2, 1]);
    }
  });

  test('A secret that is deleted while a delivery waits for its turn does not sign it.', async () => {
    process.env.WEBHOOK_RATE = '0.5';
    try {
      const workspaceId = await newWorkspace();
      await secrets.rotateSecret(workspaceId, null);
      const target = newTarget();
      await add(workspaceId, target, 2);
      turn.meanwhile = async (ms) => {
        await endOldest(workspaceId);
        clock.now += ms;
      };
      await send(receiverPk(workspaceId, target.url));
      expect(signaturesAt(target).toSorted()).toEqual([1, 2]);
    } finally {
      process.env.WEBHOOK_RATE = '10000';
    }
  });
});

describe('a receiver', () => {
  test('After a 410, the receiver is stopped even if the item of its host is busy when the run ends.', async () => {
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const pk = receiverPk(workspaceId, target.url);
    await add(workspaceId, target, 3);
    answer = () => 410;
    await underFaults(
      ({ input }) => {
        const isOfHost = JSON.stringify(input).includes('"HOST"');
        return isOfHost && receivedAt(target).length > 0 ? 'throttle' : undefined;
      },
      () => send(pk),
    );
    expect(await store.getItem(receiverKey(pk))).toMatchObject({ stopped: 'gone', leaseUntil: 0 });
  });

  test('After a 410, nothing more is sent until somebody resumes the receiver.', async () => {
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const pk = receiverPk(workspaceId, target.url);
    answer = () => 410;
    await add(workspaceId, target);
    await send(pk);
    answer = () => 200;
    const later = await add(workspaceId, target, 3);
    clock.now += hour;
    await send(pk);
    expect(receivedAt(target)).toHaveLength(1);
    expect(await store.getItem(receiverKey(pk))).toMatchObject({ stopped: 'gone' });
    expect(await dueAt(pk)).toBeUndefined();
    await receivers.resume(pk);
    await send(pk);
    expect(receivedAt(target)).toHaveLength(5);
    expect(await stateOf(later[2] as Delivery)).toMatchObject({ state: 'succeeded' });
  });

  test('A URL that is gone stays so for a year without deliveries, and any other receiver is forgotten after 30 days without them.', async () => {
    const day = 24 * hour;
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const pk = receiverPk(workspaceId, target.url);
    /** Lets time pass and expired items be removed. Returns whether the receiver is still known. */
    const isKnownAfter = async (ms: number) => {
      clock.now += ms;
      const item = await store.getItem(receiverKey(pk));
      if (Number(item?.ttl) * 1_000 > clock.now) return true;
      await store.deleteItem(receiverKey(pk));
      return false;
    };
    const receivedOf = async (status: number) => {
      answer = () => status;
      const before = receivedAt(target).length;
      await add(workspaceId, target);
      await send(pk);
      return receivedAt(target).length - before;
    };
    expect(await receivedOf(410)).toBe(1);
    for (let year = 0; year < 2; year++) {
      expect(await isKnownAfter(364 * day)).toBe(true);
      expect(await receivedOf(200)).toBe(0);
    }
    expect(await isKnownAfter(366 * day)).toBe(false);
    expect(await receivedOf(410)).toBe(1);
    // Once it is resumed, it is like any other.
    await receivers.resume(pk);
    expect(await receivedOf(200)).toBeGreaterThan(0);
    expect(await isKnownAfter(29 * day)).toBe(true);
    expect(await isKnownAfter(2 * day)).toBe(false);
  });

  test('A receiver that fails for three days is paused until a redelivery succeeds.', async () => {
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const pk = receiverPk(workspaceId, target.url);
    answer = () => 503;
    await add(workspaceId, target);
    await send(pk);
    for (let day = 1; day < 3; day++) {
      clock.now += 24 * hour;
      await send(pk);
      expect(await store.getItem(receiverKey(pk))).not.toHaveProperty('stopped');
    }
    clock.now += 24 * hour;
    const [late] = (await add(workspaceId, target)) as [Delivery];
    await send(pk);
    expect(await store.getItem(receiverKey(pk))).toMatchObject({ stopped: 'paused', error: 'status_503' });
    const sent = receivedAt(target).length;
    clock.now += 24 * hour;
    await receivers.makeDue(pk);
    await send(pk);
    expect(receivedAt(target)).toHaveLength(sent);
    // A redelivery that fails changes nothing.
    await deliveries.redeliver(await stateOf(late), clock.now);
    await send(pk);
    expect(receivedAt(target)).toHaveLength(sent + 1);
    expect(await store.getItem(receiverKey(pk))).toMatchObject({ stopped: 'paused' });
    answer = () => 204;
    await deliveries.redeliver(await stateOf(late), clock.now);
    await send(pk);
    expect(await store.getItem(receiverKey(pk))).not.toHaveProperty('stopped');
    expect(await stateOf(late)).toMatchObject({ state: 'succeeded' });
  });

  test("A redelivery during a sender's run for a stopped receiver is sent by that sender.", async () => {
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const pk = receiverPk(workspaceId, target.url);
    const [first, second] = (await add(workspaceId, target, 2)) as [Delivery, Delivery];
    answer = () => 410;
    await send(pk);
    expect(await store.getItem(receiverKey(pk))).toMatchObject({ stopped: 'gone' });
    const before = receivedAt(target).length;
    const sendAgain = async (delivery: Delivery) => {
      await deliveries.redeliver(await stateOf(delivery), clock.now);
      await receivers.makeDue(pk);
      await sendNow(pk);
    };
    let isAsked = false;
    answer = async () => {
      if (!isAsked) {
        isAsked = true;
        await sendAgain(second);
      }
      return 410;
    };
    await sendAgain(first);
    expect(receivedAt(target).slice(before)).toEqual([first.id, second.id]);
  });

  test('A failure counts for the three days only while the URL is tried, and not if it had no secret for days.', async () => {
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const pk = receiverPk(workspaceId, target.url);
    answer = () => 500;
    const [first] = (await add(workspaceId, target)) as [Delivery];
    await send(pk);
    const [secret] = await secrets.listSecrets(workspaceId);
    await secrets.endSecret(workspaceId, secret?.id ?? '');
    clock.now += minute;
    await send(pk);
    expect(await stateOf(first)).toMatchObject({ state: 'failed', attempts: [{ error: 'status_500' }, { error: 'no_secret' }] });
    // It has a secret again three days later, and fails for a moment.
    clock.now += 72 * hour;
    await secrets.rotateSecret(workspaceId, null);
    const [second] = (await add(workspaceId, target)) as [Delivery];
    await send(pk);
    expect(await store.getItem(receiverKey(pk))).toMatchObject({ failingSince: new Date(clock.now).toISOString() });
    expect(await store.getItem(receiverKey(pk))).not.toHaveProperty('stopped');
    answer = () => 200;
    clock.now += minute;
    await send(pk);
    expect(await stateOf(second)).toMatchObject({ state: 'succeeded' });
  });

  test('A URL whose only delivery fails each time is paused by its retries, however far they are apart.', async () => {
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const pk = receiverPk(workspaceId, target.url);
    answer = () => 500;
    await add(workspaceId, target);
    for (let at: number | undefined = clock.now; at !== undefined; at = await dueAt(pk)) {
      // The schedule runs a minute late.
      clock.now = at + minute;
      await send(pk);
    }
    expect(await store.getItem(receiverKey(pk))).toMatchObject({ stopped: 'paused' });
  });

  test('A stopped receiver gets all redeliveries, however many fail in a row.', async () => {
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const pk = receiverPk(workspaceId, target.url);
    answer = () => 410;
    const all = await add(workspaceId, target, 12);
    await send(pk);
    const before = receivedAt(target).length;
    answer = () => 500;
    for (const delivery of all) await deliveries.redeliver(await stateOf(delivery), clock.now);
    for (let run = 0; run < 12 && (run === 0 || (await dueAt(pk)) !== undefined); run++) {
      clock.now += minute;
      await send(pk);
    }
    expect(receivedAt(target).length - before).toBeGreaterThanOrEqual(12);
    expect(await Array.fromAsync(store.query({ pk, skPrefix: 'WAKE#' }))).toEqual([]);
  });

  test("A receiver that was resumed during a sender's run stays resumed, whatever that sender had found before.", async () => {
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const pk = receiverPk(workspaceId, target.url);
    answer = () => 410;
    await add(workspaceId, target);
    await send(pk);
    const lease = await receivers.takeLease(pk, true);
    if (!lease) throw new Error('no lease');
    await receivers.resume(pk);
    await receivers.endLease(lease, lease);
    expect(await store.getItem(receiverKey(pk))).not.toHaveProperty('stopped');
  });

  test("One of many senders gets a receiver's lease, and another one only after it has expired.", async () => {
    const pk = receiverPk(await newWorkspace(), 'https://example.com/');
    const taken = await Promise.all(Array.from({ length: 20 }, () => receivers.takeLease(pk, true)));
    expect(taken.filter(Boolean)).toHaveLength(1);
    clock.now += 89_999;
    expect(await receivers.takeLease(pk, true)).toBeUndefined();
    clock.now += 1;
    expect(await receivers.takeLease(pk, true)).toMatchObject({ leaseNumber: 2 });
    // The first sender comes back, and changes nothing.
    const [first] = taken.filter(Boolean);
    if (!first) throw new Error('no lease');
    expect(await receivers.endLease(first, { ...first, stopped: 'gone', stoppedAt: null })).toBe(false);
    expect(await store.getItem(receiverKey(pk))).toMatchObject({ leaseNumber: 2 });
    expect(await store.getItem(receiverKey(pk))).not.toHaveProperty('stopped');
  });

  test('Five failures in a row end a run, so that a URL that hangs occupies a sender only briefly.', async () => {
    const workspaceId = await newWorkspace();
    const target = newTarget();
    answer = () => 500;
    await add(workspaceId, target, 60);
    await send(receiverPk(workspaceId, target.url));
    // Ten calls were under way when the fifth failed.
    expect(receivedAt(target).length).toBeLessThan(5 + 10);
    expect(await dueAt(receiverPk(workspaceId, target.url))).toBeDefined();
  });
});

describe('A receiver that falls behind', () => {
  /** Leaves 60 deliveries for a while, and runs the sender. Returns its warnings about receivers that are behind. */
  const linesAfter = async (wait: number) => {
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const pk = receiverPk(workspaceId, target.url);
    await add(workspaceId, target, 60);
    clock.now += wait;
    const warned = vi.spyOn(console, 'warn').mockImplementation(() => {});
    await send(pk);
    const lines = warned.mock.calls.flat().filter(({ message }) => message === alarming.receiverBehind);
    warned.mockRestore();
    return { lines, pk };
  };

  test('A run that leaves deliveries that have been due for a day warns, because they are lost after 14.', async () => {
    answer = () => 500;
    const { lines, pk } = await linesAfter(24 * hour);
    expect(lines).toEqual([{ message: alarming.receiverBehind, receiver: pk, oldestDueAt: new Date(start).toISOString() }]);
  });

  test('A run that leaves deliveries that have been due for less than a day does not warn.', async () => {
    answer = () => 500;
    expect((await linesAfter(24 * hour - 1)).lines).toEqual([]);
  });

  test('A run that catches up does not warn, however long deliveries have waited.', async () => {
    expect((await linesAfter(5 * 24 * hour)).lines).toEqual([]);
  });
});

test('While one receiver hangs, many others receive their deliveries.', async () => {
  let release: (status: number) => void = () => {};
  const hanging = new Promise<number>((resolve) => {
    release = resolve;
  });
  const stuck = newTarget();
  answer = (path) => (receiver.url + path === stuck.url ? hanging : 200);
  const workspaceId = await newWorkspace();
  await add(workspaceId, stuck, 3);
  const hung = send(receiverPk(workspaceId, stuck.url));
  const others = await inParallel(Array.from({ length: sized(60, 1_000) }), 25, async () => {
    const target = newTarget();
    await add(workspaceId, target);
    await send(receiverPk(workspaceId, target.url));
    return receivedAt(target).length;
  });
  expect(new Set(others)).toEqual(new Set([1]));
  release(200);
  await hung;
});

test("While one of a sender's receivers hangs, the others receive their deliveries.", async () => {
  let release: (status: number) => void = () => {};
  const hanging = new Promise<number>((resolve) => {
    release = resolve;
  });
  const workspaceId = await newWorkspace();
  const targets = Array.from({ length: 40 }, newTarget);
  const [stuck, ...others] = targets as [Target, ...Target[]];
  answer = (path) => (receiver.url + path === stuck.url ? hanging : 200);
  for (const target of targets) await add(workspaceId, target, 2);
  const served = sendNow(...targets.map(({ url }) => receiverPk(workspaceId, url)));
  await expect.poll(() => others.map((target) => receivedAt(target).length)).toEqual(others.map(() => 2));
  release(200);
  await served;
});

test('A receiver that cannot be served does not keep its sender from serving others, and the sender is retried.', async () => {
  const workspaceId = await newWorkspace();
  const [broken, ...others] = Array.from({ length: 5 }, newTarget) as [Target, ...Target[]];
  await store.putItem({ ...receiverKey(receiverPk(workspaceId, broken.url)), leaseNumber: 'one' });
  for (const target of others) await add(workspaceId, target);
  const pks = [broken, ...others].map(({ url }) => receiverPk(workspaceId, url));
  await expect(sendNow(...pks)).rejects.toThrow('leaseNumber');
  expect(others.map((target) => receivedAt(target).length)).toEqual([1, 1, 1, 1]);
});

describe('A receiver that takes more than five seconds', () => {
  const slowReceiver = async () => {
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const pk = receiverPk(workspaceId, target.url);
    await add(workspaceId, target);
    call.takes = 5_001;
    await sendNow(pk);
    call.takes = undefined;
    return { workspaceId, target, pk };
  };

  test('A slow receiver is left to the schedule until it is fast again.', async () => {
    const { workspaceId, target, pk } = await slowReceiver();
    await add(workspaceId, target);
    await sendNow(pk);
    expect(receivedAt(target)).toHaveLength(1);
    expect(await dueAt(pk)).toBe(0);
    await send(pk);
    expect(receivedAt(target)).toHaveLength(2);
    await add(workspaceId, target);
    await sendNow(pk);
    expect(receivedAt(target)).toHaveLength(3);
  });

  test('A call of five seconds is not slow, and one slow call of a run is enough.', async () => {
    const { workspaceId, target, pk } = await slowReceiver();
    await add(workspaceId, target, 3);
    answer = () => {
      call.takes = call.takes ? 1 : 5_001;
      return 200;
    };
    await send(pk);
    expect(await store.getItem(receiverKey(pk))).toMatchObject({ isSlow: true });
    await add(workspaceId, target);
    answer = () => {
      call.takes = 5_000;
      return 200;
    };
    await send(pk);
    expect(await store.getItem(receiverKey(pk))).not.toHaveProperty('isSlow');
  });

  test('A redelivery to a slow receiver is sent at once.', async () => {
    const { workspaceId, target, pk } = await slowReceiver();
    const [delivery] = (await add(workspaceId, target)) as [Delivery];
    await deliveries.redeliver(delivery, clock.now);
    await sendNow(pk);
    expect(receivedAt(target)).toHaveLength(2);
  });

  test('A slow receiver occupies its sender for only one run, even if deliveries are added meanwhile.', async () => {
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const pk = receiverPk(workspaceId, target.url);
    await add(workspaceId, target);
    call.takes = 15_000;
    let added = false;
    answer = async () => {
      if (!added) {
        added = true;
        // The added delivery is due in a moment.
        clock.now += 3_000;
        await add(workspaceId, target);
        clock.now -= 3_000;
      }
      return 200;
    };
    await send(pk);
    expect(receivedAt(target)).toHaveLength(1);
    expect(await dueAt(pk)).toBe(0);
  });
});

test('A sender reserves the times of its calls at the rate of the stage, so that the next sender begins after them.', async () => {
  process.env.WEBHOOK_RATE = '4';
  try {
    const workspaceId = await newWorkspace();
    const target = newTarget();
    const pk = receiverPk(workspaceId, target.url);
    await add(workspaceId, target, 2);
    await send(pk);
    // By the table's time, which stands still. A call may begin a tenth of a second late.
    expect(await store.getItem(hostCallsKey(workspaceId, '127.0.0.1'))).toMatchObject({ nextCallAt: start + 550 });
  } finally {
    process.env.WEBHOOK_RATE = '10000';
  }
});

const faultOf = mishapUpTo(30);

const step = fc.record({
  /** Minutes until this step. */
  after: fc.nat(90),
  adds: fc.nat(sized(3, 12)),
  /** Somebody redelivers one of the deliveries, or resumes the receiver. */
  again: fc.option(fc.nat(20)),
  resumes: fc.boolean(),
  /** The faults of the senders that run at the same time. */
  senders: fc.array(faultOf, { minLength: 1, maxLength: 3 }),
  /** How many of 100 calls fail. */
  failing: fc.constantFrom(0, 30, 80, 100),
});

test('A receiver that fails at random for hours, served by senders that die, receives each delivery, always with the same id and never twice at once.', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 12 }), async (steps) => {
      clock.now = start;
      const workspaceId = await newWorkspace();
      const target = newTarget();
      const pk = receiverPk(workspaceId, target.url);
      const all: Delivery[] = [];
      let dice = 7;
      for (const { after, adds, again, resumes, senders, failing } of steps) {
        clock.now += after * minute;
        answer = () => {
          dice = (dice * 48_271) % 2_147_483_647;
          if (dice % 100 >= failing) return 200;
          return dice % 7 === 0 ? 410 : 503;
        };
        all.push(...(await add(workspaceId, target, adds)));
        const repeated = again === null ? undefined : all[again % Math.max(1, all.length)];
        if (repeated) {
          await deliveries.redeliver(await stateOf(repeated), clock.now);
          await receivers.makeDue(pk);
        }
        if (resumes) {
          await receivers.resume(pk);
          await receivers.makeDue(pk);
        }
        await Promise.all(senders.map((fault) => underFaults(befalling(fault), () => send(pk)).catch(() => undefined)));
      }
      // The receiver has recovered and is resumed. From now on only the schedule starts senders.
      answer = () => 200;
      await receivers.resume(pk);
      await receivers.makeDue(pk);
      for (let runs = 0; ; runs++) {
        const at = await dueAt(pk);
        if (at === undefined) break;
        expect(runs).toBeLessThan(200);
        // The schedule runs each minute.
        clock.now = Math.max(clock.now + minute, at);
        await send(pk);
      }
      const got = new Set(receivedAt(target));
      expect(got).toEqual(new Set(all.map(({ id }) => id)));
      expect(receiver.doubled).toEqual(new Set());
      for (const delivery of all) {
        const { state, attempts } = await stateOf(delivery);
        expect(state).toBe('succeeded');
        expect(attempts.at(-1)?.status).toBe(200);
      }
    }),
    { numRuns: runs(2) },
  );
});
