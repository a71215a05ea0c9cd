import fc from 'fast-check';
import { beforeAll, beforeEach, expect, test } from 'vitest';
import type { Click } from '../../../lambdas/core/click/click.ts';
import { dayMs } from '../../../lambdas/core/click/day.ts';
import type { Link } from '../../../lambdas/core/link/link.ts';
import type { Item } from '../../../lambdas/store/table/client.ts';
import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import { dayKey, erasureKey, type Key, keyOf, seenAt, workspaceDayKey } from '../../../lambdas/store/table/keys.ts';
import { type Attempt, asOther, type Fault, underFaults } from '../../support/faults/faults.ts';
import { befalling, mishapUpTo } from '../../support/faults/random.ts';
import { contextWith } from '../../support/http/invoke.ts';
import { runs } from '../../support/run/proof.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { countUniques, dayAt, giveSecrets, visitorsOf } from '../../support/things/unique.ts';
import { browser, startVisits } from '../../support/things/visit.ts';

// Unique clicks from the visit to the statistics. The test stands in for the stream: an item that is put for the first time
// is a record, and one that is put again is none.

const start = Date.parse(dayAt(Date.now()));
const days = [start, start + dayMs].map(dayAt) as [string, string];

/** The records of the clicks and visitors that were put, by shard, and how many each has delivered. */
type Shard = { readonly id: string; readonly records: object[]; done: number };
let shards: Shard[] = [];
let made = 0;
const newShards = (): Shard[] =>
  Array.from({ length: 3 }, () => ({ id: `shardId-00000001414562045508-unique${++made}`, records: [], done: 0 }));
const shardOf = (pk: string): Shard | undefined =>
  shards[[...pk].reduce((sum, character) => sum + character.charCodeAt(0), 0) % shards.length];

const typed = (value: unknown) => (typeof value === 'number' ? { N: String(value) } : { S: String(value) });

