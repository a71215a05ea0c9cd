import { AsyncLocalStorage } from 'node:async_hooks';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import { domainKey } from '../../../lambdas/store/table/keys.ts';
import { underFaults } from '../../support/faults/faults.ts';
import { runs } from '../../support/run/proof.ts';
import { type Store, useStore } from '../../support/store/store.ts';
import { cheapHash } from '../../support/things/password.ts';
import { curl, startVisits } from '../../support/things/visit.ts';

// Functions that run in parallel, each with its own cache and clocks. The test controls the time.

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

/** How far a function's wall clock is ahead, and its monotonic clock behind, in milliseconds. */
type Clocks = { ahead: number; behind: number };

const start = 1_900_000_000_000;
let time = start;
const running = new AsyncLocalStorage<Clocks>();
beforeAll(() => {
  vi.spyOn(Date, 'now').mockImplementation(() => time + (running.getStore()?.ahead ?? 0));
  vi.spyOn(process.hrtime, 'bigint').mockImplementation(
    () => BigInt(time - start + 1_000_000 - (running.getStore()?.behind ?? 0)) * 1_000_000n,
  );
});
afterAll(() => {
  vi.restoreAllMocks();
});

/** Starts a function, which returns the location or status of a visit, and the number of its reads. */
async function startFunction() {
  const visit = await startVisits();
  const clocks: Clocks = { ahead: 0, behind: 0 };
  const open = (host: string, slug: string) =>
    running.run(clocks, async () => {
      const { result, commands } = await underFaults(
        () => undefined,
        () => visit({ host, path: `/${slug}`, headers: curl }),
      );
      const reads = commands.filter((command) => command === 'GetItem').length;
      return { answer: String(result.headers.Location ?? result.statusCode), reads };
    });
  return { clocks, open };
}

/** A link on its own domain, which no function has cached yet. */
async function newLink(changes: LinkChanges = {}) {
  const workspace = await store.newWorkspace();
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  let { link } = await store.updateLink(found, changes);
  const change = async (more: LinkChanges) => {
    const current = await store.getLink(workspace.workspaceId, link.id);
    if (!current) throw new Error('no link');
    ({ link } = await store.updateLink(current, more));
  };
  const setDisabled = (isDisabled: boolean) => store.setDisabled(link, isDisabled);
  return { host: workspace.domain.host, slug: link.shortCode, change, setDisabled };
}

/** A fact, with all its values and the times from which they were true. */
function factOf<T>(first: T) {
  const values: { value: T; from: number }[] = [{ value: first, from: Number.NEGATIVE_INFINITY }];
  return {
    now: () => (values.at(-1) as { value: T }).value,
    set: (value: T) => values.push({ value, from: time }),
    /** Its values within the last milliseconds. */
    within: (ms: number) =>
      values.filter((_, index) => (values[index + 1]?.from ?? time + 1) > time - ms).map(({ value }) => value),
  };
}

const step = fc.record({
  gap: fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(0, 1, 500, 999, 1_000) },
    { weight: 1, arbitrary: fc.constantFrom(49_999, 50_000, 59_999, 60_000) },
    { weight: 1, arbitrary: fc.integer({ min: 0, max: 70_000 }) },
  ),
  /** A function's wall clock jumps by this, or back by the time that has just passed. */
  wrong: fc.option(fc.nat({ max: 1 }), { freq: 2 }),
  jump: fc.option(fc.integer({ min: -3_600_000, max: 3_600_000 }), { nil: undefined, freq: 2 }),
  change: fc.oneof(
    { weight: 8, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.constantFrom('block' as const, 'suspend' as const) },
  ),
  who: fc.nat({ max: 1 }),
});

