import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { alarming } from '../../../lambdas/core/alarms.ts';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { type Fault, underFaults } from '../../support/faults/faults.ts';
import { clicksOf, type Store, useStore } from '../../support/store/store.ts';
import { curl, startVisits } from '../../support/things/visit.ts';

// What visitors notice of a table that throttles clicks. The test controls the time.

let store: Store;
let workspace: Awaited<ReturnType<Store['newWorkspace']>>;
beforeAll(async () => {
  store = await useStore();
  workspace = await store.newWorkspace();
});

const start = 1_900_000_000_000;
let time = start;
beforeAll(() => {
  vi.spyOn(Date, 'now').mockImplementation(() => time);
  vi.spyOn(process.hrtime, 'bigint').mockImplementation(() => BigInt(time - start + 1_000_000) * 1_000_000n);
});
afterEach(() => {
  time += 60_000;
});
afterAll(() => {
  vi.restoreAllMocks();
});

/** A function, and a link to visit. `open` injects these faults into the attempts to record the click, one after another. */
async function startFunction(changes: LinkChanges = {}) {
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = await store.updateLink(found, changes);
  const visit = await startVisits();
  const open = async (...faults: readonly (Fault | undefined)[]) => {
    let attempts = 0;
    const { result } = await underFaults(
      ({ command }) => (command === 'PutItem' ? faults[attempts++] : undefined),
      () => visit({ host: workspace.domain.host, path: `/${link.shortCode}`, headers: curl }),
    );
    return { status: result.statusCode, attempts };
  };
  return { link, open, clicks: () => clicksOf(link.id) };
}

const [throttle, lost] = ['throttle', 'lost-before'] as const;
const always = Array<Fault>(10).fill(throttle);

test('A click that is throttled once is recorded at the second attempt.', async () => {
  const { open, clicks } = await startFunction();
  expect(await open(throttle)).toEqual({ status: 302, attempts: 2 });
  expect(await clicks()).toBe(1);
});

test('While the table throttles clicks, the first visitor waits for two attempts and all others for one, and each lost click is logged for the metric.', async () => {
  const { open, clicks } = await startFunction();
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  expect(await open(...always)).toEqual({ status: 302, attempts: 2 });
  for (let visit = 0; visit < 20; visit++) {
    time += 999;
    expect(await open(...always)).toEqual({ status: 302, attempts: 1 });
  }
  expect(await clicks()).toBe(0);
  const messages = log.mock.calls.map(([line]) => line.message);
  expect(messages).toEqual(Array(21).fill(alarming.clickNotRecorded));
  log.mockRestore();
});

test('A click is recorded as soon as the table takes it, also within the second after a throttled one.', async () => {
  const { open, clicks } = await startFunction();
  await open(...always);
  expect(await open()).toEqual({ status: 302, attempts: 1 });
  expect(await clicks()).toBe(1);
});

test('A second after the last throttled click, clicks get as many attempts as usual.', async () => {
  const { open, clicks } = await startFunction();
  await open(...always);
  time += 999;
  expect(await open(lost, lost)).toEqual({ status: 302, attempts: 1 });
  time += 1;
  expect(await open(lost, lost)).toEqual({ status: 302, attempts: 3 });
  expect(await open(throttle)).toEqual({ status: 302, attempts: 2 });
  expect(await clicks()).toBe(2);
});

test.for<[name: string, faults: Fault[], attempts: number, clicks: number]>([
  ['a lost response is retried although no click was throttled', [lost, lost, lost], 4, 1],
  ['a click that is throttled after a lost response gets one more attempt', [lost, throttle, throttle], 3, 0],
  ['… which records it', [lost, throttle], 3, 1],
  ['a click is not tried again if the response is lost that follows a throttled attempt', [throttle, lost], 2, 0],
  ['… and counts once if it was executed', [throttle, 'lost-after'], 2, 1],
  ['a conflict is retried as usual', ['conflict', 'conflict'], 3, 1],
])('Of mixed failures, %s.', async ([, faults, attempts, expected]) => {
  const { open, clicks } = await startFunction();
  expect(await open(...faults)).toEqual({ status: 302, attempts });
  expect(await clicks()).toBe(expected);
});

test('A function is not affected by clicks of others that the table throttled.', async () => {
  const [busy, other] = [await startFunction(), await startFunction()];
  await busy.open(...always);
  expect(await other.open(lost, lost)).toEqual({ status: 302, attempts: 3 });
  expect(await other.clicks()).toBe(1);
});

test('Throttled clicks of a capped link still count towards its cap, and its claims are tried as often as before.', async () => {
  const { link, open, clicks } = await startFunction({ maxClicks: 2 });
  const visit = await startVisits();
  const path = `/${link.shortCode}`;
  let claims = 0;
  const claimedThirdTime = await underFaults(
    ({ command }) => ((command === 'UpdateItem' && ++claims < 3) || command === 'PutItem' ? throttle : undefined),
    () => visit({ host: workspace.domain.host, path, headers: curl }),
  );
  expect([claimedThirdTime.result.statusCode, claims]).toEqual([302, 3]);
  expect(await open(...always)).toEqual({ status: 302, attempts: 2 });
  expect(await open()).toEqual({ status: 410, attempts: 0 });
  expect([await store.usedOf(link), await clicks()]).toEqual([2, 0]);
});
