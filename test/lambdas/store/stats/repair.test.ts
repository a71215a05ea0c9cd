import { setImmediate as nextTick } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { dayMs, dayOfTime } from '../../../../lambdas/core/click/day.ts';
import type { Link } from '../../../../lambdas/core/link/link.ts';
import { inParallel } from '../../../../lambdas/runtime/in-parallel.ts';
import { toDay } from '../../../../lambdas/store/clicks/day-items.ts';
import type { Item } from '../../../../lambdas/store/table/client.ts';
import { intercept } from '../../../../lambdas/store/table/interceptors.ts';
import {
  clicksOf,
  countKey,
  dayKey,
  erasureKey,
  type Key,
  linkKeyOf,
  workspaceDayKey,
} from '../../../../lambdas/store/table/keys.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
import { befalling } from '../../../support/faults/random.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { clickOf, deliveryOf, makeClicks, recordClicks } from '../../../support/things/clicks.ts';

let store: Store;
let verify: typeof import('../../../../lambdas/store/stats/verify.ts');
beforeAll(async () => {
  store = await useStore();
  verify = await import('../../../../lambdas/store/stats/verify.ts');
});

/** A day whose clicks cannot be late any more, and the time of the repair. */
const start = Math.floor(Date.now() / dayMs - 10) * dayMs;
const day = dayOfTime(new Date(start).toISOString());
const now = start + 9 * dayMs;
const options = { now, settled: false, repair: true, lower: false, recordDays: 30, clickDays: 1_100 };
type Options = Partial<typeof options>;
const clean = { differences: [], open: 0, days: expect.any(Number) };

const sum = (some: Iterable<number>) => [...some].reduce((total, one) => total + one, 0);
const partKeys = (workspaceId: string, host?: string) =>
  Array.from({ length: 8 }, (_, part) => workspaceDayKey(workspaceId, part, day, host));
const itemsOf = async (keys: readonly Key[]) => (await store.getItems(keys)).filter((item) => item !== undefined);
const allOf = (pk: string) => Array.fromAsync(store.query({ pk, between: [' ', '~'] }));
const recordsOf = async (linkId: string) => (await Promise.all(clicksOf(linkId).map(allOf))).flat();
/** Changes attributes of an item, which may be missing. */
const put = async (key: Key, change: object) => store.putItem({ ...(await store.getItem(key)), ...key, ...change });
/** Removes the records of a link's clicks, as the table does once they have expired. */
const expire = async (linkId: string) => {
  for (const record of await recordsOf(linkId)) await store.deleteItem(record as Key);
};

/** A link of a workspace of its own. */
async function newLink() {
  const workspace = await store.newWorkspace();
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { workspaceId } = workspace;
  const { id } = found.link;
  const current = async () => (await store.findLink(workspaceId, id)) as Link;
  const sweep = async () => {
    while (await store.getItem(erasureKey(id))) await store.erasePage(id);
  };
  return {
    workspaceId,
    id,
    current,
    sweep,
    /** Clicks of the link as it is, at that time. */
    clicks: async (count: number, at = start, country = 'DE') => {
      const link = await current();
      return Array.from({ length: count }, (_, number) => clickOf(link, at + number * 60 * 60_000, { country }));
    },
    erase: async () => store.eraseClicks(await current()),
    look: (more: Options = {}) => verify.verifyWorkspace(workspaceId, { ...options, ...more }),
    clickCount: async () => (await store.getLink(workspaceId, id))?.clickCount,
  };
}
type TestLink = Awaited<ReturnType<typeof newLink>>;

/** A link with that many counted clicks on the day. */
async function clickedLink(count = 3) {
  const link = await newLink();
  await makeClicks(await link.clicks(count));
  return link;
}

