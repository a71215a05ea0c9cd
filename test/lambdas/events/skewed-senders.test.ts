import type { Context } from 'aws-lambda';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { randomBase62 } from '../../../lambdas/core/base62.ts';
import { newDeliveries } from '../../../lambdas/core/webhook/delivery.ts';
import { dueKey, receiverPk } from '../../../lambdas/store/table/keys.ts';
import { startReceiver, type WebhookReceiver } from '../../support/http/receiver.ts';
import { runs } from '../../support/run/proof.ts';
import { type ClockedFunction, useClocks } from '../../support/store/clocks.ts';

// Each function has its own clock, which may be hours wrong. The table refuses requests that are signed more than
// five minutes off, as AWS does.

const load = async () => ({
  ...(await import('../../../lambdas/events/send-webhooks.ts')),
  ...(await import('../../../lambdas/store/table/clock.ts')),
  ...(await import('../../../lambdas/store/table/reads.ts')),
  ...(await import('../../../lambdas/store/webhooks/deliveries.ts')),
  ...(await import('../../../lambdas/store/webhooks/receivers.ts')),
  ...(await import('../../../lambdas/store/webhooks/secrets.ts')),
  ...(await import('../../../lambdas/store/workspaces/workspaces.ts')),
});
type Modules = Awaited<ReturnType<typeof load>>;

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** How far two functions' estimates of the table's time may be apart: its `Date` has whole seconds. */
const apart = 2 * second;

let clocks: Awaited<ReturnType<typeof useClocks<Modules>>>;
let receiver: WebhookReceiver;
/** The webhooks that arrived, with the time by the table's clock and the status that they got. */
const arrivals: { id: string; at: number; status: number }[] = [];
let status = 200;
/** Runs while the receiver has a call. */
let meanwhile: (() => Promise<unknown>) | undefined;
/** The largest error of a timestamp. */
let worst = 0;
beforeAll(async () => {
  Object.assign(process.env, { WEBHOOK_LOOPBACK: 'allowed', WEBHOOK_RATE: '10000' });
  clocks = await useClocks(load);
  receiver = await startReceiver(async ({ headers }) => {
    worst = Math.max(worst, Math.abs(Number(headers['webhook-timestamp']) * second - clocks.now()));
    arrivals.push({ id: String(headers['webhook-id']), at: clocks.now(), status });
    const happens = meanwhile;
    meanwhile = undefined;
    await happens?.();
    return status;
  });
});
afterAll(async () => {
  vi.restoreAllMocks();
  clocks.stop();
  await receiver.stop();
});

/** Lambda counts down by a clock that is independent of the function's. */
const invocation = () => {
  const endsAt = clocks.now() + minute;
  return { getRemainingTimeInMillis: () => endsAt - clocks.now() } as Context;
};

type Function = ClockedFunction<Modules>;
const sendBy = (sender: Function, pk: string, trips: Parameters<Function['run']>[1] = []) =>
  sender.run(() => sender.modules.handler({ receivers: [pk], isScheduled: true }, invocation()), trips);

/** A workspace with a secret for the URLs of its links. */
async function newWorkspace({ run, modules }: Function): Promise<string> {
  const made = await run(async () => {
    const { id } = await modules.createWorkspace('Webhooks', async () => 'gateway');
    await modules.rotateSecret(id, null);
    return id;
  });
  if (made === undefined) throw new Error('no workspace');
  return made;
}

let made = 0;
/** Adds a delivery as the stream's reader does, whose clock was corrected by what it has just read. */
const addBy = (reader: Function, workspaceId: string, url: string) =>
  reader.run(async () => {
    const pk = receiverPk(workspaceId, url);
    await reader.modules.getItem(dueKey(pk));
    const event = { workspaceId, linkId: null, type: 'link.clicked', key: String(++made), body: '{}' } as const;
    const [delivery] = newDeliveries(event, [{ webhookId: null, url }], reader.modules.tableTime());
    if (!delivery) throw new Error('no delivery');
    await reader.modules.addDelivery(delivery);
    await reader.modules.makeDue(pk);
    return delivery.id;
  });

const skew = fc.constantFrom(-5 * hour, -hour, -3 * second, 0, 700, hour, 5 * hour);
const trip = fc.record({
  there: fc.nat(400),
  back: fc.nat(400),
  mishap: fc.option(fc.constantFrom('answer-lost', 'dies-before', 'dies-after'), { nil: undefined, freq: 8 }),
});
const step = fc.record({
  /** Seconds until this step. */
  after: fc.nat(120),
  adds: fc.nat(2),
  fails: fc.boolean(),
  /** The started senders, with the faults of their calls. */
  senders: fc.array(fc.record({ which: fc.nat(1), trips: fc.array(trip, { maxLength: 8 }) }), { minLength: 1, maxLength: 3 }),
  /** A sender that is frozen between invocations thaws with another clock. */
  thaws: fc.option(fc.tuple(fc.nat(1), skew), { nil: undefined }),
});

