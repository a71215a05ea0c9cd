import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { randomBase62 } from '../../../../lambdas/core/base62.ts';
import { type Dimension, dimensions, nothingKnown } from '../../../../lambdas/core/click/click.ts';
import { dayOfTime, other, quarterOfDay } from '../../../../lambdas/core/click/day.ts';
import type { DayClick } from '../../../../lambdas/store/clicks/days.ts';
import { dayKey, workspaceDayKey } from '../../../../lambdas/store/table/keys.ts';
import { type Fault, underFaults } from '../../../support/faults/faults.ts';
import { befalling } from '../../../support/faults/random.ts';
import { runs, sized } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { addToDay, addToWorkspaceDay } from '../../../support/things/counting.ts';
import { placed } from '../../../support/things/placed-click.ts';

let store: Store;
let days: typeof import('../../../../lambdas/store/clicks/day-items.ts');
let handler: typeof import('../../../../lambdas/events/count-clicks.ts').handler;
beforeAll(async () => {
  store = await useStore();
  days = await import('../../../../lambdas/store/clicks/day-items.ts');
  ({ handler } = await import('../../../../lambdas/events/count-clicks.ts'));
});

const newLinkId = () => `lnk_${randomBase62(28)}`;
const newWorkspaceId = () => `ws_${randomBase62(16)}`;
const newShardId = () => `shardId-00000001414562045508-${randomBase62(8)}`;
const day = '2030-01-02';

let numbers = 0;
const clickAt = (at: string, more: Partial<DayClick> = {}): DayClick => ({
  ...nothingKnown,
  ...placed(++numbers),
  at: `${day}T${at}:00.000Z`,
  ...more,
});

/** The day of a link; its sums must agree. */
async function dayOf(linkId: string, epoch = 0) {
  const item = await store.getItem(dayKey(linkId, day));
  const found = days.toDay(item ?? dayKey(linkId, day), epoch);
  for (const [dimension, values] of Object.entries(found.groups)) {
    expect(sum(values.values()), dimension).toBe(found.total);
  }
  expect(sum(found.quarters.values())).toBe(found.total);
  return { ...found, erased: item ? days.erasedOf(item, epoch) : 0, item };
}

const sum = (some: Iterable<number>) => [...some].reduce((total, one) => total + one, 0);

/** All parts of the day of a workspace, or of a domain. */
async function workspaceDayOf(workspaceId: string, host?: string) {
  const keys = Array.from({ length: 8 }, (_, part) => workspaceDayKey(workspaceId, part, day, host));
  const items = await Promise.all(keys.map((key) => store.getItem(key)));
  return items.flatMap((item) => (item ? [days.toDay(item)] : []));
}

const add = (linkId: string, clicks: readonly DayClick[], shardId = newShardId(), workspaceId = 'ws_1') =>
  addToDay({ linkId, workspaceId, day }, shardId, clicks);

/** The bytes of an item's attributes besides marks, as DynamoDB counts them. */
function bytesOf(item: Record<string, unknown>): number {
  const sizes = Object.entries(item).map(([name, value]) => {
    if (value instanceof Uint8Array) return 0;
    return (
      Buffer.byteLength(name) +
      (typeof value === 'number' ? Math.ceil(String(value).length / 2) + 1 : Buffer.byteLength(String(value)))
    );
  });
  return sum(sizes);
}

