import fc from 'fast-check';
import { beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import type { Input } from '../../../lambdas/store/table/operations.ts';
import { type Fault, ifPossible, underFaults } from '../../support/faults/faults.ts';
import { overtaken } from '../../support/faults/overtaken.ts';
import { runs } from '../../support/run/proof.ts';
import { clicksOf, type Store, useStore } from '../../support/store/store.ts';
import { countClicks } from '../../support/things/counting.ts';
import { cheapHash } from '../../support/things/password.ts';
import { placed } from '../../support/things/placed-click.ts';
import { curl, startVisits, untilAvailable, type VisitOptions, visit } from '../../support/things/visit.ts';

// Visits of links with a cap, while others visit them, change them and delete them, and while calls fail.

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
  // From now on, the domain and the blocked destinations are cached.
  await visit({ host: workspace.domain.host, path: '/unknown' });
});
beforeEach(() => {
  for (const level of ['warn', 'error'] as const) vi.spyOn(console, level).mockImplementation(() => {});
});

async function newLink(settings: LinkChanges = {}) {
  const { link } = await store.createLink(
    workspace.domain,
    { url: 'https://example.org/page', maxClicks: 3, ...settings },
    store.newLease(),
  );
  const openBy = (by: typeof visit, options: Partial<VisitOptions> = {}) =>
    by({ host: workspace.domain.host, path: `/${link.shortCode}`, headers: curl, ...options });
  const open = (options: Partial<VisitOptions> = {}) => openBy(visit, options);
  const found = async () => {
    const one = await store.getLink(workspace.workspaceId, link.id);
    if (!one) throw new Error('the link is gone');
    return one;
  };
  const change = async (changes: LinkChanges) => (await store.updateLink(await found(), changes)).link;
  const clicks = () => clicksOf(link.id);
  return { link, open, openBy, found, change, clicks, used: async () => (await store.usedOf(link)) ?? 0 };
}
type NewLink = Awaited<ReturnType<typeof newLink>>;

const commandsOf = async (work: () => Promise<unknown>) => {
  const { commands } = await underFaults(
    () => undefined,
    () => work(),
  );
  return commands;
};

test('A visit of a link without a cap makes no call for one.', async () => {
  const { open } = await newLink({ maxClicks: null });
  expect(await commandsOf(open)).toEqual(['GetItem', 'PutItem']);
});

test('A disabled or expired link is refused without a read of its cap.', async () => {
  for (const settings of [{ isActive: false }, { expiresAt: '2020-01-01T00:00:00.000Z' }]) {
    const { open } = await newLink(settings);
    expect(await commandsOf(open)).toEqual(['GetItem']);
  }
});

test('A visit that does not count claims nothing.', async () => {
  const { open, used } = await newLink();
  expect(await commandsOf(() => open({ method: 'HEAD' }))).toEqual(['GetItem', 'GetItem']);
  expect(await used()).toBe(0);
});

test('A password in a header is checked once, although the link is read twice.', async () => {
  const { open, used } = await newLink({ passwordHash: cheapHash('right') });
  const visitWith = (password: string) => commandsOf(() => open({ headers: { ...curl, 'link-password': password } }));
  const attempt = ['UpdateItem', 'UpdateItem'];
  expect(await visitWith('wrong')).toEqual(['GetItem', 'GetItem', ...attempt]);
  expect(await visitWith('right')).toEqual(['GetItem', 'GetItem', ...attempt, ...attempt, 'UpdateItem', 'GetItem', 'PutItem']);
  expect(await used()).toBe(1);
});

test('A function that saw a visit left claims the next one without a read of the cap, unless the visit does not count.', async () => {
  const { open, used } = await newLink();
  expect(await commandsOf(open)).toEqual(['GetItem', 'GetItem', 'UpdateItem', 'GetItem', 'PutItem']);
  expect(await commandsOf(open)).toEqual(['GetItem', 'UpdateItem', 'GetItem', 'PutItem']);
  expect(await commandsOf(() => open({ method: 'HEAD' }))).toEqual(['GetItem', 'GetItem']);
  expect(await commandsOf(open)).toEqual(['GetItem', 'UpdateItem', 'GetItem', 'PutItem']);
  expect(await commandsOf(open)).toEqual(['GetItem', 'GetItem']);
  expect(await used()).toBe(3);
});