let store: Store;
let count: typeof import('../../../lambdas/events/count-clicks.ts').handler;
let verify: typeof import('../../../lambdas/store/stats/verify.ts');
beforeAll(async () => {
  store = await useStore();
  ({ handler: count } = await import('../../../lambdas/events/count-clicks.ts'));
  verify = await import('../../../lambdas/store/stats/verify.ts');
  await giveSecrets(...days);
  let last: Promise<unknown> = Promise.resolve();
  // It comes before the faults, so that it sees what is executed.
  intercept(async (operation, input, next) => {
    const { Item: item } = input as { Item?: Key & Item };
    if (operation !== 'PutItem' || !item || !/^(CLICK|SEEN)#/.test(item.pk)) return next(input);
    const put = last.then(async () => {
      const isNew = !(await asOther(() => store.getItem(item)));
      const output = await next(input);
      if (isNew) shardOf(item.pk)?.records.push(recordOf(item));
      return output;
    });
    last = put.catch(() => undefined);
    return put;
  });
});
beforeEach(countUniques);

function recordOf({ pk, sk, ...image }: Key & Item) {
  const NewImage = Object.fromEntries(Object.entries(image).map(([name, value]) => [name, typed(value)]));
  const place = { SequenceNumber: String(++made), ApproximateCreationDateTime: 1_900_000_000 };
  return { eventName: 'INSERT', dynamodb: { Keys: { pk: { S: pk }, sk: { S: sk } }, NewImage, ...place } };
}

/** Delivers the next records of a shard, some of them again. */
async function deliver(shard: Shard, size: number, back = 0, decide: (attempt: Attempt) => Fault | undefined = () => undefined) {
  const to = Math.min(shard.records.length, shard.done + size);
  const Records = shard.records.slice(Math.max(0, shard.done - back), to) as never;
  const isDone = await underFaults(decide, () => count({ Records, shardId: shard.id }, contextWith(20_000))).then(
    () => true,
    () => false,
  );
  if (isDone) shard.done = Math.max(shard.done, to);
}

const drain = async () => {
  for (const shard of shards) while (shard.done < shard.records.length) await deliver(shard, 1_000);
};

const sweep = async (linkId: string) => {
  while (await store.getItem(erasureKey(linkId))) await store.erasePage(linkId, 3);
};

const totalOf = (items: readonly (Item | undefined)[], name: string) =>
  items.reduce((sum, item) => sum + Number(item?.[name] ?? 0), 0);

/** The clicks and unique clicks of a link's days, a workspace's and a domain's. */
async function numbersOf(keys: readonly Key[]) {
  const items = await store.getItems(keys);
  return { clicks: totalOf(items, 'total'), unique: totalOf(items, 'unique') };
}
const partsOf = (workspaceId: string, host?: string) =>
  days.flatMap((day) => Array.from({ length: 8 }, (_, part) => workspaceDayKey(workspaceId, part, day, host)));

const event = fc.record({
  link: fc.nat(1),
  what: fc.oneof(
    {
      weight: 10,
      arbitrary: fc.record({
        visitor: fc.nat(2),
        by: fc.nat(2),
        day: fc.nat(1),
        /** Around midnight, two functions meet the same visitor on different days. */
        atMidnight: fc.boolean(),
        optsOut: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
        beside: fc.boolean(),
        fault: fc.option(
          fc.constantFrom<Fault>('lost-before', 'lost-after', 'throttle', 'conflict', 'dead-before', 'dead-after'),
          {
            freq: 3,
          },
        ),
      }),
    },
    {
      weight: 4,
      arbitrary: fc.record({ deliver: fc.integer({ min: 1, max: 9 }), shard: fc.nat(2), back: fc.nat(9), fault: mishapUpTo(6) }),
    },
    { weight: 1, arbitrary: fc.record({ erase: fc.constant(true), swept: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ restart: fc.nat(2) }) },
  ),
});

test('Each visitor counts once for each link, day and erasure, whatever functions they meet, and whatever fails or comes again.', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(event, { minLength: 5, maxLength: 40 }), async (events) => {
      shards = newShards();
      const workspace = await store.newWorkspace();
      const { workspaceId } = workspace;
      const found = await store.newLinks(workspace, 2);
      // A link with a cap is read for each visit, so that each visit is of the epoch that it finds.
      const links = await Promise.all(found.map(async (one) => (await store.updateLink(one, { maxClicks: 1_000_000 })).link));
      const functions = await Promise.all([startVisits(), startVisits(), startVisits()]);
      const current = async (place: number) => (await store.findLink(workspaceId, links[place]?.id ?? '')) as Link;
      /** By link, day and epoch, the visitors who did not opt out. */
      const visitors = new Map<string, Set<number>>();
      let beside: Promise<unknown>[] = [];
      const settled = async () => {
        await Promise.all(beside);
        beside = [];
      };
      for (const { link: place, what } of events) {
        if ('visitor' in what) {
          const { id, shortCode, clickEpoch } = await current(place);
          const time = what.atMidnight ? (what.day === 0 ? dayMs - 1 : 0) : dayMs / 2;
          const options = {
            host: workspace.domain.host,
            path: `/${shortCode}`,
            receivedAt: start + what.day * dayMs + time,
            sourceIp: `192.0.2.${what.visitor}`,
            headers: { ...browser, ...(what.optsOut && { 'sec-gpc': '1' }) },
          };
          let attempts = 0;
          const decide = ({ command, input }: Attempt) =>
            command === 'PutItem' && JSON.stringify(input).includes('SEEN#') && attempts++ === 0
              ? (what.fault ?? undefined)
              : undefined;
          const once = (by: number) =>
            underFaults(decide, () => functions[by]?.(options) ?? Promise.reject(new Error('no function')));
          const visit = async () => {
            await once(what.by);
            // If the function died, or had a single attempt because the table was busy, another one meets the visitor.
            if (what.fault !== null) await once((what.by + 1) % 3);
          };
          if (what.beside) beside.push(visit());
          else await visit();
          const name = `${id} ${days[what.day]} ${clickEpoch}`;
          if (!what.optsOut) visitors.set(name, (visitors.get(name) ?? new Set()).add(what.visitor));
        } else if ('deliver' in what) {
          const shard = shards[what.shard];
          if (shard) await deliver(shard, what.deliver, what.back, befalling(what.fault));
        } else if ('erase' in what) {
          await settled();
          const link = await current(place);
          await store.eraseClicks(link);
          if (what.swept) await sweep(link.id);
        } else functions[what.restart] = await startVisits();
      }
      await settled();
      await drain();
      for (const { id } of links) await sweep(id);

      let all = 0;
      for (const [place, { id }] of links.entries()) {
        const { clickEpoch } = await current(place);
        expect((await visitorsOf(id)).filter((key) => seenAt(key)?.epoch !== clickEpoch)).toEqual([]);
        for (const day of days) {
          const item = (await store.getItem(dayKey(id, day))) ?? {};
          expect([id, day, Number(item.unique ?? 0)]).toEqual([id, day, visitors.get(`${id} ${day} ${clickEpoch}`)?.size ?? 0]);
          expect(Number(item.unique ?? 0)).toBeLessThanOrEqual(Number(item.total ?? 0));
        }
        for (const [name, some] of visitors) if (name.startsWith(id)) all += some.size;
      }
      expect((await numbersOf(partsOf(workspaceId))).unique).toBe(all);
      expect((await numbersOf(partsOf(workspaceId, workspace.domain.host))).unique).toBe(all);
      const options = { now: Date.now(), settled: true, repair: false, clickDays: 30, statsDays: 1_100 };
      expect((await verify.verifyWorkspace(workspaceId, options)).differences).toEqual([]);
    }),
    { numRuns: runs(4) },
  );
});