test('However wrong the clocks of senders are, a webhook is never sent twice at once, retried early or stranded, and its timestamp is right.', async () => {
  await fc.assert(
    fc.asyncProperty(fc.tuple(skew, skew, skew), fc.array(step, { minLength: 1, maxLength: 6 }), async (skews, steps) => {
      const [reader, ...senders] = (await Promise.all(skews.map((one) => clocks.start(one)))) as [Function, Function, Function];
      try {
        const workspaceId = await newWorkspace(reader);
        const url = `${receiver.url}/${randomBase62(8)}`;
        const pk = receiverPk(workspaceId, url);
        const dueAt = () => reader.run(async () => (await reader.modules.getItem(dueKey(pk)))?.at as number | undefined);
        const ids: (string | undefined)[] = [];
        worst = 0;
        for (const { after, adds, fails, senders: started, thaws } of steps) {
          clocks.wait(after * second);
          if (thaws) Object.assign(senders[thaws[0]] ?? {}, { skew: thaws[1] });
          status = fails ? 500 : 200;
          for (let count = 0; count < adds; count++) ids.push(await addBy(reader, workspaceId, url));
          // A function runs one invocation at a time.
          const [one, other] = [0, 1].map((which) => started.filter((event) => event.which === which));
          const runOn = async (sender: Function, events: typeof started = []) => {
            for (const { trips } of events) await sendBy(sender, pk, trips).catch(() => undefined);
          };
          await Promise.all([runOn(senders[0] as Function, one), runOn(senders[1] as Function, other)]);
        }
        // A leftover lease expires within 90 seconds, and a retry waits for 5.5 minutes, or half an hour if it is the third.
        // From now on only the schedule starts senders.
        status = 200;
        for (let run = 0; ; run++) {
          const at = await dueAt();
          if (at === undefined) break;
          expect(at - clocks.now()).toBeLessThan(6 * hour);
          expect(run).toBeLessThan(20);
          clocks.wait(Math.max(at - clocks.now(), 0) + minute);
          await sendBy(senders[run % 2] as Function, pk);
        }
        expect(receiver.doubled).toEqual(new Set());
        expect(worst).toBeLessThan(apart);
        for (const id of ids) {
          const came = arrivals.filter((one) => one.id === id);
          expect(came.at(-1)?.status).toBe(200);
          for (const [index, { at, status: got }] of came.entries()) {
            const next = came[index + 1];
            // A sender that died after it had sent the webhook did not record that. Its lease expires after 90 seconds.
            if (next && got !== 200) expect(next.at - at).toBeGreaterThan(minute / 2 - 2 * apart);
            if (next && got === 200) expect(next.at - at).toBeGreaterThan(minute - apart);
          }
        }
      } finally {
        clocks.stop();
      }
    }),
    { numRuns: runs(4) },
  );
});

test('While a sender waits for a response, another one with another clock sends nothing; if the first one died, it does so after the lease.', async () => {
  status = 200;
  for (const [first, other] of [
    [-hour, hour],
    [hour, -hour],
    [0, hour],
    [-hour, 0],
    [1_500, -1_500],
  ] as const) {
    const [one, two] = [await clocks.start(first), await clocks.start(other)];
    const workspaceId = await newWorkspace(one);
    const url = `${receiver.url}/${randomBase62(8)}`;
    const pk = receiverPk(workspaceId, url);
    const id = await addBy(two, workspaceId, url);
    const timesSent = () => arrivals.filter((one) => one.id === id).length;
    clocks.wait(5 * second);
    meanwhile = async () => {
      await sendBy(two, pk);
      clocks.wait(50 * second);
      await sendBy(two, pk);
      // The first one dies before it has recorded anything.
      one.die();
    };
    await sendBy(one, pk).catch(() => undefined);
    expect([first, timesSent()]).toEqual([first, 1]);
    clocks.wait(40 * second - 2 * apart);
    await sendBy(two, pk);
    expect([first, timesSent()]).toEqual([first, 1]);
    clocks.wait(4 * apart);
    await sendBy(two, pk);
    expect([first, timesSent()]).toEqual([first, 2]);
    expect(receiver.doubled).toEqual(new Set());
    clocks.stop();
  }
});

test("A new webhook is sent at once, although its creator's clock and the sender's differ, before and after they are corrected.", async () => {
  status = 200;
  for (const [ahead, behind] of [
    [900, 0],
    [0, -900],
    [hour, -hour],
    [-hour, hour],
  ] as const) {
    const [reader, sender] = [await clocks.start(ahead), await clocks.start(behind)];
    const workspaceId = await newWorkspace(reader);
    const url = `${receiver.url}/${randomBase62(8)}`;
    const id = await addBy(reader, workspaceId, url);
    await sendBy(sender, receiverPk(workspaceId, url));
    expect(arrivals.filter((one) => one.id === id)).toHaveLength(1);
    clocks.stop();
  }
});