test('A function that does not know that a cap is used up finds out with at most one refused write.', async () => {
  const { open, openBy, used } = await newLink();
  const other = await startVisits();
  await open();
  for (let round = 2; round <= 3; round++) expect((await openBy(other)).statusCode).toBe(302);
  expect((await open({ method: 'HEAD' })).statusCode).toBe(410);
  expect((await open()).statusCode).toBe(410);
  expect(await commandsOf(open)).toEqual(['GetItem', 'GetItem']);
  const { openBy: openNext } = await newLink();
  for (const by of [visit, other, other]) await openNext(by);
  expect(await commandsOf(() => openNext(visit))).toEqual(['GetItem', 'UpdateItem', 'GetItem']);
  expect(await commandsOf(() => openNext(visit))).toEqual(['GetItem', 'GetItem']);
  expect(await used()).toBe(3);
});

test('Whatever functions have cached of a cap, visits in turn pass exactly if one is left.', async () => {
  const functions = [visit, await startVisits(), await startVisits()];
  const step = fc.oneof(
    { arbitrary: fc.record({ by: fc.nat(2), method: fc.constantFrom('GET', 'GET', 'GET', 'HEAD') }), weight: 5 },
    { arbitrary: fc.record({ maxClicks: fc.integer({ min: 1, max: 8 }), isNew: fc.boolean() }), weight: 1 },
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const { openBy, change } = await newLink();
      let [used, most] = [0, 3];
      for (const one of steps) {
        if ('maxClicks' in one) {
          if (one.isNew) await change({ maxClicks: null });
          await change({ maxClicks: one.maxClicks });
          most = one.maxClicks;
          continue;
        }
        const isOpen = used < most;
        const { statusCode } = await openBy(functions[one.by] ?? visit, { method: one.method });
        expect(statusCode).toBe(isOpen ? (one.method === 'GET' ? 302 : 200) : 410);
        if (isOpen && one.method === 'GET') used++;
      }
    }),
    { numRuns: runs(6) },
  );
});

/** The calls of a visit of a link with a cap, in order. */
const calls = {
  'reads the cap': { command: 'GetItem', number: 1 },
  'claims a visit': { command: 'UpdateItem', number: 0 },
  'reads the link again': { command: 'GetItem', number: 2 },
} as const;

/** The calls if the function has seen that a visit was left. */
const rememberedCalls = {
  'claims a visit that the function has seen left': { command: 'UpdateItem', number: 0 },
  'reads the link again, without a read of the cap': { command: 'GetItem', number: 1 },
} as const;

/** Changes by somebody else of a link with a cap of 3, of which 1 is used, and the visit's status afterwards. */
const changes: Record<string, { act: (made: NewLink) => Promise<unknown>; status: number; location?: string }> = {
  'disables it': { act: ({ change }) => change({ isActive: false }), status: 404 },
  'disables it as the operator': { act: ({ link }) => store.setDisabled(link, true), status: 404 },
  'lets it expire': { act: ({ change }) => change({ expiresAt: '2020-01-01T00:00:00.000Z' }), status: 410 },
  'sets a password': { act: ({ change }) => change({ passwordHash: 'x' }), status: 401 },
  'changes its destination': {
    act: ({ change }) => change({ url: 'https://example.com/new' }),
    status: 302,
    location: 'https://example.com/new',
  },
  'lowers the cap to the used visits': { act: ({ change }) => change({ maxClicks: 1 }), status: 410 },
  'lowers the cap by one': { act: ({ change }) => change({ maxClicks: 2 }), status: 302 },
  'raises the cap': { act: ({ change }) => change({ maxClicks: 9 }), status: 302 },
  'removes the cap': { act: ({ change }) => change({ maxClicks: null }), status: 302 },
  'removes the cap and sets another one': {
    act: async ({ change }) => {
      await change({ maxClicks: null });
      await change({ maxClicks: 5 });
    },
    status: 302,
  },
  'removes the cap and sets one that is used up': {
    act: async ({ change }) => {
      await change({ maxClicks: null });
      await change({ maxClicks: 1 });
    },
    status: 410,
  },
  'removes the cap and sets another one, which clicks in between have used up': {
    act: async ({ link, change }) => {
      await change({ maxClicks: null });
      await countClicks(
        link.id,
        'shard',
        [1, 2, 3, 4, 5].map((number) => placed(number)),
      );
      await change({ maxClicks: 5 });
    },
    status: 410,
  },
  'deletes it': { act: async ({ found }) => store.deleteLink(await found()), status: 404 },
  'replaces it by a link without a cap': {
    act: (made) => replace(made, null),
    status: 302,
    location: 'https://example.net/next',
  },
  'replaces it by a link with a cap': { act: (made) => replace(made, 1), status: 302, location: 'https://example.net/next' },
};

