import { expect } from 'vitest';
import { daySecretKey } from '../../../lambdas/store/table/keys.ts';
import { contextWith } from '../http/invoke.ts';
import { clicksOf } from '../store/store.ts';
import { dayAt, giveSecrets, visitorsOf } from '../things/unique.ts';
import { startVisits } from '../things/visit.ts';
import { type Answer, get, plenty, put, remove, type Scenarios, store } from './scenario.ts';

/** Does a visit on a stage that counts unique clicks. Others that run beside it would do the same. */
async function counting<T>(work: () => Promise<T>): Promise<T> {
  process.env.UNIQUE_CLICKS = 'daily';
  try {
    return await work();
  } finally {
    delete process.env.UNIQUE_CLICKS;
  }
}

/** Runs a function without a caller. If it fails, the schedule or the stream runs it again. */
async function run(work: () => Promise<unknown>): Promise<Answer> {
  try {
    await work();
    return { status: 200 };
  } catch {
    return { status: 503, headers: { 'Retry-After': '1' } };
  }
}

/** Visits, and the schedule, on a stage that counts unique clicks. */
export const uniqueScenarios: Scenarios = {
  'redirect: an open link, with unique clicks': {
    calls: [get, get, get, get, put],
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
};
