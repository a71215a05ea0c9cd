import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { alarming } from '../../../lambdas/core/alarms.ts';
import type { LinkChanges } from '../../../lambdas/store/links/changes.ts';
import { deliverWaiting, type waitingQueue } from '../../support/clicks/waiting-queue.ts';
import { type Fault, underFaults } from '../../support/faults/faults.ts';
import { clicksOf, type Store, useStore } from '../../support/store/store.ts';
import { curl, startVisits } from '../../support/things/visit.ts';

// Visits while the table throttles clicks, and the fate of those clicks. The test controls the time.

const queue = vi.hoisted(() => ({}) as ReturnType<typeof waitingQueue>);
vi.mock('../../../lambdas/outbound/waiting-clicks.ts', async () => {
  const { waitingQueue } = await import('../../support/clicks/waiting-queue.ts');
  return Object.assign(queue, waitingQueue()).module;
});

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

/** A function, and a link to visit. `open` injects these faults into the attempts to record the click, in turn. */
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
    return { status: result.statusCode, attempts, queued: queue.sent.splice(0) };
  };
  return { link, open, clicks: () => clicksOf(link.id) };
}

const [throttle, lost] = ['throttle', 'lost-before'] as const;
const always = Array<Fault>(10).fill(throttle);
const oneMessage = [expect.any(String)];

test("A click that the table throttles goes to the queue without a retry, and is the same click once the queue's reader has recorded it.", async () => {
  const { link, open, clicks } = await startFunction();
  const { queued, ...answer } = await open(throttle);
  expect(answer).toEqual({ status: 302, attempts: 1 });
  const [message = ''] = queued;
  expect(JSON.parse(message)).toMatchObject({ workspaceId: link.workspaceId, host: link.domain, slug: link.shortCode });
  expect(await clicks()).toBe(0);
  expect(await deliverWaiting([message, message])).toEqual([]);
  const { pk, sk, ...more } = JSON.parse(message);
  expect(await store.getItem({ pk, sk })).toEqual({ pk, sk, ...more });
  expect(await clicks()).toBe(1);
});

test('While the table throttles clicks, one visit a second waits for one attempt, and all others for none.', async () => {
  const { open, clicks } = await startFunction();
  const log = vi.spyOn(console, 'error');
  for (let second = 0; second < 3; second++) {
    expect(await open(...always)).toEqual({ status: 302, attempts: 1, queued: oneMessage });
    for (let visit = 0; visit < 5; visit++) expect(await open()).toEqual({ status: 302, attempts: 0, queued: oneMessage });
    time += 999;
    expect(await open()).toEqual({ status: 302, attempts: 0, queued: oneMessage });
    time += 1;
  }
  expect(await clicks()).toBe(0);
  expect(log).not.toHaveBeenCalled();
  log.mockRestore();
});

test('A second after the last throttled click, clicks get as many attempts as usual.', async () => {
  const { open, clicks } = await startFunction();
  await open(...always);
  time += 1_000;
  expect(await open(lost, lost)).toEqual({ status: 302, attempts: 3, queued: [] });
  expect(await open()).toEqual({ status: 302, attempts: 1, queued: [] });
  expect(await clicks()).toBe(2);
});

test('A click is lost only if the queue refuses it, too; the visitor is redirected, and the loss is logged for the metric.', async () => {
  const { link, open } = await startFunction();
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  queue.answers('refused');
  expect(await open(throttle)).toEqual({ status: 302, attempts: 1, queued: [] });
  expect(await open()).toEqual({ status: 302, attempts: 0, queued: [] });
  queue.answers('taken');
  const { id: linkId, workspaceId } = link;
  const line = { message: alarming.clickNotRecorded, requestId: expect.any(String), workspaceId, linkId, name: 'OverLimit' };
  expect(log.mock.calls).toEqual([[line], [line]]);
  log.mockRestore();
});

test.for<[name: string, faults: Fault[], attempts: number, clicks: number, queued: number]>([
  ['a lost response is retried although no click was throttled', [lost, lost, lost], 4, 1, 0],
  ['a click that is throttled after a lost response goes to the queue', [lost, throttle], 2, 0, 1],
  ['… and is recorded once if it was executed', ['lost-after', throttle], 2, 1, 1],
  ['a conflict is retried as usual', ['conflict', 'conflict'], 3, 1, 0],
])('Of mixed failures, %s.', async ([, faults, attempts, expected, messages]) => {
  const { open, clicks } = await startFunction();
  const { queued, ...answer } = await open(...faults);
  expect(answer).toEqual({ status: 302, attempts });
  expect([await clicks(), queued.length]).toEqual([expected, messages]);
  await deliverWaiting(queued);
  expect(await clicks()).toBe(1);
});

test('A function is not affected by clicks of others that the table throttled.', async () => {
  const [busy, other] = [await startFunction(), await startFunction()];
  await busy.open(...always);
  expect(await other.open(lost, lost)).toEqual({ status: 302, attempts: 3, queued: [] });
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
  expect(await open(...always)).toEqual({ status: 302, attempts: 1, queued: [expect.any(String), expect.any(String)] });
  expect(await open()).toEqual({ status: 410, attempts: 0, queued: [] });
  expect([await store.usedOf(link), await clicks()]).toEqual([2, 0]);
});
