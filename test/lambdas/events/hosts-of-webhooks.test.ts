import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { randomBase62 } from '../../../lambdas/core/base62.ts';
import { type Delivery, newDeliveries } from '../../../lambdas/core/webhook/delivery.ts';
import { inParallel } from '../../../lambdas/runtime/in-parallel.ts';
import { dueKey, hostCallsKey, type ReceiverPk, receiverKey, receiverPk } from '../../../lambdas/store/table/keys.ts';
import { contextWith } from '../../support/http/invoke.ts';
import { startReceiver, type WebhookReceiver } from '../../support/http/receiver.ts';
import { type Store, useStore } from '../../support/store/store.ts';

// Each sender has its own clock, which only its own waits move, so that no test waits. All start at the same time.

type Clock = { now: number; readonly timers: { readonly at: number; readonly ring: () => void }[]; isRinging: boolean };
const start = Date.parse('2030-01-02T03:04:05.678Z');
const clocks = new AsyncLocalStorage<Clock>();
/** The time at which a new sender starts: that of the latest one. */
let latest = start;
const newClock = (): Clock => ({ now: latest, timers: [], isRinging: false });

vi.mock('../../../lambdas/store/table/clock.ts', async (original) => ({
  ...(await original<typeof import('../../../lambdas/store/table/clock.ts')>()),
  tableTime: () => clocks.getStore()?.now ?? start,
}));

/** How long the next sender is held up after a wait, in milliseconds, and what runs before. */
const held: { ms: number; meanwhile?: (() => Promise<unknown>) | undefined } = { ms: 0 };

/** Ends the waits of a sender in their order, and sets its clock to each end. */
async function ring(clock: Clock): Promise<void> {
  const happens = held.meanwhile;
  held.meanwhile = undefined;
  await happens?.();
  clock.isRinging = clock.timers.length > 0;
  const [next] = clock.timers.sort((a, b) => a.at - b.at).splice(0, 1);
  if (!next) return;
  clock.now = Math.max(clock.now, next.at) + held.ms;
  held.ms = 0;
  next.ring();
  setImmediate(ring, clock);
}

vi.mock('node:timers/promises', async (original) => {
  const real = await original<typeof import('node:timers/promises')>();
  const setTimeout = (ms: number) => {
    const clock = clocks.getStore();
    if (!clock) return real.setTimeout(ms);
    return new Promise<void>((done) => {
      clock.timers.push({ at: clock.now + ms, ring: done });
      if (!clock.isRinging) setImmediate(ring, clock);
      clock.isRinging = true;
    });
  };
  return { ...real, setTimeout };
});

const rate = 25;
let store: Store;
let receiver: WebhookReceiver;
/** Calls under way at the receiver: in all, and the most. */
const underWay = { count: 0, most: 0 };
let handler: typeof import('../../../lambdas/events/send-webhooks.ts').handler;
let deliveries: typeof import('../../../lambdas/store/webhooks/deliveries.ts');
let receivers: typeof import('../../../lambdas/store/webhooks/receivers.ts');
let secrets: typeof import('../../../lambdas/store/webhooks/secrets.ts');
beforeAll(async () => {
  Object.assign(process.env, { WEBHOOK_LOOPBACK: 'allowed', WEBHOOK_RATE: `${rate}` });
  store = await useStore();
  ({ handler } = await import('../../../lambdas/events/send-webhooks.ts'));
  deliveries = await import('../../../lambdas/store/webhooks/deliveries.ts');
  receivers = await import('../../../lambdas/store/webhooks/receivers.ts');
  secrets = await import('../../../lambdas/store/webhooks/secrets.ts');
  receiver = await startReceiver(async () => {
    underWay.most = Math.max(underWay.most, ++underWay.count);
    await pause(5);
    underWay.count--;
    return 200;
  });
});
afterAll(() => receiver.stop());
beforeEach(() => {
  underWay.most = 0;
  latest = start;
});

let events = 0;
/** Adds deliveries for these URLs, and returns them. */
async function addTo(workspaceId: string, urls: readonly string[], each: number): Promise<Delivery[]> {
  const all = urls.flatMap((url) =>
    Array.from({ length: each }, () => {
      const event = { workspaceId, linkId: null, type: 'link.clicked', key: `${++events}`, body: '{}' } as const;
      return newDeliveries(event, [{ webhookId: null, url }], start)[0] as Delivery;
    }),
  );
  await inParallel(all, 25, deliveries.addDelivery);
  await inParallel(urls, 25, (url) => receivers.makeDue(receiverPk(workspaceId, url)));
  return all;
}

async function newWorkspace(): Promise<string> {
  const { workspaceId } = await store.newWorkspace();
  await secrets.rotateSecret(workspaceId, null);
  return workspaceId;
}

/** Runs a sender with a clock of its own. */
async function send(...pks: ReceiverPk[]): Promise<void> {
  const clock = newClock();
  await clocks.run(clock, () => handler({ receivers: pks, isScheduled: true }, contextWith(40_000)));
  latest = Math.max(latest, clock.now);
}

