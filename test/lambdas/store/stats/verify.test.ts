import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Click, nothingKnown } from '../../../../lambdas/core/click/click.ts';
import { dayMs } from '../../../../lambdas/core/click/day.ts';
import { newClick } from '../../../../lambdas/core/click/new-click.ts';
import type { Link } from '../../../../lambdas/core/link/link.ts';
import { clickItem } from '../../../../lambdas/store/clicks/clicks.ts';
import { countKey, dayKey, workspaceDayKey } from '../../../../lambdas/store/table/keys.ts';
import { type Attempt, type Fault, underFaults } from '../../../support/faults/faults.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { befalling, mishapUpTo } from '../../../support/faults/random.ts';
import { contextWith } from '../../../support/http/invoke.ts';
import { runs, sized } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
let count: typeof import('../../../../lambdas/events/count-clicks.ts').handler;
let sweep: typeof import('../../../../lambdas/events/sweep.ts').handler;
let verify: typeof import('../../../../lambdas/store/stats/verify.ts');
let erasure: typeof import('../../../../lambdas/store/stats/erasure.ts');
beforeAll(async () => {
  store = await useStore();
  ({ handler: count } = await import('../../../../lambdas/events/count-clicks.ts'));
  ({ handler: sweep } = await import('../../../../lambdas/events/sweep.ts'));
  verify = await import('../../../../lambdas/store/stats/verify.ts');
  erasure = await import('../../../../lambdas/store/stats/erasure.ts');
});

const start = Date.now() - 10 * dayMs;
const options = { now: start + 9 * dayMs, settled: false, repair: false, lower: false, recordDays: 30, clickDays: 1_100 };
const clean = { differences: [], open: 0, days: expect.any(Number) };

/** The record of a click, as the stream brings it. */
const recordOf = (click: Click, sequenceNumber: bigint, createdAt: number) => {
  const { pk, sk, ttl: _, ...image } = clickItem(click);
  const typed = Object.entries(image).map(([name, value]) => [
    name,
    typeof value === 'number' ? { N: String(value) } : { S: value },
  ]);
  return {
    eventName: 'INSERT' as const,
    dynamodb: {
      Keys: { pk: { S: pk }, sk: { S: sk } },
      NewImage: Object.fromEntries(typed),
      SequenceNumber: String(sequenceNumber),
      ApproximateCreationDateTime: Math.floor(createdAt / 1_000),
    },
  };
};
type StreamRecord = ReturnType<typeof recordOf>;

let shards = 0;
let sequence = 1_000n;

/** A stream with some shards, each of which is now and then succeeded by another. */
function newStream(shardCount: number) {
  const newShard = () => ({ id: `shardId-${String(++shards).padStart(20, '0')}-verify`, records: [] as StreamRecord[], done: 0 });
  type Shard = ReturnType<typeof newShard>;
  const seen: Shard[] = [];
  const open = Array.from({ length: shardCount }, newShard);
  seen.push(...open);
  const deliverNext = async (shard: Shard, size: number, back: number, decide: (attempt: Attempt) => Fault | undefined) => {
    const to = Math.min(shard.records.length, shard.done + size);
    const records = shard.records.slice(Math.max(0, shard.done - back), to);
    if (records.length === 0) return;
    const isDone = await underFaults(decide, () => count({ Records: records, shardId: shard.id }, contextWith(20_000))).then(
      () => true,
      () => false,
    );
    if (isDone) shard.done = Math.max(shard.done, to);
  };
  return {
    seen,
    append: (place: number, click: Click, createdAt: number) => {
      sequence += 7n;
      open[place % shardCount]?.records.push(recordOf(click, sequence, createdAt));
    },
    /** Lambda reads a shard only after all of its parent. */
    split: async (place: number) => {
      const shard = open[place % shardCount];
      while (shard && shard.done < shard.records.length) await deliverNext(shard, 100, 0, () => undefined);
      const next = newShard();
      open[place % shardCount] = next;
      seen.push(next);
    },
    deliverNext,
    drain: async () => {
      for (const shard of seen) while (shard.done < shard.records.length) await deliverNext(shard, 1_000, 0, () => undefined);
    },
  };
}

const faultOf = mishapUpTo(8);

const sweepOnce = (linkId: string, decide: (attempt: Attempt) => Fault | undefined = () => undefined) =>
  underFaults(decide, () =>
    sweep(
      { Records: [{ dynamodb: { Keys: { pk: { S: `ERASURE#${linkId}` }, sk: { S: 'SWEEP' } }, SequenceNumber: '1' } }] } as never,
      contextWith(20_000),
    ),
  ).catch(() => undefined);

const sweepAll = async (linkId: string) => {
  while (await store.getItem({ pk: `ERASURE#${linkId}`, sk: 'SWEEP' })) await sweepOnce(linkId);
};