/** What the statistics say, where the sums of each item agree. */
async function numbersOf({ workspaceId, id, current, clickCount }: TestLink) {
  const { clickEpoch } = await current();
  const days = (await allOf(countKey(id).pk)).filter(({ sk }) => String(sk).startsWith('DAY#'));
  const parts = (await Promise.all(partKeys(workspaceId).map(({ pk }) => allOf(pk)))).flat();
  const totalOf = (items: readonly Item[], epoch: number) =>
    sum(
      items.map((item) => {
        const { total, quarters, groups } = toDay(item, epoch);
        expect(sum(quarters.values())).toBe(total);
        for (const values of Object.values(groups)) expect(sum(values.values())).toBe(total);
        return total;
      }),
    );
  const counter = await store.getItem(countKey(id));
  expect(counter?.epoch ?? 0).toBe(clickEpoch);
  const [ofDomain = [], ofWorkspace = []] = [true, false].map((is) =>
    parts.filter(({ sk }) => String(sk).startsWith('HOST#') === is),
  );
  const workspace = totalOf(ofWorkspace, 0);
  expect(totalOf(ofDomain, 0)).toBe(workspace);
  return { clickCount: await clickCount(), days: totalOf(days, clickEpoch), workspace };
}

describe('beside a repair', () => {
  /** What happens, and how many clicks the link and its workspace have after it. What it returns happens at the end. */
  type Event = {
    readonly happens: (link: TestLink) => Promise<(() => Promise<unknown>) | undefined>;
    readonly after: (counted: number) => { readonly link: number; readonly workspace: number };
    /** Whether it may happen with `--settled`, which says that no click is late; the default is both. */
    readonly settled?: boolean;
    /** What it does to the records of the day's clicks. */
    readonly records?: 'erased' | 'expired';
  };
  const oneMore = (counted: number) => ({ link: counted + 1, workspace: counted + 1 });
  const erased = (counted: number) => ({ link: 0, workspace: counted });
  const visit = async (link: TestLink) => {
    const clicks = await link.clicks(1, now);
    await recordClicks(clicks);
    return deliveryOf(clicks);
  };
  const events: Readonly<Record<string, Event>> = {
    'a visit': {
      happens: async (link) => {
        await (await visit(link))();
        return undefined;
      },
      after: oneMore,
    },
    'a visit that is counted later': { happens: visit, after: oneMore, settled: false },
    'a visit that is only in the counter yet': {
      happens: async (link) => {
        const deliver = await visit(link);
        await underFaults(befalling({ kind: 'dead-after', index: 0 }), deliver).catch(() => undefined);
        return deliver;
      },
      after: oneMore,
      settled: false,
    },
    'a visit on a day that is compared': {
      happens: async (link) => {
        await makeClicks(await link.clicks(1));
        return undefined;
      },
      after: oneMore,
      settled: true,
    },
    'an erasure': {
      happens: async (link) => {
        await link.erase();
        await link.sweep();
        return undefined;
      },
      after: erased,
      records: 'erased',
    },
    'an erasure that is swept later': {
      happens: async (link) => {
        await link.erase();
        return link.sweep;
      },
      after: erased,
      records: 'erased',
    },
    'an erasure, and a visit': {
      happens: async (link) => {
        await link.erase();
        await link.sweep();
        await (await visit(link))();
        return undefined;
      },
      after: (counted) => ({ link: 1, workspace: counted + 1 }),
      records: 'erased',
    },
    'a change of the stage, and records that expire': {
      happens: async (link) => {
        await expire(link.id);
        await (await visit(link))();
        return undefined;
      },
      after: oneMore,
      records: 'expired',
    },
    'a change of the link': {
      happens: async ({ workspaceId, id }) => {
        const found = await store.getLink(workspaceId, id);
        if (found) await store.updateLink(found, { title: 'Changed' });
        return undefined;
      },
      after: (counted) => ({ link: counted, workspace: counted }),
    },
  };
  const workspacePart = async ({ workspaceId }: TestLink) => (await itemsOf(partKeys(workspaceId)))[0] as Item & Key;
  /** What is wrong before. */
  const states: Readonly<Record<string, (link: TestLink) => Promise<unknown>>> = {
    'nothing is wrong': async () => {},
    'a count is too low': ({ id }) => put(countKey(id), { count: 2 }),
    'a day is missing': ({ id }) => store.deleteItem(dayKey(id, day)),
    "the workspace's day is missing": async (link) => store.deleteItem(await workspacePart(link)),
  };
  /** Repairs a link, and lets something happen before the call with that number. Returns how many calls there were. */
  async function repairBeside(event: string, state: string, more: Options, number?: number) {
    const [{ happens, after, records } = {}, spoil] = [events[event], states[state]];
    if (!happens || !after || !spoil) throw new Error('no such case');
    const link = await clickedLink();
    await spoil(link);
    let later: (() => Promise<unknown>) | undefined;
    const repair = () =>
      underFaults(
        () => undefined,
        () => link.look(more),
      );
    const happening = async () => {
      later = await happens(link);
    };
    const { attempts, result } =
      number === undefined ? await repair() : await overtaken(happening, repair, { command: 'any', number });
    if (number === undefined) return attempts.length;
    await later?.();
    const expected = after(3);
    const all = { clickCount: expected.link, days: expected.link, workspace: expected.workspace };
    if (spoil === states['nothing is wrong']) {
      if (records !== 'expired' && !more.settled) expect(result.differences, `before call ${number}`).toEqual([]);
      expect(await numbersOf(link), `before call ${number}`).toEqual(all);
    }
    // What was wrong before may need a second run.
    await link.look({ settled: true });
    expect(await numbersOf(link), `after another run, before call ${number}`).toEqual(all);
    return attempts.length;
  }

  const cases = Object.entries(events).map(([event, { settled = false }]) => [event, settled] as const);
  test.for(cases)(
    '%s before any store call leaves every right number right (with `--settled`: %s).',
    async ([event, settled]) => {
      // Only the operator knows whether a total may be lowered whose clicks have expired.
      const flags = { settled, lower: events[event]?.records !== 'expired' };
      const calls = await repairBeside(event, 'nothing is wrong', flags);
      await inParallel(Array.from({ length: calls }), 4, (_, call) => repairBeside(event, 'nothing is wrong', flags, call));
    },
  );

  test('A deletion before any store call leaves the days of the link and of its workspace right.', async () => {
    const beside = async (number: number) => {
      const link = await clickedLink();
      const found = await store.getLink(link.workspaceId, link.id);
      const repair = () =>
        underFaults(
          () => undefined,
          () => link.look({ lower: true }),
        );
      const deletion = async () => found && store.deleteLink(found);
      const { attempts, result } = await overtaken(deletion, repair, { command: 'any', number });
      expect(result.differences, `before call ${number}`).toEqual([]);
      expect(await link.look()).toEqual(clean);
      const [part] = await itemsOf(partKeys(link.workspaceId));
      expect([(await store.getItem(dayKey(link.id, day)))?.total, part?.total]).toEqual([3, 3]);
      return attempts.length;
    };
    const calls = await beside(-1);
    await inParallel(Array.from({ length: calls }), 4, (_, call) => beside(call));
  });

  test('Numbers that are wrong are right after another run, whatever happened beside the first, at any store call.', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...Object.keys(events)),
        fc.constantFrom(...Object.keys(states)),
        fc.boolean(),
        fc.boolean(),
        fc.nat(30),
        async (event, state, settled, lower, call) => {
          const { settled: only = settled, records } = events[event] ?? {};
          // Without their records, clicks cannot be counted again.
          fc.pre(settled === only && records !== 'expired' && !(state === 'a day is missing' && records));
          await repairBeside(event, state, { settled, lower }, call);
        },
      ),
      { numRuns: runs(15) },
    );
  });
});

