import type { DynamoDBRecord } from 'aws-lambda';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Click, nothingKnown } from '../../../lambdas/core/click/click.ts';
import { newClick } from '../../../lambdas/core/click/new-click.ts';
import type { SenderEvent } from '../../../lambdas/outbound/senders.ts';
import { inParallel } from '../../../lambdas/runtime/in-parallel.ts';
import { clickKey, receiverPk } from '../../../lambdas/store/table/keys.ts';
import { type Fault, underFaults } from '../../support/faults/faults.ts';
import { befalling } from '../../support/faults/random.ts';
import { contextWith } from '../../support/http/invoke.ts';
import { startReceiver, type WebhookReceiver } from '../../support/http/receiver.ts';
import { type AskedOfAws, useAws } from '../../support/laptop/aws.ts';
import { sized } from '../../support/run/proof.ts';
import { type Store, useStore } from '../../support/store/store.ts';

/** The table's time, which the test moves. */
const clock = vi.hoisted(() => ({ now: 0 }));
vi.mock('../../../lambdas/store/table/clock.ts', async (original) => ({
  ...(await original<typeof import('../../../lambdas/store/table/clock.ts')>()),
  tableTime: () => clock.now,
}));

const clickCount = sized(200, 10_000);
const linkCount = 10;
const batchSize = 100;
/** How many calls one sender may have under way for a receiver. */
const ofOneSender = 10;

let store: Store;
let aws: AskedOfAws;
let receiver: WebhookReceiver;
let create: typeof import('../../../lambdas/events/create-deliveries.ts').handler;
let send: typeof import('../../../lambdas/events/send-webhooks.ts').handler;
let start: typeof import('../../../lambdas/events/start-senders.ts').handler;
let deliveries: typeof import('../../../lambdas/store/webhooks/deliveries.ts');
/** Handles a call for a path, and returns its status. */
let answer: (path: string) => Promise<number>;
beforeAll(async () => {
  store = await useStore();
  aws = await useAws();
  Object.assign(process.env, { WEBHOOK_LOOPBACK: 'allowed', WEBHOOK_RATE: '100000', SHORT_URL_ORIGIN: 'https://{domain}' });
  receiver = await startReceiver(({ path }) => answer(path));
  ({ handler: create } = await import('../../../lambdas/events/create-deliveries.ts'));
  ({ handler: send } = await import('../../../lambdas/events/send-webhooks.ts'));
  ({ handler: start } = await import('../../../lambdas/events/start-senders.ts'));
  deliveries = await import('../../../lambdas/store/webhooks/deliveries.ts');
});
afterAll(() => receiver.stop());

let sequence = 0;
const recordOf = (click: Click): DynamoDBRecord => {
  const { pk, sk } = clickKey(click);
  return {
    eventName: 'INSERT',
    dynamodb: {
      Keys: { pk: { S: pk }, sk: { S: sk } },
      NewImage: { workspaceId: { S: click.workspaceId }, hooked: { BOOL: true } },
      SequenceNumber: String(++sequence),
    },
  };
};

/** Random numbers below `most`, determined by the seed. */
const diceOf = (seed: number) => {
  let state = seed;
  return (most: number): number => {
    state = (state * 48_271) % 2_147_483_647;
    return state % most;
  };
};

const kinds: readonly Fault[] = ['throttle', 'lost-before', 'lost-after', 'dead-before', 'dead-after'];

