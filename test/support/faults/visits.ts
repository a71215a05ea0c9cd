import { expect } from 'vitest';
import { hashPassword } from '../../../lambdas/domain/password.ts';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { contextWith } from '../invoke.ts';
import { placed } from '../placed-click.ts';
import { clicksIn } from '../store.ts';
import { startVisits } from '../visit.ts';
import { type Answer, get, linkWithTags, plenty, put, type Scenario, store, update } from './scenario.ts';

/** Creates a link on its own domain, and returns how to visit it with a function that has just started. */
async function linkToVisit(changes: LinkChanges) {
  const workspace = await store.newWorkspace();
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = await store.updateLink(found, changes);
  const visit = await startVisits();
  const open = async (budget: number, headers: Record<string, string> = {}): Promise<Answer> => {
    const answer = await visit({ host: workspace.domain.host, path: `/${link.shortCode}`, headers, budget });
    return { status: Number(answer.statusCode), headers: answer.headers };
  };
  return { open, link, clicks: async () => (await clicksIn(store.client)).filter(({ linkId }) => linkId === link.id).length };
}

/** Counts a batch of clicks, as the stream delivers it. */
async function countClicks(records: readonly object[], budget: number, shardId = 'shardId-1'): Promise<Answer> {
  const { handler } = await import('../../../lambdas/events/count-clicks.ts');
  const Records = records.map((dynamodb) => ({ dynamodb: { ApproximateCreationDateTime: 1_900_000_000, ...dynamodb } }));
  try {
    await handler({ Records, shardId }, contextWith(budget));
    return { status: 200 };
  } catch {
    // The batch is delivered again.
    return { status: 503, headers: { 'Retry-After': '1' } };
  }
}

/** The keys of a click in a record of the stream. */
const keysOfClick = (linkId: string) => ({ pk: { S: `CLICK#${linkId}#7` }, sk: { S: '2030-01-02T03:04:05.678Z#1' } });

let hosts = 0;

/** Places in the stream are unique, because the key of a failure is made of its place. */
let records = 100;

/** A link with a click in each of ten shards, and a record of a click two hours later. It makes their marks idle. */
async function linkWithIdleMarks() {
  const { countClicks: countIn } = await import('../../../lambdas/store/clicks/counts.ts');
  const { workspaceId, id } = await linkWithTags();
  const at = 1_900_000_000;
  for (let shard = 0; shard < 10; shard++) await countIn(id, `idle-${shard}`, [placed(10, at)]);
  const recordAt = (SequenceNumber: string, ApproximateCreationDateTime: number) => ({
    Keys: keysOfClick(id),
    SequenceNumber,
    ApproximateCreationDateTime,
  });
  const clickCount = async () => (await store.getLink(workspaceId, id))?.clickCount;
  return { recordAt, at, later: at + 3 * 60 * 60, clickCount };
}