describe('a repair', () => {
  test('It does not lower `clickCount` after `clickDays` was raised, though days have expired.', async () => {
    const link = await clickedLink();
    await makeClicks(await link.clicks(2, start + 5 * dayMs));
    await expire(link.id);
    const { domain } = await link.current();
    const keys = [dayKey(link.id, day), ...partKeys(link.workspaceId), ...partKeys(link.workspaceId, domain)];
    await Promise.all(keys.map((key) => store.deleteItem(key)));
    const { differences } = await link.look({ now: start + 20 * dayMs, recordDays: 10 });
    expect(differences).toMatchObject([{ what: 'clickCount', found: 5, expected: 2, repaired: false, lowers: true }]);
    expect(await link.clickCount()).toBe(5);
  });

  test('It lowers a total only if it may, and says of each whether it would.', async () => {
    const link = await clickedLink();
    await put(dayKey(link.id, day), { total: 4 });
    const clicks = { what: 'clicks', found: 4, expected: 3, lowers: true };
    const sums = { found: 3, expected: 4, lowers: true };
    const differences = [clicks, ...Array.from({ length: 9 }, () => sums)];
    for (const repair of [false, true]) {
      const found = await link.look({ repair });
      expect(found.differences).toHaveLength(differences.length);
      expect(found.differences).toEqual(
        expect.arrayContaining(differences.map((one) => expect.objectContaining({ ...one, repaired: false }))),
      );
      // Nothing else is changed by a day that is in doubt.
      expect(await link.clickCount()).toBe(3);
    }
    expect((await link.look({ lower: true })).differences.every(({ repaired }) => repaired)).toBe(true);
    expect(await numbersOf(link)).toEqual({ clickCount: 3, days: 3, workspace: 3 });
  });

  /** A link of whose day three clicks were erased, in AT; two in DE came later. */
  async function erasedLink() {
    const link = await newLink();
    await makeClicks(await link.clicks(3, start, 'AT'));
    await link.erase();
    await link.sweep();
    await makeClicks(await link.clicks(2));
    return link;
  }
  const workspaceDay = async ({ workspaceId }: TestLink) => {
    const days = (await itemsOf(partKeys(workspaceId))).map((item) => toDay(item));
    const countries = new Map<string, number>();
    for (const [country, clicks] of days.flatMap(({ groups }) => [...(groups.country ?? [])])) {
      countries.set(country, (countries.get(country) ?? 0) + clicks);
    }
    return Object.fromEntries(countries);
  };

  test("It keeps erased clicks in the workspace's day, by what is known about them.", async () => {
    const link = await erasedLink();
    expect(await workspaceDay(link)).toEqual({ AT: 3, DE: 2 });
    // The part of the later clicks is lost.
    const parts = await itemsOf(partKeys(link.workspaceId));
    await store.deleteItem(parts.find((part) => 'c:DE' in part) as Item & Key);
    const lost = parts.some((part) => 'c:DE' in part && 'c:AT' in part);
    await link.look();
    expect(await numbersOf(link)).toEqual({ clickCount: 2, days: 2, workspace: 5 });
    expect(await workspaceDay(link)).toEqual(lost ? { other: 3, DE: 2 } : { AT: 3, other: 2 });
    expect(await link.look()).toEqual(clean);
  });

  test("It counts the erased clicks again that an earlier release had taken out of a workspace's day.", async () => {
    const link = await erasedLink();
    const [first, ...rest] = partKeys(link.workspaceId);
    for (const key of rest) await store.deleteItem(key);
    const counts = { total: 2, q0: 1, q4: 1, 'c:DE': 2, 'd:unknown': 2, 's:unknown': 2 };
    await store.putItem({ ...(first as Key), ...counts, erased: 3, names: 3 });
    await link.look();
    expect(await numbersOf(link)).toEqual({ clickCount: 2, days: 2, workspace: 5 });
    expect(await workspaceDay(link)).toEqual({ DE: 2, other: 3 });
    expect(await link.look()).toEqual(clean);
  });

  test("A workspace's day that it makes anew has names, and expires.", async () => {
    const link = await clickedLink();
    for (const key of partKeys(link.workspaceId)) await store.deleteItem(key);
    await link.look();
    expect(await workspaceDay(link)).toEqual({ DE: 3 });
    expect(await store.getItem(workspaceDayKey(link.workspaceId, 0, day))).toMatchObject({ ttl: start / 1_000 + 1_101 * 86_400 });
  });

  test('A day that it makes anew has no more names than fit.', async () => {
    const link = await newLink();
    const current = await link.current();
    const hosts = Array.from({ length: 60 }, (_, number) => `news${number}.example.com`);
    await recordClicks(hosts.map((referrer) => clickOf(current, start, { referrer })));
    await link.look();
    const { total, groups } = toDay((await store.getItem(dayKey(link.id, day))) as Item);
    expect([total, sum(groups.referrer?.values() ?? [])]).toEqual([60, 60]);
    expect(groups.referrer?.size).toBeLessThan(25);
  });

  test('A day that it makes while the clicks are erased is empty.', async () => {
    const link = await newLink();
    await recordClicks(await link.clicks(3));
    const { id } = link;
    await overtaken(
      async () => {
        await link.erase();
        await link.sweep();
      },
      () => link.look(),
      { command: 'UpdateItem', partition: countKey(id).pk },
    );
    expect(await store.getItem(dayKey(id, day))).toMatchObject({ epoch: (await link.current()).clickEpoch, erased: 3 });
  });

  test('It never sets a counter back an epoch.', async () => {
    const link = await clickedLink();
    const { id } = link;
    await put(countKey(id), { count: 0 });
    const { differences } = await overtaken(
      async () => {
        await link.erase();
        await link.sweep();
      },
      () => link.look(),
      { command: 'UpdateItem', partition: countKey(id).pk },
    );
    expect(differences).toMatchObject([{ what: 'clickCount', found: 0, expected: 3, repaired: false }]);
    expect(await numbersOf(link)).toEqual({ clickCount: 0, days: 0, workspace: 3 });
  });

  test('A counter that it raises to a later epoch no longer says when an erased click was made.', async () => {
    const link = await clickedLink();
    const before = await store.getItem(countKey(link.id));
    expect(before?.lastAt).toBeTypeOf('number');
    await link.erase();
    await link.sweep();
    await makeClicks(await link.clicks(1));
    // As a copy of an earlier moment has it.
    if (before) await store.putItem({ ...countKey(link.id), ...before });
    expect((await link.look()).differences).toMatchObject([{ what: 'clickCount', found: 0, expected: 1, repaired: true }]);
    const { lastAt, ...counter } = (await store.getItem(countKey(link.id))) ?? {};
    expect([counter.count, counter.epoch, lastAt]).toEqual([1, (await link.current()).clickEpoch, undefined]);
  });

  test('It holds only a page of records in memory, however many clicks a link has.', async () => {
    const link = await newLink();
    const collect = collector();
    const pages: WeakRef<object>[] = [];
    let most = 0;
    const stop = intercept(async (operation, input, next) => {
      const { ':pk': pk } = ((input as { ExpressionAttributeValues?: Item }).ExpressionAttributeValues ?? {}) as Item;
      if (operation !== 'Query' || pk !== clicksOf(link.id)[0]) return next(input);
      // What was made or looked at in a turn of the loop stays in memory as long as that turn.
      await nextTick();
      collect();
      most = Math.max(most, pages.filter((page) => page.deref()).length);
      await nextTick();
      const Items = Array.from({ length: 100 }, (_, number) => ({ pk, sk: `${day}T10:00:00.000Z#${pages.length}x${number}` }));
      pages.push(new WeakRef(Items[0] as object));
      return { Items, ...(pages.length < 20 && { LastEvaluatedKey: { pk, sk: Items.at(-1)?.sk } }) } as never;
    });
    try {
      const { differences } = await link.look({ repair: false });
      expect(differences).toMatchObject([{ what: 'clicks', expected: 2_000 }]);
    } finally {
      stop();
    }
    expect(most).toBeLessThanOrEqual(2);
  });
});