/** What happens at some time, in minutes after the one before. */
const event = fc.record({
  after: fc.nat(120),
  link: fc.nat(3),
  shard: fc.nat(3),
  what: fc.oneof(
    {
      weight: 12,
      arbitrary: fc.record({
        clicks: fc.integer({ min: 1, max: sized(6, 60) }),
        skew: fc.integer({ min: -60, max: 60 }),
        country: fc.constantFrom('DE', 'FR', 'unknown'),
        referrers: fc.nat(60),
        /** The function that the visitor meets remembers the link. */
        remembered: fc.boolean(),
      }),
    },
    {
      weight: 8,
      arbitrary: fc.record({ deliver: fc.integer({ min: 1, max: 30 }), back: fc.nat(20), beside: fc.boolean(), fault: faultOf }),
    },
    { weight: 2, arbitrary: fc.record({ split: fc.constant(true) }) },
    { weight: 3, arbitrary: fc.record({ erase: fc.constant(true), swept: fc.boolean(), fault: faultOf }) },
    { weight: 1, arbitrary: fc.record({ sweep: fc.constant(true), fault: faultOf }) },
  ),
});

test('Statistics agree with each other and with every click, after any schedule of crashes, repetitions, splits, clocks and erasures.', async () => {
  let all = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(event, { minLength: 10, maxLength: 70, size: sized('small', 'max') }),
      fc.boolean(),
      async (events, deletes) => {
        const workspace = await store.newWorkspace();
        const links = (await store.newLinks(workspace, 4)).map(({ link }) => link);
        const stream = newStream(4);
        const clicks: Click[] = [];
        const lastSeen = new Map<number, Link>();
        const beside: Promise<unknown>[] = [];
        let now = start;
        for (const { after, link: place, shard, what } of events) {
          now += after * 60_000;
          const link = (await store.findLink(workspace.workspaceId, links[place]?.id ?? '')) as Link;
          if ('clicks' in what) {
            const seen = what.remembered ? (lastSeen.get(place) ?? link) : link;
            lastSeen.set(place, seen);
            for (let number = 0; number < what.clicks; number++) {
              const visitor = { country: what.country, referrer: `${(clicks.length * 7) % (what.referrers + 1)}.example.com` };
              const known = {
                ...nothingKnown,
                ...visitor,
                device: 'mobile',
                browser: 'safari',
                os: 'ios',
                language: 'de',
                source: 'link',
                variant: 'none',
              };
              const click = newClick(seen, now + what.skew * 60_000, known);
              await store.putItem(clickItem(click));
              clicks.push(click);
              stream.append(shard + number, click, now);
            }
          } else if ('deliver' in what) {
            const target = stream.seen[(stream.seen.length * 7 + shard) % stream.seen.length];
            const running = target ? stream.deliverNext(target, what.deliver, what.back, befalling(what.fault)) : undefined;
            if (what.beside) beside.push(Promise.resolve(running));
            else await running;
          } else if ('split' in what) await Promise.all(beside.splice(0)).then(() => stream.split(shard));
          else if ('erase' in what) {
            await underFaults(befalling(what.fault), () => erasure.eraseClicks(link)).catch(() => undefined);
            if (what.swept) await sweepAll(link.id);
          } else await sweepOnce(link.id, befalling(what.fault));
        }
        await Promise.all(beside);
        await stream.drain();
        for (const { id } of links) await sweepAll(id);
        const found = await store.getLinks(
          workspace.workspaceId,
          links.map(({ id }) => id),
        );
        for (const one of found) {
          if (!one) throw new Error('no link');
          const { link, clickCount } = one;
          const counted = clicks.filter(({ linkId, epoch }) => linkId === link.id && epoch === link.clickEpoch);
          expect(clickCount).toBe(counted.length);
        }
        // What was erased is gone, also what was recorded late.
        const items = (await Promise.all(links.map(({ id }) => Array.fromAsync(allClickItems(id))))).flat();
        expect(items.length).toBe(found.reduce((sum, one) => sum + (one?.clickCount ?? 0), 0));
        if (deletes && found[0]) await store.deleteLink(found[0]);
        expect(await verify.verifyWorkspace(workspace.workspaceId, options)).toEqual(clean);
        all += clicks.length;
      },
    ),
    { numRuns: runs(2) },
  );
  // 100,000 clicks in `npm run proof`.
  expect(all).toBeGreaterThanOrEqual(runs(2) * sized(1, 400));
});

async function* allClickItems(linkId: string) {
  for (let part = 0; part < 16; part++) yield* store.query({ pk: `CLICK#${linkId}#${part}`, between: ['0', ':'] });
}

