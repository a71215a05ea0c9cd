import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { dayMs } from '../../../lambdas/core/click/day.ts';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { anyTime, clickAt, clicksOf as clickPartitions, daySecretKey, toKey } from '../../../lambdas/store/table/keys.ts';
import { type Attempt, type Fault, underFaults } from '../../support/faults/faults.ts';
import { sized } from '../../support/run/proof.ts';
import { inOwnTime } from '../../support/store/own-time.ts';
import { clicksOf, type Store, useStore } from '../../support/store/store.ts';
import { countUniques, dayAt, giveSecrets, visitorsOf } from '../../support/things/unique.ts';
import { pass, startVisits, type VisitOptions } from '../../support/things/visit.ts';

vi.mock('../../../lambdas/runtime/instant.ts', async (original) =>
  (await import('../../support/store/own-time.ts')).withOwnTime(await original()),
);

// The hashes of visitors that the redirect records if the stage counts unique clicks.

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
  await giveSecrets(...[-1, 0, 1, 2].map((ahead) => dayAt(now + ahead * dayMs)));
});
beforeEach(countUniques);
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
});

/** The day of these tests, which must not run across its end. */
const now = Date.now();
const noon = Date.parse(dayAt(now)) + dayMs / 2;
const faultless = () => undefined;

async function newLink(changes: LinkChanges = {}) {
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = await store.updateLink(found, changes);
  return { link, path: `/${link.shortCode}`, visitors: () => visitorsOf(link.id), clicks: () => clicksOf(link.id) };
}

/** The times of a link's recorded clicks. */
async function timesOf(linkId: string): Promise<string[]> {
  const partitions = clickPartitions(linkId).map((pk) => Array.fromAsync(store.query({ pk, between: anyTime })));
  return (await Promise.all(partitions)).flat().map((item) => clickAt(toKey(item).sk).at);
}

/** Starts a function. `open` is a visit at noon, and `callsOf` returns its calls. */
async function startFunction() {
  const visit = await startVisits();
  const open = (path: string, more: Partial<VisitOptions> = {}) =>
    visit({ host: workspace.domain.host, path, receivedAt: noon, ...more });
  const callsOf = async (path: string, more: Partial<VisitOptions> = {}) => {
    const { accesses } = await underFaults(faultless, () => open(path, more));
    return accesses.map(({ action, leadingKey }) => `${action.replace(/^dynamodb:| on .*/g, '')} ${leadingKey.split('#')[0]}`);
  };
  return { open, callsOf };
}

/** Injects faults into the attempts to make one kind of call. */
const faultsOf = (command: string, text: string, faults: readonly (Fault | undefined)[]) => {
  let attempts = 0;
  const decide = (attempt: Attempt) =>
    attempt.command === command && JSON.stringify(attempt.input).includes(text) ? faults[attempts++] : undefined;
  return { decide, attempts: () => attempts };
};

const reads = ['GetItem DOMAIN', 'GetItem BLOCKLIST'];

test("A visit reads the day's secret in parallel with the domain, and records the visitor in the click.", async () => {
  const [{ callsOf }, { path, visitors, clicks }] = [await startFunction(), await newLink()];
  const secret = 'GetItem DAYSECRET';
  expect(await callsOf(path)).toEqual([...reads, secret, 'GetItem LINK', 'PutItem CLICK']);
  expect(await visitors()).toHaveLength(1);
  expect(await clicks()).toBe(1);
});

test('If the stage does not count unique clicks, a visit makes no calls for them.', async () => {
  vi.stubEnv('UNIQUE_CLICKS', '');
  const [{ callsOf }, { path, visitors }] = [await startFunction(), await newLink()];
  expect(await callsOf(path)).toEqual([...reads, 'GetItem LINK', 'PutItem CLICK']);
  expect(await visitors()).toEqual([]);
});

test('A function reads the secret once, and makes one write for each visit.', async () => {
  const [{ callsOf }, { path, visitors, clicks }] = [await startFunction(), await newLink()];
  await callsOf(path);
  for (let again = 0; again < 3; again++) {
    expect((await callsOf(path)).filter((call) => /DAYSECRET|PutItem/.test(call))).toEqual(['PutItem CLICK']);
  }
  expect(await visitors()).toHaveLength(1);
  expect(await clicks()).toBe(4);
});

test('The visits of one visitor through many functions at once have one hash.', async () => {
  const [visits, started] = [sized(400, 10_000), 20];
  const { path, visitors, clicks } = await newLink();
  const functions = await Promise.all(Array.from({ length: started }, startFunction));
  const { commands, attempts } = await underFaults(faultless, () =>
    Promise.all(
      functions.map(async ({ open }) => {
        for (let number = 0; number < visits / started; number++) await inOwnTime(() => open(path));
      }),
    ),
  );
  expect(await visitors()).toHaveLength(1);
  expect(await clicks()).toBe(visits);
  expect(commands.filter((command) => command === 'PutItem')).toHaveLength(visits);
  // The clicks, one for each visit, are in all 16 partitions.
  const partitions = attempts.flatMap(({ input }) => ('Item' in input ? [(input.Item as { pk: string }).pk] : []));
  expect(new Set(partitions.filter((pk) => pk.startsWith('CLICK#'))).size).toBe(16);
});