async function replace({ link, found }: NewLink, maxClicks: number | null) {
  await store.deleteLink(await found());
  const next = { url: 'https://example.net/next', customSlug: link.shortCode, maxClicks };
  await store.createLink(workspace.domain, next, store.newLease());
}

const cases = Object.entries(changes).flatMap(([what, change]) =>
  Object.entries({ ...calls, ...rememberedCalls }).map(([when, before]) => ({ what, when, before, ...change })),
);

describe('A visit of a capped link', () => {
  /** Another function, so that this one has not seen the cap. */
  let other: typeof visit;
  beforeAll(async () => {
    other = await startVisits();
  });

  test.for(cases)(
    'If somebody $what before the visit $when, it gets $status.',
    async ({ act, when, before, status, location }) => {
      const made = await newLink();
      await made.openBy(when in rememberedCalls ? visit : other);
      const response = await overtaken(() => act(made), made.open, before);
      expect(response.statusCode).toBe(status);
      if (status === 302) expect(response.headers.Location).toBe(location ?? 'https://example.org/page');
      else expect(JSON.stringify(response)).not.toMatch(/example\.(org|com|net)/);
      // At most, claims are lost, and only visits that pass are clicks.
      const isReplaced = location?.includes('next');
      expect(await made.clicks()).toBe(1 + (status === 302 && !isReplaced ? 1 : 0));
    },
  );

  test('It passes, and its click is recorded, if the link is disabled only after the second read.', async () => {
    const made = await newLink();
    const response = await overtaken(() => store.setDisabled(made.link, true), made.open, { command: 'PutItem' });
    expect([response.statusCode, await made.clicks()]).toEqual([302, 1]);
  });

  test('The claim of a visit that is refused after the claim is lost, and no other visit gets it.', async () => {
    const made = await newLink();
    await overtaken(() => store.setDisabled(made.link, true), made.open, calls['reads the link again']);
    await store.setDisabled(made.link, false);
    const statuses = await Promise.all(Array.from({ length: 5 }, async () => (await made.open()).statusCode));
    expect([statuses.filter((status) => status === 302).length, await made.used()]).toEqual([2, 3]);
  });

  test('A function that dies after a claim loses that claim, and nothing else.', async () => {
    const made = await newLink();
    // After the reads of domain, blocked hosts, link and cap: the claim, and the second read.
    for (const index of [4, 5]) {
      const starting = await startVisits();
      const { result } = await underFaults(
        (attempt) => (attempt.index === index ? 'dead-after' : undefined),
        () => made.openBy(starting),
      );
      expect(result.statusCode).toBe(500);
    }
    expect([await made.used(), await made.clicks()]).toEqual([2, 0]);
    expect([(await made.open()).statusCode, (await made.open()).statusCode]).toEqual([302, 410]);
  });
});