describe('verifying', () => {
  const day = new Date(start).toISOString().slice(0, 10);

  /** A link with 20 counted clicks on a day. */
  async function clickedLink(at = Date.parse(day)) {
    const workspace = await store.newWorkspace();
    const [found] = await store.newLinks(workspace, 1);
    if (!found) throw new Error('no link');
    const { link } = found;
    const stream = newStream(2);
    for (let number = 0; number < 20; number++) {
      const known = {
        ...nothingKnown,
        country: number % 2 ? 'DE' : 'FR',
        referrer: 'direct',
        device: 'mobile',
        browser: 'safari',
        os: 'ios',
        language: 'de',
        source: 'link',
        variant: 'none',
      };
      const click = newClick(link, at + number * 60 * 60_000, known);
      await store.putItem(clickItem(click));
      stream.append(number, click, at);
    }
    await stream.drain();
    const { workspaceId } = workspace;
    const look = (more: Partial<typeof options> = {}) => verify.verifyWorkspace(workspaceId, { ...options, ...more });
    return { workspaceId, link, look };
  }

  /** Changes one number of an item. */
  const put = async (key: { pk: string; sk: string }, change: object) => {
    await store.putItem({ ...(await store.getItem(key)), ...key, ...change });
  };
  const partsOf = (workspaceId: string, host?: string) =>
    Promise.all(Array.from({ length: 8 }, (_, part) => store.getItem(workspaceDayKey(workspaceId, part, day, host))));
  const partOf = async (workspaceId: string, host?: string) => {
    const part = (await partsOf(workspaceId, host)).find((item) => item !== undefined);
    if (!part) throw new Error('no part');
    return part as { pk: string; sk: string; total: number };
  };

  test.for<[string, (at: { workspaceId: string; link: Link }) => Promise<void>, string]>([
    ['a total', ({ link }) => put(dayKey(link.id, day), { total: 21 }), 'clicks'],
    ['a quarter of an hour', ({ link }) => put(dayKey(link.id, day), { q0: 9 }), 'quarters'],
    ['a value of a dimension', ({ link }) => put(dayKey(link.id, day), { 'c:DE': 9 }), 'country'],
    ['two values that add up', ({ link }) => put(dayKey(link.id, day), { 'c:DE': 9, 'c:FR': 11 }), 'c:DE'],
    ['a whole day', ({ link }) => store.deleteItem(dayKey(link.id, day)), 'clicks'],
    ['a count', ({ link }) => put(countKey(link.id), { count: 19 }), 'clickCount'],
    [
      'the clicks of a workspace',
      async ({ workspaceId }) => {
        const part = await partOf(workspaceId);
        await put(part, { total: part.total + 1 });
      },
      'links',
    ],
    ['a part of the day of a workspace', async ({ workspaceId }) => store.deleteItem(await partOf(workspaceId)), 'links'],
    [
      'the clicks of a domain',
      async ({ workspaceId, link }) => {
        const part = await partOf(workspaceId, link.domain);
        await put(part, { total: part.total + 1 });
      },
      'links',
    ],
    [
      'a part of the day of a domain',
      async ({ workspaceId, link }) => store.deleteItem(await partOf(workspaceId, link.domain)),
      'links',
    ],
    [
      'the day of a domain',
      async ({ workspaceId, link }) => {
        for (const part of await partsOf(workspaceId, link.domain)) if (part) await store.deleteItem(part as never);
      },
      'links',
    ],
    [
      'a day of a domain on which none of its links was clicked',
      ({ workspaceId }) => put(workspaceDayKey(workspaceId, 3, day, 'other.example.com'), { total: 7 }),
      'links',
    ],
  ])('It finds and repairs %s that is wrong.', async ([, corrupt, what]) => {
    const { look, ...at } = await clickedLink();
    expect(await look()).toEqual(clean);
    await corrupt(at);
    const { differences } = await look();
    expect(differences.map((difference) => difference.what)).toContain(what);
    expect(differences.every(({ repaired }) => !repaired)).toBe(true);
    expect((await look({ repair: true, lower: true })).differences.every(({ repaired }) => repaired)).toBe(true);
    expect(await look()).toEqual(clean);
    expect((await store.getLink(at.workspaceId, at.link.id))?.clickCount).toBe(20);
  });

  test('A day that ended less than 26 hours ago is not compared yet, unless no click can be late any more.', async () => {
    const { look, link } = await clickedLink();
    await put(dayKey(link.id, day), { total: 21 });
    const now = Date.parse(day) + dayMs + 26 * 60 * 60_000 - 1;
    expect(await look({ now })).toEqual({ days: 0, open: 2, differences: [] });
    expect((await look({ now, settled: true })).differences).not.toEqual([]);
    expect((await look({ now: now + 1 })).differences).not.toEqual([]);
  });

  test('A repair changes nothing that has changed since it was read.', async () => {
    const { look, link } = await clickedLink();
    await put(dayKey(link.id, day), { total: 21 });
    const { differences } = await overtaken(
      () => put(dayKey(link.id, day), { total: 22 }),
      () => look({ repair: true, lower: true }),
      { command: 'UpdateItem' },
    );
    expect(differences.filter(({ what }) => what === 'clicks')).toMatchObject([{ repaired: false }]);
    expect((await store.getItem(dayKey(link.id, day)))?.total).toBe(22);
  });

  test('Days whose clicks have expired are compared with themselves.', async () => {
    const { look, link } = await clickedLink();
    for await (const item of allClickItems(link.id)) await store.deleteItem(item as never);
    expect((await look()).differences).not.toEqual([]);
    expect(await look({ recordDays: 1 })).toEqual(clean);
  });
});