test('A visitor has one hash on each link and each day in UTC, and another address or user agent has another one.', async () => {
  const [{ open }, one, other] = [await startFunction(), await newLink(), await newLink()];
  const midnight = Date.parse(dayAt(now)) + dayMs;
  for (const receivedAt of [noon, midnight - 1, midnight, midnight + 1]) {
    for (const { path } of [one, other]) await open(path, { receivedAt });
  }
  for (const { visitors } of [one, other]) {
    expect((await visitors()).map(({ day }) => day).sort()).toEqual([dayAt(noon), dayAt(midnight)]);
  }
  const { 'user-agent': userAgent } = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' };
  await open(one.path, { sourceIp: '192.0.2.2' });
  await open(one.path, { headers: { 'user-agent': userAgent } });
  await open(one.path, { sourceIp: '2001:db8::1', headers: { 'user-agent': userAgent } });
  expect(await one.visitors()).toHaveLength(5);
});

test.for<[string, Partial<VisitOptions>]>([
  ['asks not to be tracked', { headers: { dnt: '1' } }],
  ['sends the Global Privacy Control', { headers: { 'sec-gpc': '1' } }],
  ['is a bot', { headers: { 'user-agent': 'Googlebot/2.1 (+http://www.google.com/bot.html)' } }],
  ['prefetches', { headers: { 'sec-purpose': 'prefetch' } }],
  ['sends HEAD', { method: 'HEAD' }],
])('A visitor who %s is not hashed.', async ([, more]) => {
  const [{ callsOf }, { path, visitors }] = [await startFunction(), await newLink()];
  await callsOf(path, more);
  expect(await visitors()).toEqual([]);
});

test('A preview is not hashed.', async () => {
  const [{ open }, { path, visitors }] = [await startFunction(), await newLink()];
  await open(`${path}+`);
  expect(await visitors()).toEqual([]);
});

test("A click and its visitor have the day on which the gateway received the visit, whatever the function's clock says.", async () => {
  const [{ open }, { link, path, visitors }] = [await startFunction(), await newLink()];
  const receivedAt = Date.parse(dayAt(now)) + 5_000;
  await open('/before', { receivedAt });
  const real = Date.now;
  vi.spyOn(Date, 'now').mockImplementation(() => real() - 24 * 60 * 60_000);
  await open(path, { receivedAt });
  expect(await timesOf(link.id)).toEqual([new Date(receivedAt).toISOString()]);
  expect((await visitors()).map(({ day }) => day)).toEqual([dayAt(receivedAt)]);
});

test('After an erasure, the same visitor counts as a new one.', async () => {
  const [{ open }, { link, path, visitors }] = [await startFunction(), await newLink({ maxClicks: 100 })];
  await open(path);
  await store.eraseClicks(link);
  await store.erasePage(link.id);
  expect(await visitors()).toEqual([]);
  await open(path);
  await open(path);
  const { clickEpoch } = (await store.findLink(link.workspaceId, link.id)) ?? link;
  expect((await visitors()).map(({ epoch }) => epoch)).toEqual([clickEpoch]);
});

describe('the secret', () => {
  const dayWithout = dayAt(now - dayMs);
  beforeAll(() => store.deleteItem(daySecretKey(dayWithout)));
  const receivedAt = Date.parse(dayWithout) + dayMs / 2;

  test('Without a secret, no visitor is counted, visits succeed, and the secret is read again once in ten seconds.', async () => {
    const [{ callsOf, open }, { path, visitors, clicks }] = [await startFunction(), await newLink()];
    expect(await callsOf(path, { receivedAt })).toContain('GetItem DAYSECRET');
    expect(await callsOf(path, { receivedAt })).not.toContain('GetItem DAYSECRET');
    pass(10_000);
    expect(await callsOf(path, { receivedAt })).toContain('GetItem DAYSECRET');
    expect((await open(path, { receivedAt })).statusCode).toBe(302);
    expect(await visitors()).toEqual([]);
    expect(await clicks()).toBe(4);
  });

  test.for<[string, Fault[]]>([
    ['is denied', ['dead-before', 'dead-before', 'dead-before']],
    ['is throttled', Array<Fault>(9).fill('throttle')],
    ['has no response', Array<Fault>(9).fill('lost-before')],
  ])(
    'If the read of the secret %s, visitors are redirected, their clicks count, and a later visit reads it.',
    async ([, faults]) => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => {});
      const [{ open, callsOf }, { path, visitors, clicks }] = [await startFunction(), await newLink()];
      const { decide } = faultsOf('GetItem', 'DAYSECRET', faults);
      const { result } = await underFaults(decide, () => open(path));
      expect(result.statusCode).toBe(302);
      expect(warn.mock.calls.at(-1)?.[0]).toMatchObject({ message: 'a day has no secret for unique clicks' });
      expect([await clicks(), await visitors()]).toEqual([1, []]);
      pass(10_000);
      await callsOf(path);
      expect(await visitors()).toHaveLength(1);
    },
  );

  test("The secret of a day that is not around the table's day is not used.", async () => {
    const [{ open }, { path, visitors, clicks }] = [await startFunction(), await newLink()];
    await open(path, { receivedAt: Date.parse(dayAt(now)) + 2 * dayMs });
    expect([await clicks(), await visitors()]).toEqual([1, []]);
  });
});