/** A link with three visitors on the first day, all of them counted. */
async function visitedLink() {
  shards = newShards();
  const workspace = await store.newWorkspace();
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const visit = await startVisits();
  const open = (visitor: number) =>
    visit({
      host: workspace.domain.host,
      path: `/${found.link.shortCode}`,
      sourceIp: `192.0.2.${visitor}`,
      receivedAt: start + dayMs / 2,
    });
  for (const visitor of [1, 2, 3]) await open(visitor);
  await drain();
  const { workspaceId } = workspace;
  const { link } = found;
  const look = (more: object = {}) =>
    verify.verifyWorkspace(workspaceId, {
      now: Date.now(),
      settled: true,
      repair: false,
      clickDays: 30,
      statsDays: 1_100,
      ...more,
    });
  const uniques = async () => [
    (await numbersOf([dayKey(link.id, days[0])])).unique,
    (await numbersOf(partsOf(workspaceId))).unique,
    (await numbersOf(partsOf(workspaceId, link.domain))).unique,
  ];
  return { workspaceId, link, open, look, uniques };
}

test('A click and its visitor in one batch are one write for each of the days.', async () => {
  shards = newShards().slice(0, 1);
  const workspace = await store.newWorkspace();
  const [found] = await store.newLinks(workspace, 1);
  const visit = await startVisits();
  await visit({ host: workspace.domain.host, path: `/${found?.link.shortCode}`, receivedAt: start });
  const [{ id, records } = { id: '', records: [] }] = shards;
  expect(records).toHaveLength(2);
  const { commands } = await underFaults(
    () => undefined,
    () => count({ Records: records as never, shardId: id }, contextWith(20_000)),
  );
  // The counter, the days of link, workspace and domain, and that the workspace has a tail.
  expect(commands.filter((command) => command === 'UpdateItem')).toHaveLength(5);
});

test('A visitor whom a function puts after an erasure, with the epoch before it, is not counted for the link, and the item is deleted.', async () => {
  const { link, uniques, look } = await visitedLink();
  await store.eraseClicks(link);
  await sweep(link.id);
  expect(await uniques()).toEqual([0, 3, 3]);
  const { recordSeen, seenItem } = await import('../../../lambdas/store/visitors/seen.ts');
  const late = { linkId: link.id, day: days[0], epoch: 0, visitor: 'a'.repeat(22) };
  for (const day of days) await recordSeen(seenItem({ ...late, day }, { workspaceId: link.workspaceId, host: link.domain }));
  expect(await visitorsOf(link.id)).toHaveLength(2);
  await drain();
  expect(await visitorsOf(link.id)).toEqual([]);
  expect(await uniques()).toEqual([0, 5, 5]);
  expect((await look()).differences).toEqual([]);
});

test("Visitors of a link that is deleted stay in the workspace's and the domain's days, as its clicks do.", async () => {
  const { workspaceId, link, uniques, look } = await visitedLink();
  const found = await store.getLink(workspaceId, link.id);
  if (found) await store.deleteLink(found);
  await drain();
  expect(await uniques()).toEqual([3, 3, 3]);
  expect((await look()).differences).toEqual([]);
});

test.for<[string, (keys: { link: Key; workspace: Key; host: Key }) => [Key, number | undefined], boolean]>([
  ["a link's day has too few", ({ link }) => [link, 2], false],
  ["a link's day has none", ({ link }) => [link, undefined], false],
  ["a link's day has too many", ({ link }) => [link, 4], true],
  ["a workspace's day has too few", ({ workspace }) => [workspace, undefined], false],
  ["a workspace's day has too many", ({ workspace }) => [workspace, 7], true],
  ["a domain's day has too many", ({ host }) => [host, 7], true],
])('`stats verify` finds that %s, and a repair corrects it, lowering only if it may.', async ([, spoil, lowers]) => {
  const { workspaceId, link, uniques, look } = await visitedLink();
  const partWith = async (host?: string) =>
    (await store.getItems(partsOf(workspaceId, host))).find((item) => item?.unique !== undefined) as Key & Item;
  const [key, unique] = spoil({ link: dayKey(link.id, days[0]), workspace: await partWith(), host: await partWith(link.domain) });
  const { unique: _, ...item } = (await store.getItem(key)) ?? {};
  await store.putItem({ ...item, ...keyOf(key), ...(unique !== undefined && { unique }) });
  expect((await look()).differences.map(({ what }) => what)).toContain('uniqueClicks');
  const { differences } = await look({ repair: true });
  expect(differences.map(({ repaired }) => repaired)).toEqual(differences.map(() => !lowers));
  await look({ repair: true, lower: true });
  expect(await uniques()).toEqual([3, 3, 3]);
  expect((await look()).differences).toEqual([]);
});

test('Unique clicks are not compared with items that have expired, and a repair of a day whose clicks have expired corrects them alone.', async () => {
  const { link, look, uniques } = await visitedLink();
  const item = (await store.getItem(dayKey(link.id, days[0]))) as Key & Item & Partial<Click>;
  await store.putItem({ ...item, unique: 2 });
  const later = { clickDays: 0, repair: true };
  expect((await look({ ...later, now: start + 8 * dayMs })).differences.map(({ what }) => what)).toEqual([
    'uniqueClicks',
    'uniqueClicks',
  ]);
  expect((await uniques())[0]).toBe(2);
  expect((await look(later)).differences).toMatchObject([{ what: 'uniqueClicks', found: 2, expected: 3, repaired: true }]);
  expect(await uniques()).toEqual([3, 3, 3]);
});
