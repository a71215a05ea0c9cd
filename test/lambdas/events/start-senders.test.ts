import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { randomBase62 } from '../../../lambdas/core/base62.ts';
import type { SenderEvent } from '../../../lambdas/outbound/senders.ts';
import { inParallel } from '../../../lambdas/runtime/in-parallel.ts';
import { dueKey, type ReceiverPk, receiverKey, receiverPk, scheduleKey } from '../../../lambdas/store/table/keys.ts';
import { underFaults } from '../../support/faults/faults.ts';
import { befalling, mishapUpTo } from '../../support/faults/random.ts';
import { contextWith } from '../../support/http/invoke.ts';
import { type AskedOfAws, useAws } from '../../support/laptop/aws.ts';
import { runs } from '../../support/run/proof.ts';
import { type Store, useStore } from '../../support/store/store.ts';

/** How much later the time is than the machine's, in milliseconds. */
const later = vi.hoisted(() => ({ by: 0 }));
vi.mock('../../../lambdas/store/table/clock.ts', async (original) => ({
  ...(await original<typeof import('../../../lambdas/store/table/clock.ts')>()),
  tableTime: () => Date.now() + later.by,
}));

let store: Store;
let aws: AskedOfAws;
let handler: typeof import('../../../lambdas/events/start-senders.ts').handler;
let receivers: typeof import('../../../lambdas/store/webhooks/receivers.ts');
let schedule: typeof import('../../../lambdas/store/webhooks/receivers.ts');
let senders: typeof import('../../../lambdas/outbound/senders.ts');
beforeAll(async () => {
  store = await useStore();
  aws = await useAws();
  ({ handler } = await import('../../../lambdas/events/start-senders.ts'));
  receivers = await import('../../../lambdas/store/webhooks/receivers.ts');
  schedule = await import('../../../lambdas/store/webhooks/receivers.ts');
  senders = await import('../../../lambdas/outbound/senders.ts');
});

const tick = () => handler({}, contextWith(20_000));
const look = () => handler({ isHourly: true }, contextWith(20_000));
const newReceiver = () => receiverPk(`ws_${randomBase62(16)}`, 'https://example.com/');
/** Makes a receiver due as the stream's reader does. */
const makeDue = async (pk: ReceiverPk) => {
  await receivers.makeDue(pk);
  await schedule.ensureScheduled({ enable: senders.enableSchedule });
};
/** The receivers that senders were started for. */
const startedFor = () => aws.invoked.flatMap(({ payload }) => (payload as SenderEvent).receivers);
const allDue = async () => Array.fromAsync(receivers.dueReceivers());

beforeEach(async () => {
  for (const { pk } of await allDue()) await store.deleteItem(dueKey(pk));
  await store.deleteItem(scheduleKey);
  Object.assign(aws, { isScheduleOn: false, refusals: 0 });
  aws.invoked.length = 0;
});

test('A run starts a sender for each receiver that is due now, but not for those that are due later.', async () => {
  const now = [newReceiver(), newReceiver(), newReceiver()];
  for (const pk of now) await receivers.makeDue(pk);
  await store.putItem({ ...dueKey(newReceiver()), at: Date.now() + 60_000 });
  aws.isScheduleOn = true;
  await tick();
  expect(startedFor().toSorted()).toEqual(now.toSorted());
  expect(new Set(aws.invoked.map(({ functionName }) => functionName))).toEqual(new Set(['send-webhooks']));
  expect(aws.isScheduleOn).toBe(true);
});

test('The schedule switches off once no receiver is due, now or later.', async () => {
  const pk = newReceiver();
  await store.putItem({ ...dueKey(pk), at: Date.now() + 60_000 });
  await schedule.ensureScheduled({ enable: senders.enableSchedule });
  await tick();
  expect(aws.isScheduleOn).toBe(true);
  await store.deleteItem(dueKey(pk));
  await tick();
  expect(aws.isScheduleOn).toBe(false);
});

test('A sender that cannot be started leaves its receiver to the next run.', async () => {
  const pk = newReceiver();
  await receivers.makeDue(pk);
  await schedule.ensureScheduled({ enable: senders.enableSchedule });
  aws.refusals = 2;
  await tick();
  expect(aws.refusals).toBe(0);
  await tick();
  expect(aws.invoked.map(({ payload }) => payload)).toEqual([{ receivers: [pk], isScheduled: true }]);
});

test('A call to AWS that fails once is retried, whether it starts a sender or switches the schedule.', async () => {
  const pk = newReceiver();
  await receivers.makeDue(pk);
  aws.refusals = 1;
  await schedule.ensureScheduled({ enable: senders.enableSchedule });
  expect(aws.isScheduleOn).toBe(true);
  aws.refusals = 1;
  await tick();
  expect(startedFor()).toEqual([pk]);
  await store.deleteItem(dueKey(pk));
  aws.refusals = 1;
  await tick();
  expect(aws.isScheduleOn).toBe(false);
});