/** What collects everything in memory that nothing refers to. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc');
}

describe('tables that are copies from different moments', () => {
  /** The items of a link, and of its workspace's days. */
  const linksItems = async ({ id }: TestLink) => itemsOf([linkKeyOf(id), erasureKey(id)]);
  const activityItems = async ({ id, workspaceId }: TestLink) =>
    (await Promise.all([countKey(id).pk, ...clicksOf(id), ...partKeys(workspaceId).map(({ pk }) => pk)].map(allOf))).flat();
  const replace = async (before: readonly Item[], after: readonly Item[]) => {
    for (const item of before) await store.deleteItem(item as Item & Key);
    for (const item of after) await store.putItem(item as Item & Key);
  };

  test('After a repair and the sweeps, every visit counts, no erased click does, and all statistics agree.', async () => {
    const step = fc.constantFrom('visit', 'visit an old day', 'record', 'erase', 'sweep a page', 'sweep');
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { minLength: 2, maxLength: 12 }),
        fc.nat(12),
        fc.nat(12),
        async (steps, ofLinks, ofActivity) => {
          const link = await newLink();
          const copies = [{ links: await linksItems(link), activity: await activityItems(link) }];
          for (const what of steps) {
            if (what === 'erase') await link.erase();
            else if (what === 'sweep') await link.sweep();
            else if (what === 'sweep a page') await store.erasePage(link.id, 1);
            else if (what === 'record') await recordClicks(await link.clicks(1));
            else await makeClicks(await link.clicks(1, what === 'visit' ? now : start));
            copies.push({ links: await linksItems(link), activity: await activityItems(link) });
          }
          const [one, other] = [copies[ofLinks % copies.length], copies[ofActivity % copies.length]];
          await replace(await linksItems(link), one?.links ?? []);
          await replace(await activityItems(link), other?.activity ?? []);

          const wasAt = Math.max(
            (await link.current()).clickEpoch,
            ...(other?.activity ?? []).map(({ pk, epoch }) => (String(pk).startsWith('WSDAY') ? 0 : Number(epoch ?? 0))),
          );
          const recorded = (await recordsOf(link.id)).filter(({ epoch = 0 }) => epoch === wasAt).length;
          await link.look({ settled: true });
          await link.sweep();
          await link.look({ settled: true, lower: true });
          expect((await link.current()).clickEpoch).toBe(wasAt);
          expect(await link.clickCount()).toBe(recorded);
          await makeClicks(await link.clicks(1, now));
          expect(await link.clickCount()).toBe(recorded + 1);
          expect(await link.look({ settled: true, repair: false })).toEqual(clean);
        },
      ),
      { numRuns: runs(10) },
    );
  });

  test('A link whose clicks were erased between the copies counts again after a repair.', async () => {
    const link = await clickedLink();
    const before = await linksItems(link);
    await link.erase();
    await link.sweep();
    const { clickEpoch } = await link.current();
    await replace(await linksItems(link), before);
    await makeClicks(await link.clicks(1, now));
    expect(await link.clickCount()).toBe(0);
    const epoch = { what: 'epoch', found: 0, expected: clickEpoch, linkId: link.id };
    expect((await link.look({ repair: false })).differences).toMatchObject([{ ...epoch, repaired: false }]);
    expect((await link.look()).differences).toMatchObject([{ ...epoch, repaired: true }]);
    await makeClicks(await link.clicks(1, now));
    await link.sweep();
    expect(await link.clickCount()).toBe(1);
    expect(await link.look({ settled: true })).toEqual(clean);
  });
});