test('Two functions never differ about a link for longer than a second, nor about blocked hosts and domains for longer than 60, even if a wall clock jumps or a monotonic one stops.', async () => {
  let made = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 60 }), async (steps) => {
      const functions = [await startFunction(), await startFunction()] as const;
      const ownHost = `target${++made}.example.com`;
      const urlOf = (version: number) => `https://${ownHost}/${version}`;
      const { host, slug, change } = await newLink({ url: urlOf(0) });
      const [version, isBlocked, isActive] = [factOf(0), factOf(false), factOf(true)];
      const changes = {
        block: async () => {
          isBlocked.set(!isBlocked.now());
          await (isBlocked.now() ? store.blockHost(ownHost) : store.unblockHost(ownHost));
        },
        suspend: async () => {
          isActive.set(!isActive.now());
          const item = await store.getItem(domainKey(host));
          await store.putItem({ ...domainKey(host), ...item, status: isActive.now() ? 'ACTIVE' : 'PENDING_DNS' });
        },
      };
      for (const { gap, wrong, jump, change: other, who } of steps) {
        time += gap;
        // The first has a wall clock that jumps, the second a monotonic clock that stops while it is frozen.
        if (wrong === 0) functions[0].clocks.ahead += jump ?? -gap;
        if (wrong === 1) functions[1].clocks.behind += gap;
        const { answer } = await functions[who === 0 ? 0 : 1].open(host, slug);
        const leads = isActive.within(60_000).includes(true) && isBlocked.within(60_000).includes(false);
        const isRefused = isActive.within(60_000).includes(false) || isBlocked.within(60_000).includes(true);
        expect([...(leads ? version.within(1_000).map(urlOf) : []), ...(isRefused ? ['404'] : [])]).toContain(answer);
        version.set(version.now() + 1);
        await change({ url: urlOf(version.now()) });
        if (other) await changes[other]();
      }
    }),
    { numRuns: runs(4) },
  );
});

test.for(['wall clock that jumps back', 'monotonic clock that stops'])(
  'A %s makes no link last longer than a second, and no domain or list of blocked hosts longer than 60.',
  async (wrong) => {
    for (const [ms, reads] of [
      [1_000, 1],
      [60_000, 3],
    ] as const) {
      const { clocks, open } = await startFunction();
      const { host, slug } = await newLink();
      await open(host, slug);
      time += ms;
      if (wrong.startsWith('wall')) clocks.ahead -= ms;
      else clocks.behind += ms;
      expect((await open(host, slug)).reads).toBe(reads);
    }
  },
);

test('A link that was read within the last second costs no read in this function, and one in another.', async () => {
  const [one, other] = [await startFunction(), await startFunction()];
  const { host, slug } = await newLink();
  await one.open(host, slug);
  time += 999;
  expect((await one.open(host, slug)).reads).toBe(0);
  expect((await other.open(host, slug)).reads).toBeGreaterThan(0);
  time += 1;
  expect((await one.open(host, slug)).reads).toBe(1);
});

test('The second begins when the read is sent, however long its response takes.', async () => {
  const { open } = await startFunction();
  const { host, slug, change } = await newLink({ url: 'https://example.org/before' });
  await open(host, slug);
  time += 1_000;
  const { result } = await underFaults(
    () => {
      // The read's response arrives 600 ms after it was sent.
      time += 300;
      return undefined;
    },
    () => open(host, slug),
  );
  expect(result.answer).toBe('https://example.org/before');
  await change({ url: 'https://example.org/after' });
  time += 1_000;
  expect((await open(host, slug)).answer).toBe('https://example.org/after');
});

test.for<[string, LinkChanges | 'disabled', string]>([
  ['with a password', { passwordHash: 'set below' }, '401'],
  ['with a cap', { maxClicks: 100 }, 'https://example.org/open'],
  ['that is inactive', { isActive: false }, '404'],
  ['that the operator has disabled', 'disabled', '404'],
])('A link %s is read in each visit, and its changes take effect at once.', async ([, state, expected]) => {
  const { open } = await startFunction();
  const { host, slug, change, setDisabled } = await newLink({ url: 'https://example.org/open' });
  if (state === 'disabled') await setDisabled(true);
  else await change({ ...state, ...(state.passwordHash && { passwordHash: cheapHash('right') }) });
  for (let visits = 0; visits < 3; visits++) expect((await open(host, slug)).answer).toBe(expected);
  // A link with a cap is read before and after the claim; the cap is cached from the visits before.
  expect((await open(host, slug)).reads).toBe(state !== 'disabled' && state.maxClicks ? 2 : 1);
  if (state === 'disabled') await setDisabled(false);
  await change({ isActive: true, passwordHash: null, maxClicks: null, url: 'https://example.org/other' });
  expect((await open(host, slug)).answer).toBe('https://example.org/other');
});