test(`Of ${clickCount} clicks, each reaches each of its link's URLs, always with one webhook-id and never twice at once, while batches are repeated and senders compete and die.`, async () => {
  const manyClicks = async (seed: number) => {
    const dice = diceOf(seed);
    clock.now = Date.parse('2030-01-02T03:04:05.678Z');
    const workspace = await store.newWorkspace();
    await store.rotateSecret(workspace.workspaceId, null);
    const found = await store.newLinks(workspace, linkCount);
    const links = await inParallel(found, linkCount, async (one, position) => {
      // The first link has two URLs.
      const urls = [`${receiver.url}/${seed}/${position}`, ...(position === 0 ? [`${receiver.url}/${seed}/other`] : [])];
      return (await store.updateLink(one, { webhookUrls: urls.join(',') })).link;
    });
    const clicks = Array.from({ length: clickCount }, (_, number) => {
      const link = links[number % linkCount];
      if (!link) throw new Error('no link');
      return newClick(link, clock.now + number, nothingKnown);
    });
    const batches = Array.from({ length: clickCount / batchSize }, (_, batch) =>
      clicks.slice(batch * batchSize, (batch + 1) * batchSize).map(recordOf),
    );
    /** A run of a function with a possible fault. Returns whether it succeeded. */
    const run = (work: () => Promise<unknown>, isMishap: boolean, calls: number): Promise<boolean> => {
      const mishap = isMishap ? { kind: kinds[dice(kinds.length)] as Fault, index: dice(calls) } : null;
      return underFaults(befalling(mishap), work).then(
        () => true,
        () => false,
      );
    };
    /** Runs the requested senders, all at once, and some of them twice, as Lambda may do. */
    const runSenders = async (isCalm: boolean) => {
      const asked = aws.invoked.splice(0).map(({ payload }) => payload as SenderEvent);
      const repeated = asked.filter(() => dice(2) === 0);
      await inParallel([...asked, ...repeated], 12, (event) =>
        run(() => send(event, contextWith(40_000)), !isCalm && dice(4) === 0, 150),
      );
    };
    let competitors = 0;
    answer = async (path) => {
      // While the receiver has a call, another sender starts for it.
      if (competitors < 3 && dice(10) === 0) {
        competitors++;
        const receivers = [receiverPk(workspace.workspaceId, receiver.url + path)];
        await run(() => send({ receivers, isScheduled: true }, contextWith(40_000)), dice(4) === 0, 10);
        competitors--;
      }
      return dice(100) < 2 ? 503 : 200;
    };
    const createUntilDone = async (batch: DynamoDBRecord[]) => {
      while (!(await run(() => create({ Records: batch }, contextWith(20_000)), dice(2) === 0, 2 * batchSize)));
    };
    for (const [position, batch] of batches.entries()) {
      const again = dice(5) === 0 ? batches[dice(position + 1)] : undefined;
      await Promise.all([createUntilDone(batch), again && createUntilDone(again), runSenders(false)]);
      clock.now += 2_000 + dice(8_000);
      if (position % 10 === 0) await start({}, contextWith(20_000));
    }
    // From now on nothing dies. The schedule runs each minute, until it has switched itself off.
    for (let minutes = 0; aws.isScheduleOn; minutes++) {
      expect(minutes).toBeLessThan(24 * 60);
      await runSenders(true);
      clock.now += 60_000;
      await start({}, contextWith(20_000));
    }
    expect(receiver.doubled).toEqual(new Set());
    expect(receiver.mostConcurrent()).toBeLessThanOrEqual(ofOneSender);
    /** The webhook-ids by URL and click. */
    const got = new Map<string, Set<string>>();
    for (const { path, headers, body } of receiver.received) {
      const what = `${path} ${JSON.parse(body).data.click.id}`;
      got.set(what, (got.get(what) ?? new Set()).add(String(headers['webhook-id'])));
    }
    const expected = clicks.flatMap(({ linkId, id }) => {
      const position = links.findIndex((link) => link.id === linkId);
      return [`/${seed}/${position} ${id}`, ...(position === 0 ? [`/${seed}/other ${id}`] : [])];
    });
    expect(expected.filter((one) => got.get(one)?.size !== 1)).toEqual([]);
    expect(got.size).toBe(expected.length);
    // No delivery waits, and none has failed.
    const { deliveries: some } = await deliveries.listDeliveries(workspace.workspaceId, {}, { limit: 100 });
    expect(new Set(some.map(({ state }) => state))).toEqual(new Set(['succeeded']));
  };
  await fc.assert(fc.asyncProperty(fc.integer({ min: 1, max: 2_147_483_646 }), manyClicks), { numRuns: 1, endOnFailure: true });
});
