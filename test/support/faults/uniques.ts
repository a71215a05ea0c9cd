import { expect } from 'vitest';
import { daySecretKey, type Key } from '../../../lambdas/store/table/keys.ts';
import { contextWith } from '../http/invoke.ts';
import { clicksOf } from '../store/store.ts';
import { dayAt, giveSecrets, visitorsOf } from '../things/unique.ts';
import { startVisits } from '../things/visit.ts';
import { type Answer, batchGet, get, plenty, put, remove, type Scenarios, store, update } from './scenario.ts';

/** Does a visit on a stage that counts unique clicks. Others that run beside it would do the same. */
async function counting<T>(work: () => Promise<T>): Promise<T> {
  process.env.UNIQUE_CLICKS = 'daily';
  try {
    return await work();
  } finally {
    delete process.env.UNIQUE_CLICKS;
  }
}

/** Runs a function that nobody waits for. It is run again if it fails, by the schedule or by the stream. */
async function run(work: () => Promise<unknown>): Promise<Answer> {
  try {
    await work();
    return { status: 200 };
  } catch {
    return { status: 503, headers: { 'Retry-After': '1' } };
  }
}

/** A link, and a visitor of it who was put, but is not counted yet. */
async function seenOn(day: string) {
  const workspace = await store.newWorkspace();
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { id, workspaceId, domain: host } = found.link;
  const { recordSeen, seenItem } = await import('../../../lambdas/store/visitors/seen.ts');
  const item = seenItem({ linkId: id, day, epoch: 0, visitor: 'a'.repeat(22) }, { workspaceId, host });
  await recordSeen(item);
  const NewImage = { workspaceId: { S: workspaceId }, host: { S: host } };
  const Keys = { pk: { S: item.pk }, sk: { S: item.sk } };
  const record = { dynamodb: { Keys, NewImage, SequenceNumber: '9', ApproximateCreationDateTime: 1_900_000_000 } };
  const count = async (budget: number) => {
    const { handler } = await import('../../../lambdas/events/count-clicks.ts');
    return run(() => handler({ Records: [record], shardId: `shardId-${id}` } as never, contextWith(budget)));
  };
  const { dayKey, workspaceDayKey } = await import('../../../lambdas/store/table/keys.ts');
  const parts = (of?: string) => Array.from({ length: 8 }, (_, part) => workspaceDayKey(workspaceId, part, day, of));
  const uniquesOf = async (keys: readonly Key[]) =>
    (await store.getItems(keys)).reduce((sum, day) => sum + Number(day?.unique ?? 0), 0);
  const uniques = async () => [await uniquesOf([dayKey(id, day)]), await uniquesOf(parts()), await uniquesOf(parts(host))];
  return { link: found.link, count, uniques };
}

/** Visits, the schedule and the counting, on a stage that counts unique clicks. */
export const uniqueScenarios: Scenarios = {
  'redirect: an open link, with unique clicks': {
    calls: [get, get, get, get, put, put],
    succeeds: 302,
    forgivenFrom: 4,
    alone: true,
    arrange: async () => {
      const workspace = await store.newWorkspace();
      const [found] = await store.newLinks(workspace, 1);
      if (!found) throw new Error('no link');
      const { link } = found;
      await giveSecrets(dayAt(Date.now()));
      const visit = await startVisits();
      const act = (budget: number) =>
        counting(async (): Promise<Answer> => {
          const { statusCode, headers } = await visit({ host: workspace.domain.host, path: `/${link.shortCode}`, budget });
          return { status: Number(statusCode), headers };
        });
      return {
        act,
        check: async () => {
          expect(await clicksOf(link.id)).toBeGreaterThanOrEqual(1);
          // Without the secret, the function does without visitors for a while.
          expect((await visitorsOf(link.id)).length).toBeLessThanOrEqual(1);
        },
        // Another function meets the same visitor.
        meanwhile: async () => {
          const other = await startVisits();
          await other({ host: workspace.domain.host, path: `/${link.shortCode}` });
        },
        checkBoth: async ({ status }) =>
          expect([status, await clicksOf(link.id), (await visitorsOf(link.id)).length]).toEqual([302, 2, 1]),
      };
    },
  },
  'rotate-day-secrets': {
    calls: [put, put, put, ...Array.from({ length: 7 }, () => remove)],
    alone: true,
    arrange: async () => {
      const { handler } = await import('../../../lambdas/events/rotate-day-secrets.ts');
      const dayMs = 24 * 60 * 60_000;
      const rotate = (budget: number) => run(() => handler({}, contextWith(budget)));
      const dayAhead = (days: number) => dayAt(Date.now() + days * dayMs);
      const secretOf = async (days: number) => (await store.getItem(daySecretKey(dayAhead(days))))?.secret;
      for (const days of [0, 1]) await store.deleteItem(daySecretKey(dayAhead(days)));
      await giveSecrets(dayAhead(-3));
      let theirs: unknown;
      const check = async () => {
        expect([typeof (await secretOf(0)), typeof (await secretOf(1)), await secretOf(-3)]).toEqual([
          'string',
          'string',
          undefined,
        ]);
      };
      return {
        act: rotate,
        check,
        // Another run makes the secrets, or finds that they were made.
        meanwhile: async () => {
          await rotate(plenty);
          theirs = await Promise.all([secretOf(0), secretOf(1)]);
        },
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          expect(await Promise.all([secretOf(0), secretOf(1)])).toEqual(theirs);
          await check();
        },
      };
    },
  },
  'count-clicks: a visitor': {
    calls: [batchGet, update, update, update, batchGet],
    arrange: async () => {
      const { count, uniques } = await seenOn('2030-01-02');
      return {
        act: count,
        check: async () => expect(await uniques()).toEqual([1, 1, 1]),
        // The stream delivers the record twice.
        meanwhile: () => count(plenty),
        checkBoth: async ({ status }) => expect([status, await uniques()]).toEqual([200, [1, 1, 1]]),
      };
    },
  },
  'count-clicks: a visitor who was seen before an erasure': {
    calls: [batchGet, update, update, update, batchGet, remove, update],
    settles: 6,
    arrange: async () => {
      const { link, count, uniques } = await seenOn('2030-01-02');
      await store.eraseClicks(link);
      // The sweep has closed the counter's epoch, and found neither a day nor the visitor.
      const { countKey } = await import('../../../lambdas/store/table/keys.ts');
      await store.putItem({ ...countKey(link.id), epoch: 1, count: 0 });
      const check = async () => {
        expect(await visitorsOf(link.id)).toEqual([]);
        expect(await uniques()).toEqual([0, 1, 1]);
      };
      return {
        act: count,
        check,
        meanwhile: () => count(plenty),
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          await check();
        },
      };
    },
  },
};