test('An address without a link is read in each visit, so that a new link works at once.', async () => {
  const { open } = await startFunction();
  const { host, slug } = await newLink();
  const workspace = await store.newWorkspace();
  for (let visits = 0; visits < 2; visits++) expect((await open(workspace.domain.host, 'none')).answer).toBe('404');
  expect((await open(workspace.domain.host, 'none')).reads).toBe(1);
  expect((await open(host, slug)).answer).not.toBe('404');
});

test('Each function knows within 60 seconds that a domain was added, activated or set back.', async () => {
  const { open } = await startFunction();
  const workspace = await store.newWorkspace();
  const host = `added.${workspace.domain.host}`;
  const answer = async () => (await open(host, 'new')).answer;
  const url = 'https://example.org/added';
  /** A change of the domain, and a visitor's status once it is known. */
  const steps: [change: () => Promise<unknown>, expected: string][] = [
    [() => store.addDomain(workspace.workspaceId, host, 'PENDING_DNS'), '404'],
    [() => store.addDomain(workspace.workspaceId, host, 'ACTIVE'), '404'],
    [
      async () => {
        const domain = await store.getDomain(host);
        if (domain) await store.createLink(domain, { url, customSlug: 'new', redirectType: 'PERMANENT_301' }, store.newLease());
      },
      url,
    ],
    [() => store.addDomain(workspace.workspaceId, host, 'PENDING_DNS'), '404'],
  ];
  let before = await answer();
  for (const [change, expected] of steps) {
    await change();
    time += 59_999;
    expect([before, expected]).toContain(await answer());
    time += 1;
    expect(await answer()).toBe(expected);
    before = expected;
  }
});

test('A cached link expires on time.', async () => {
  const { open } = await startFunction();
  const { host, slug } = await newLink({ expiresAt: new Date(time + 500).toISOString() });
  expect((await open(host, slug)).answer).not.toBe('410');
  time += 500;
  expect(await open(host, slug)).toEqual({ answer: '410', reads: 0 });
});

test("A host is blocked for cached links once the function's list of blocked hosts is 50 seconds old.", async () => {
  const { open } = await startFunction();
  const host = 'reused.example.com';
  const link = await newLink({ url: `https://${host}/` });
  const visit = () => open(link.host, link.slug);
  await visit();
  time += 49_500;
  expect((await visit()).answer).toBe(`https://${host}/`);
  await store.blockHost(host);
  time += 499;
  expect(await visit()).toEqual({ answer: `https://${host}/`, reads: 0 });
  time += 1;
  // The only read is that of the list.
  expect(await visit()).toEqual({ answer: '404', reads: 1 });
});

test("A block applies to a visit after 60 seconds, even if the visit's reads take 15 of them.", async () => {
  const { open } = await startFunction();
  const host = 'slow.example.com';
  const link = await newLink({ url: `https://${host}/` });
  await open(link.host, link.slug);
  await store.blockHost(host);
  time += 49_000;
  const stop = intercept((_, input, next) => {
    const { pk = '' } = (input as { Key?: { pk: string } }).Key ?? {};
    if (pk.startsWith('LINK#')) time += 15_000;
    return next(input);
  });
  const { answer } = await open(link.host, link.slug).finally(stop);
  expect(answer).toBe('404');
});

test('A read that returns after a later one does not put an old link into the cache.', async () => {
  const { open } = await startFunction();
  const { host, slug, change } = await newLink({ url: 'https://example.org/before' });
  await open(host, slug);
  time += 1_000;
  const [sent, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const stop = intercept(async (_, input, next) => {
    const output = await next(input);
    stop();
    sent.resolve();
    await released.promise;
    return output;
  });
  const early = open(host, slug);
  await sent.promise;
  time += 1;
  await change({ passwordHash: cheapHash('right') });
  expect((await open(host, slug)).answer).toBe('401');
  released.resolve();
  expect((await early).answer).toBe('https://example.org/before');
  expect((await open(host, slug)).answer).toBe('401');
});