/** The times of the attempts at deliveries, by the table's clock, in order. */
async function attemptTimes(all: readonly Delivery[]): Promise<number[]> {
  const found = await deliveries.getDeliveries(all.map(({ id }) => id));
  return found.flatMap((one) => one?.attempts.map(({ at }) => Date.parse(at)) ?? []).sort((a, b) => a - b);
}

/** The largest number of these times within one second. */
const mostASecond = (times: readonly number[]): number =>
  Math.max(...times.map((from) => times.filter((at) => at >= from && at < from + 1_000).length));

test('However many senders there are, 25 URLs of a host that differ in a query get no more calls a second than one URL, and 20 at a time.', async () => {
  const workspaceId = await newWorkspace();
  const urls = Array.from({ length: 25 }, (_, index) => `${receiver.url}/hook?link=${index}`);
  const all = await addTo(workspaceId, urls, 12);
  const pks = urls.map((url) => receiverPk(workspaceId, url));
  for (let round = 0; round < 40; round++) {
    const due = new Set((await Array.fromAsync(receivers.dueReceivers())).map(({ pk }) => pk));
    const left = pks.filter((pk) => due.has(pk));
    if (left.length === 0) break;
    // Five senders for all, and one more for each of the first.
    await Promise.all([
      ...[0, 1, 2, 3, 4].map((share) => send(...left.filter((_, index) => index % 5 === share))),
      ...left.slice(0, 10).map((pk) => send(pk)),
    ]);
  }
  const times = await attemptTimes(all);
  expect(times).toHaveLength(all.length);
  expect(receiver.doubled).toEqual(new Set());
  expect(mostASecond(times)).toBeLessThanOrEqual(rate);
  expect(underWay.most).toBeLessThanOrEqual(20);
});

test('A single URL of a host gets calls at the rate of the stage, and ten at a time.', async () => {
  const workspaceId = await newWorkspace();
  const url = `${receiver.url}/own`;
  const all = await addTo(workspaceId, [url], 100);
  await send(receiverPk(workspaceId, url));
  const times = await attemptTimes(all);
  expect(times).toHaveLength(100);
  expect(mostASecond(times)).toBeLessThanOrEqual(rate);
  expect((times.at(-1) ?? 0) - start).toBeLessThan(6_000);
  expect(underWay.most).toBeLessThanOrEqual(10);
});

test('A sender that was held up does not catch up: late calls take new times.', async () => {
  const workspaceId = await newWorkspace();
  const url = `${receiver.url}/held-up`;
  const all = await addTo(workspaceId, [url], 60);
  held.ms = 3_000;
  await send(receiverPk(workspaceId, url));
  const times = await attemptTimes(all);
  expect([times.length, held.ms]).toEqual([60, 0]);
  expect(mostASecond(times)).toBeLessThanOrEqual(rate);
});

test('A run whose host has too many calls under way continues once others have left.', async () => {
  const workspaceId = await newWorkspace();
  const url = `${receiver.url}/full`;
  const all = await addTo(workspaceId, [url], 3);
  const host = (runs: object[]) =>
    store.putItem({ ...hostCallsKey(workspaceId, '127.0.0.1'), nextCallAt: 0, runs, token: randomBase62(8) });
  await host([0, 1].map((number) => ({ receiver: `other-${number}`, concurrency: 10, until: start + 90_000 })));
  held.meanwhile = () => host([]);
  await send(receiverPk(workspaceId, url));
  expect(await attemptTimes(all)).toHaveLength(3);
});

test('A run whose host stays full leaves within seconds, and its receiver stays due.', async () => {
  const workspaceId = await newWorkspace();
  const url = `${receiver.url}/full`;
  const pk = receiverPk(workspaceId, url);
  const all = await addTo(workspaceId, [url], 3);
  const runs = [0, 1].map((number) => ({ receiver: `other-${number}`, concurrency: 10, until: start + 90_000 }));
  await store.putItem({ ...hostCallsKey(workspaceId, '127.0.0.1'), nextCallAt: 0, runs, token: 'theirs' });
  await send(pk);
  expect(latest - start).toBeLessThanOrEqual(5_000);
  expect(await attemptTimes(all)).toEqual([]);
  expect((await store.getItem(dueKey(pk)))?.at).toBeLessThanOrEqual(start);
  expect(await store.getItem(receiverKey(pk))).toMatchObject({ leaseUntil: 0 });
});

test('Other workspaces, and other hosts, do not share the rate.', async () => {
  const [one, other] = [await newWorkspace(), await newWorkspace()];
  const url = `${receiver.url}/shared`;
  const elsewhere = url.replace('127.0.0.1', 'localhost');
  const sent = await Promise.all(
    (
      [
        [one, url],
        [one, elsewhere],
        [other, url],
      ] as const
    ).map(async ([workspaceId, to]) => {
      const all = await addTo(workspaceId, [to], rate);
      await send(receiverPk(workspaceId, to));
      return attemptTimes(all);
    }),
  );
  for (const times of sent) expect([times.length, (times.at(-1) ?? 0) < start + 1_200]).toEqual([rate, true]);
});