/** Visits, and the counting of their clicks. */
export const visitScenarios: Record<string, Scenario> = {
  'redirect: an open link': {
    calls: [get, get, get, put],
    succeeds: 302,
    forgivenFrom: 3,
    arrange: async () => {
      const { open, clicks } = await linkToVisit({});
      return { act: open, check: async () => expect(await clicks()).toBeGreaterThanOrEqual(1) };
    },
  },
  'redirect: a capped link': {
    calls: [get, get, get, get, update, get, put],
    succeeds: 302,
    forgivenFrom: 6,
    arrange: async () => {
      const { open, link, clicks } = await linkToVisit({ maxClicks: 5 });
      return {
        act: open,
        check: async () => {
          // A visit that gets no response may have taken a turn too. Clicks are recorded only after their turn.
          const used = await store.usedOf(link);
          expect([1, 2]).toContain(used);
          expect([1, 2]).toContain(await clicks());
          expect(await clicks()).toBeLessThanOrEqual(Number(used));
        },
      };
    },
  },
  'redirect: a wrong password': {
    calls: [get, get, get, update, update],
    succeeds: 401,
    arrange: async () => {
      const { open, clicks } = await linkToVisit({ passwordHash: await hashPassword('right') });
      return {
        act: (budget) => open(budget, { 'link-password': 'wrong' }),
        check: async () => expect(await clicks()).toBe(0),
      };
    },
  },
  'redirect: the right password': {
    calls: [get, get, get, update, update, update, update, put],
    succeeds: 302,
    forgivenFrom: 5,
    arrange: async () => {
      const { open, clicks } = await linkToVisit({ passwordHash: await hashPassword('right') });
      return {
        act: (budget) => open(budget, { 'link-password': 'right' }),
        check: async () => expect(await clicks()).toBeGreaterThanOrEqual(1),
      };
    },
  },
  'redirect: a blocked destination': {
    calls: [get, get, get],
    succeeds: 404,
    arrange: async () => {
      const host = `host${++hosts}.evil.example`;
      const { open, clicks } = await linkToVisit({ url: `https://www.${host}/` });
      await store.blockHost(host);
      return { act: open, check: async () => expect(await clicks()).toBe(0) };
    },
  },
  'count-clicks: a batch': {
    calls: [update],
    settles: true,
    arrange: async () => {
      const { workspaceId, id } = await linkWithTags();
      const Keys = { pk: { S: `CLICK#${id}#7` }, sk: { S: '2030-01-02T03:04:05.678Z#click' } };
      const records = ['9', '10'].map((SequenceNumber) => ({ Keys, SequenceNumber }));
      return {
        act: (budget) => countClicks(records, budget),
        check: async () => expect((await store.getLink(workspaceId, id))?.clickCount).toBe(2),
      };
    },
  },
  'count-clicks: a batch that finds idle marks': {
    calls: [update, ...Array<string>(10).fill(update), update],
    settles: true,
    forgivenFrom: 1,
    arrange: async () => {
      const { recordAt, later, clickCount } = await linkWithIdleMarks();
      return {
        act: (budget) => countClicks([recordAt('10', later)], budget),
        check: async () => expect(await clickCount()).toBe(11),
      };
    },
  },
  'count-clicks: a batch that comes after its mark has left': {
    calls: [update, get, update],
    settles: 2,
    arrange: async () => {
      const { recordAt, at, later, clickCount } = await linkWithIdleMarks();
      await countClicks([recordAt('10', later)], plenty);
      return {
        act: (budget) => countClicks([recordAt('10', at), recordAt('11', at)], budget, 'idle-3'),
        check: async () => expect(await clickCount()).toBe(12),
      };
    },
  },
  'count-clicks: clicks that cannot be counted': {
    calls: [update, put],
    arrange: async () => {
      const { id } = await linkWithTags();
      const { countKey } = await import('../../../lambdas/store/table/keys.ts');
      await store.putItem({ ...countKey(id), count: 'many' });
      const SequenceNumber = String(++records);
      return {
        act: (budget) => countClicks([{ Keys: keysOfClick(id), SequenceNumber }], budget),
        check: async () => {
          const failures = await store.getItems((await Array.fromAsync(store.query({ gsi1pk: 'FAILURES' }))) as never);
          expect(failures.filter((failure) => failure?.linkId === id)).toHaveLength(1);
        },
      };
    },
  },
  'count-clicks: a click that cannot be read': {
    calls: [put],
    arrange: async () => {
      const { id } = await linkWithTags();
      const SequenceNumber = String(++records);
      const Keys = { pk: { S: `CLICK#not-${id}` }, sk: { S: 'malformed' } };
      return {
        act: (budget) => countClicks([{ Keys, SequenceNumber }], budget),
        check: async () => {
          const failures = await store.getItems((await Array.fromAsync(store.query({ gsi1pk: 'FAILURES' }))) as never);
          expect(failures.filter((failure) => failure?.itemPk === Keys.pk.S)).toHaveLength(1);
        },
      };
    },
  },
};