describe('If thousands of receivers are due', () => {
  const makeManyDue = async (count: number) => {
    const pks = Array.from({ length: count }, newReceiver);
    await inParallel(pks, 25, receivers.makeDue);
    return pks;
  };
  const sharesOf = () => aws.invoked.map(({ payload }) => (payload as SenderEvent).receivers.length);

  test('A run of the schedule starts ten senders, which share 400 of them; the other runs start the rest.', async () => {
    const all = new Set(await makeManyDue(500));
    for (let run = 0; run < 40 && all.size > 0; run++) {
      aws.invoked.length = 0;
      await tick();
      const served = startedFor() as ReceiverPk[];
      expect(sharesOf()).toEqual(Array(10).fill(served.length / 10));
      expect(new Set(served).size).toBe(400);
      // They stay due, because the senders don't run here.
      for (const pk of served) all.delete(pk);
    }
    expect(all).toEqual(new Set());
  });

  test('Slow receivers are served after all others.', async () => {
    const [slow, others] = [await makeManyDue(500), await makeManyDue(300)];
    await inParallel(slow, 25, (pk) => store.putItem({ ...receiverKey(pk), leaseNumber: 1, leaseUntil: 0, isSlow: true }));
    await tick();
    const served = new Set(startedFor());
    expect(others.filter((pk) => !served.has(pk))).toEqual([]);
    expect(slow.filter((pk) => served.has(pk))).toHaveLength(100);
  });

  test('More receivers than senders are shared evenly, and fewer get a sender each.', async () => {
    await senders.startSenders(Array.from({ length: 25 }, newReceiver));
    expect(sharesOf().toSorted()).toEqual([2, 2, 2, 2, 2, 3, 3, 3, 3, 3]);
    aws.invoked.length = 0;
    await senders.startSenders(Array.from({ length: 3 }, newReceiver));
    expect(sharesOf()).toEqual([1, 1, 1]);
  });
});

describe('While the schedule switches off', () => {
  /** Ends the schedule, and runs `meanwhile` just before EventBridge switches it off. */
  const endWhile = (meanwhile: () => Promise<unknown>) =>
    schedule.endSchedule({
      enable: senders.enableSchedule,
      disable: async () => {
        await meanwhile();
        await senders.disableSchedule();
      },
    });

  test('A receiver that is made due leaves the schedule on.', async () => {
    await endWhile(async () => {
      await receivers.makeDue(newReceiver());
      await schedule.ensureScheduled({ enable: senders.enableSchedule });
    });
    expect(aws.isScheduleOn).toBe(true);
  });

  test('If a sender finishes a due receiver at once, the next due receiver still switches the schedule on.', async () => {
    await endWhile(async () => {
      const pk = newReceiver();
      await receivers.makeDue(pk);
      await schedule.ensureScheduled({ enable: senders.enableSchedule });
      await store.deleteItem(dueKey(pk));
    });
    await receivers.makeDue(newReceiver());
    await schedule.ensureScheduled({ enable: senders.enableSchedule });
    expect(aws.isScheduleOn).toBe(true);
  });

  test('If a run dies after it has switched the schedule off while nothing is due, a receiver that is made due five minutes later switches it on.', async () => {
    const pk = newReceiver();
    const dying = schedule.endSchedule({
      enable: senders.enableSchedule,
      disable: async () => {
        await makeDue(pk);
        await senders.disableSchedule();
        await store.deleteItem(dueKey(pk));
        throw new Error('death');
      },
    });
    await expect(dying).rejects.toThrow('death');
    expect(aws.isScheduleOn).toBe(false);
    later.by += 5 * 60_000;
    await makeDue(newReceiver());
    expect(aws.isScheduleOn).toBe(true);
  });

  test('If EventBridge refuses to switch the schedule on, a retry switches it on.', async () => {
    await receivers.makeDue(newReceiver());
    aws.refusals = 2;
    await expect(schedule.ensureScheduled({ enable: senders.enableSchedule })).rejects.toThrow();
    expect(aws.refusals).toBe(0);
    await schedule.ensureScheduled({ enable: senders.enableSchedule });
    expect(aws.isScheduleOn).toBe(true);
  });
});

const faultOf = mishapUpTo(12);

test('If a receiver is made due while a run ends the schedule, the schedule is on afterwards; if either dies halfway, it is on after the hourly check, or once a receiver is made due five minutes later.', async () => {
  const actor = fc.record({ makesDue: fc.boolean(), removes: fc.boolean(), fault: faultOf, startsAfter: fc.nat(3) });
  await fc.assert(
    fc.asyncProperty(fc.array(actor, { minLength: 1, maxLength: 6 }), fc.boolean(), async (actors, looks) => {
      for (const { pk } of await allDue()) await store.deleteItem(dueKey(pk));
      const known = newReceiver();
      await receivers.makeDue(known);
      // A death in the previous run may have left an item that says "on" although the schedule is off and nothing was due.
      await look();
      expect(aws.isScheduleOn).toBe(true);
      let died = false;
      await Promise.all(
        actors.map(async ({ makesDue, removes, fault, startsAfter }) => {
          for (let round = 0; round < startsAfter; round++) await store.getItem(dueKey(known));
          const act = async () => {
            if (removes) await store.deleteItem(dueKey(known));
            await (makesDue ? makeDue(newReceiver()) : tick());
          };
          await underFaults(befalling(fault), act).catch(() => {
            died = true;
          });
        }),
      );
      if (died && looks) await look();
      else if (died) {
        later.by += 5 * 60_000;
        await makeDue(newReceiver());
      }
      // One more run switches off a schedule without due receivers.
      if (aws.isScheduleOn) await tick();
      expect(aws.isScheduleOn).toBe((await allDue()).length > 0);
    }),
    { numRuns: runs(5) },
  );
});