test('If its cap is replaced before each claim, the visitor gets 503, and nothing is claimed.', async () => {
  const made = await newLink();
  let [isBusy, claims] = [false, 0];
  const stop = intercept(async (operation, input, next) => {
    const isClaim = operation === 'UpdateItem' && (input as Input<'UpdateItem'>).Key?.pk.startsWith('CAP#');
    if (isClaim && !isBusy) {
      isBusy = true;
      claims++;
      await made.change({ maxClicks: null });
      await made.change({ maxClicks: 100 });
      isBusy = false;
    }
    return next(input);
  });
  const response = await made.open();
  stop();
  expect([response.statusCode, response.headers['Retry-After'], await made.used()]).toEqual([503, '1', 0]);
  expect(claims).toBeLessThanOrEqual(6);
});

const anyFault = fc.constantFrom<Fault | undefined>(
  ...(['throttle', 'lost-before', 'lost-after', 'conflict', 'dead-before', 'dead-after'] as const),
  ...Array<undefined>(12).fill(undefined),
);

test('Whatever fails during visits, and whenever the cap changes, no more visits pass than the largest cap, and remaining visits still pass.', async () => {
  const history = fc.record({
    caps: fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1, maxLength: 4 }),
    visits: fc.array(fc.array(anyFault, { maxLength: 9 }), { minLength: 4, maxLength: 20 }),
  });
  await fc.assert(
    fc.asyncProperty(history, async ({ caps, visits }) => {
      const [first = 1, ...later] = caps;
      const made = await newLink({ maxClicks: first });
      const visited = Promise.all(
        visits.map((faults) =>
          underFaults(
            (attempt) => ifPossible(faults[attempt.index], attempt.command),
            () => made.open({ budget: 3_000 }),
          ),
        ),
      );
      for (const maxClicks of later) await made.change({ maxClicks });
      const passed = (await visited).filter(({ result }) => result.statusCode === 302).length;
      expect(passed).toBeLessThanOrEqual(Math.max(...caps));
      const [used, clicks] = [await made.used(), await made.clicks()];
      // A click may be recorded without a response to its visitor, and a visitor may pass without a recorded click.
      expect(Math.max(passed, clicks)).toBeLessThanOrEqual(used);
      const last = caps.at(-1) ?? 1;
      const rest = await Promise.all(Array.from({ length: last + 1 }, () => made.open()));
      expect(rest.filter(({ statusCode }) => statusCode === 302)).toHaveLength(Math.max(0, last - used));
      expect(rest.filter(({ statusCode }) => statusCode === 410)).toHaveLength(last + 1 - Math.max(0, last - used));
    }),
    { numRuns: runs(5) },
  );
});

test('However often a cap is removed and set again during visits, the visits that pass with a cap never exceed it.', async () => {
  // The function of the other tests may have cached that the table is busy, and send clicks to the queue for a second.
  const fresh = await startVisits();
  const caps = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 1, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(caps, async (list) => {
      const made = await newLink({ maxClicks: 3 });
      const visits = Promise.all(Array.from({ length: 25 }, () => made.openBy(fresh)));
      for (const maxClicks of list) {
        // Without the visits in between, which have no cap.
        await made.change({ maxClicks: null, isActive: false });
        await made.change({ maxClicks, isActive: true });
      }
      const passed = (await visits).filter(({ statusCode }) => statusCode === 302).length;
      expect(passed).toBeLessThanOrEqual(Math.max(3, ...list));
      expect(await made.clicks()).toBe(passed);
      expect(await made.used()).toBeGreaterThanOrEqual(passed);
    }),
    { numRuns: runs(3) },
  );
});

test('If the owner and the operator change the link during a hundred visits at once, no visit passes after that.', async () => {
  const made = await newLink({ maxClicks: 1_000 });
  const visits = Promise.all(Array.from({ length: 100 }, () => untilAvailable(made.open)));
  expect(await made.change({ title: 'New', maxClicks: 900 })).toMatchObject({ title: 'New', maxClicks: 900 });
  expect(await store.setDisabled(made.link, true)).toMatchObject({ title: 'New', disabledAt: expect.any(String) });
  expect((await untilAvailable(made.open)).statusCode).toBe(404);
  const statuses = (await visits).map(({ statusCode }) => statusCode);
  expect(new Set([...statuses, 302, 404])).toEqual(new Set([302, 404]));
});