describe('a day', () => {
  /** One delivery: how many further clicks of which shard, from how far back, and what befalls it. */
  const delivery = fc.record({
    shard: fc.nat(2),
    size: fc.integer({ min: 1, max: 6 }),
    back: fc.nat(6),
    beside: fc.boolean(),
    fault: fc.option(
      fc.record({
        kind: fc.constantFrom<Fault>('throttle', 'lost-before', 'lost-after', 'conflict', 'dead-before', 'dead-after'),
        index: fc.nat(3),
      }),
    ),
  });
  const visitor = fc.record({
    link: fc.nat(2),
    quarter: fc.nat(95),
    /** Links are erased from time to time, so epochs grow, but clicks of earlier ones may come later. */
    epoch: fc.nat(2),
    country: fc.constantFrom('DE', 'FR', 'unknown'),
    referrer: fc.oneof(
      fc.constant('direct'),
      fc.nat(99).map((n) => `${'x'.repeat(n)}.example`),
    ),
    device: fc.constantFrom('mobile', 'desktop'),
  });

  test('Every click of the last epoch is counted once in its quarter and in each dimension, and every other as erased, whatever is delivered again.', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(visitor, { maxLength: 30 }), { minLength: 3, maxLength: 3 }),
        fc.array(delivery, { maxLength: 25 }),
        async (visits, deliveries) => {
          const links = [newLinkId(), newLinkId(), newLinkId()];
          const workspaceId = newWorkspaceId();
          const hosts = ['go.example.com', 'go.example.org'];
          const shards = visits.map((some) => ({
            id: newShardId(),
            done: 0,
            clicks: some.map(({ link, quarter, ...visitor }) => {
              const at = `${day}T${String(Math.floor(quarter / 4)).padStart(2, '0')}:${String((quarter % 4) * 15).padStart(2, '0')}:07.000Z`;
              return {
                linkId: links[link] as string,
                host: hosts[link % 2] as string,
                ...nothingKnown,
                ...visitor,
                ...placed(++numbers),
                epoch: visitor.epoch,
                at,
              };
            }),
          }));
          const deliver = async ({
            shard: position,
            size,
            back,
            fault,
          }: typeof delivery extends fc.Arbitrary<infer T> ? T : never) => {
            const shard = shards[position];
            if (!shard) return;
            const to = Math.min(shard.clicks.length, shard.done + size);
            const some = shard.clicks.slice(Math.max(0, shard.done - back), to);
            const isDone = await underFaults(befalling(fault), async () => {
              for (const [linkId, ofLink] of Map.groupBy(some, (click) => click.linkId)) {
                await addToDay({ linkId, workspaceId, day }, shard.id, ofLink);
              }
              if (some.length > 0) await addToWorkspaceDay({ workspaceId, day }, shard.id, some);
              for (const [host, ofHost] of Map.groupBy(some, (click) => click.host)) {
                await addToWorkspaceDay({ workspaceId, day, host }, shard.id, ofHost);
              }
            }).then(
              () => true,
              () => false,
            );
            if (isDone) shard.done = Math.max(shard.done, to);
          };
          const beside: Promise<void>[] = [];
          for (const one of deliveries) {
            if (one.beside) beside.push(deliver({ ...one, shard: one.shard }));
            else await deliver(one);
            if (!one.beside) await Promise.all(beside.splice(0));
          }
          await Promise.all(beside);
          for (const [position, shard] of shards.entries()) {
            while (shard.done < shard.clicks.length) {
              await deliver({ shard: position, size: 9, back: 0, beside: false, fault: null });
            }
          }
          const all = shards.flatMap(({ clicks }) => clicks);
          for (const linkId of links) {
            const mine = all.filter((click) => click.linkId === linkId);
            const last = Math.max(0, ...mine.map(({ epoch }) => epoch));
            const counted = mine.filter(({ epoch }) => epoch === last);
            const found = await dayOf(linkId, last);
            expect([found.total, found.erased]).toEqual([counted.length, mine.length - counted.length]);
            expect(Object.fromEntries(found.quarters)).toEqual(
              Object.fromEntries(
                [...Map.groupBy(counted, ({ at }) => quarterOfDay(at))].map(([quarter, some]) => [quarter, some.length]),
              ),
            );
            for (const dimension of ['country', 'device'] as const) {
              const expected = [...Map.groupBy(counted, (click) => click[dimension])].map(([value, some]) => [
                value,
                some.length,
              ]);
              expect(Object.fromEntries(found.groups[dimension] ?? [])).toEqual(Object.fromEntries(expected));
            }
          }
          for (const host of [undefined, ...hosts]) {
            const mine = all.filter((click) => host === undefined || click.host === host);
            const parts = await workspaceDayOf(workspaceId, host);
            expect(sum(parts.map(({ total }) => total))).toBe(mine.length);
            for (const dimension of ['country', 'device'] as const) {
              for (const [value, some] of Map.groupBy(mine, (click) => click[dimension])) {
                expect(sum(parts.map(({ groups }) => groups[dimension]?.get(value) ?? 0))).toBe(some.length);
              }
            }
          }
        },
      ),
      { numRuns: runs(5) },
    );
  });

  test('A flood of distinct values of every dimension keeps the day below 2 kB, and its sums exact.', async () => {
    const linkId = newLinkId();
    const many = sized(1_500, 20_000);
    const flood = Array.from({ length: many }, (_, position): DayClick => {
      const name = (dimension: Dimension) => `${dimension.slice(0, 2)}${position}`;
      const at = `${day}T${String(position % 24).padStart(2, '0')}:${String((position * 7) % 60).padStart(2, '0')}:00.000Z`;
      const values = Object.fromEntries(dimensions.map((dimension) => [dimension, name(dimension)]));
      return { ...nothingKnown, ...values, ...placed(++numbers), at, referrer: `${position}.news.example.com` };
    });
    const [first, second] = [flood.slice(0, many / 2), flood.slice(many / 2)];
    await Promise.all([add(linkId, first), add(linkId, second)]);
    const { total, groups, item } = await dayOf(linkId);
    expect(total).toBe(many);
    expect(groups.referrer?.get(other)).toBeGreaterThan(many / 2);
    expect(groups.referrer?.size).toBeGreaterThan(12);
    expect(bytesOf(item ?? {})).toBeLessThan(2_000);
  });

  test('A value keeps its name once it has one, however many others come.', async () => {
    const linkId = newLinkId();
    await add(linkId, [clickAt('10:00', { referrer: 'first.example' })]);
    await add(
      linkId,
      Array.from({ length: 100 }, (_, position) => clickAt('11:00', { referrer: `${position}.example.com` })),
    );
    await add(linkId, [clickAt('12:00', { referrer: 'first.example' }), clickAt('12:00', { referrer: 'last.example' })]);
    const { groups } = await dayOf(linkId);
    expect(groups.referrer?.get('first.example')).toBe(2);
    expect(groups.referrer?.has('last.example')).toBe(false);
  });

  test('Values that almost every link has keep their names in a flood: unknown and direct.', async () => {
    const linkId = newLinkId();
    await add(
      linkId,
      Array.from({ length: 100 }, (_, position) => clickAt('11:00', { referrer: `${position}.example.com` })),
    );
    await add(linkId, [clickAt('12:00', { referrer: 'direct' }), clickAt('12:00')]);
    const { groups } = await dayOf(linkId);
    expect([groups.referrer?.get('direct'), groups.referrer?.get('unknown')]).toEqual([1, 1]);
  });

  test('A day of an earlier epoch than its link is empty.', async () => {
    const linkId = newLinkId();
    await add(linkId, [clickAt('10:00'), clickAt('10:15')]);
    expect(await dayOf(linkId, 1)).toMatchObject({ total: 0, erased: 2, groups: {} });
    await add(linkId, [clickAt('11:00', { epoch: 1 })]);
    expect(await dayOf(linkId, 1)).toMatchObject({ total: 1, erased: 2 });
  });

  test('A batch costs one write for each link and day and for each workspace and day, and reads the counters of new days at once.', async () => {
    const links = [newLinkId(), newLinkId()];
    const workspaceId = newWorkspaceId();
    const shardId = newShardId();
    const records = Array.from({ length: 100 }, (_, position) => {
      const { sequenceNumber, createdAt } = placed(++numbers);
      const at = position < 90 ? `${day}T23:59:59.000Z` : '2030-01-03T00:00:00.000Z';
      return {
        dynamodb: {
          Keys: { pk: { S: `CLICK#${links[position % 2]}#7` }, sk: { S: `${at}#clk_${position}` } },
          NewImage: { workspaceId: { S: workspaceId }, country: { S: 'DE' } },
          SequenceNumber: sequenceNumber,
          ApproximateCreationDateTime: createdAt,
        },
      };
    });
    const context = { getRemainingTimeInMillis: () => 20_000 } as never;
    const { commands } = await underFaults(
      () => undefined,
      () => handler({ Records: records, shardId }, context),
    );
    const counts = Object.groupBy(commands, (command) => command);
    // Two counters, two links on two days, one workspace on two days, and that it has a tail.
    expect([counts.UpdateItem?.length, counts.BatchGetItem?.length]).toEqual([2 + 4 + 2 + 1, 2]);
    const [first] = await Promise.all(links.map((linkId) => dayOf(linkId)));
    expect([first?.total, first?.quarters.get(95)]).toEqual([45, 45]);
    expect(dayOfTime(`${day}T23:59:59.000Z`)).toBe(day);
  });
});
