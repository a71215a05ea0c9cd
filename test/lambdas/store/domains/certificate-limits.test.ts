import { beforeAll, expect, test } from 'vitest';
import { newCertificateAttempt } from '../../../../lambdas/core/ids.ts';
import { certificateRequests, managedDomainsPerWorkspace } from '../../../../lambdas/core/limits.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let limits: typeof import('../../../../lambdas/store/domains/certificate-limits.ts');
let store: Store;
beforeAll(async () => {
  store = await useStore();
  limits = await import('../../../../lambdas/store/domains/certificate-limits.ts');
});

let made = 0;
const newWorkspaceId = () => `ws_limits${++made}`;
const hosts = (count: number) => Array.from({ length: count }, (_, number) => `go${number}.acme.example`);

test('However many domains want a place at once, a workspace has its maximum, and each domain at most one.', async () => {
  const workspaceId = newWorkspaceId();
  const twice = [...hosts(managedDomainsPerWorkspace + 10), ...hosts(managedDomainsPerWorkspace + 10)];
  const taken = await Promise.all(twice.map((host) => limits.takePlace(workspaceId, host)));
  const placed = new Set(twice.filter((_, index) => taken[index]));
  expect(placed.size).toBe(managedDomainsPerWorkspace);
  for (const host of hosts(managedDomainsPerWorkspace + 10)) {
    expect(await limits.takePlace(workspaceId, host)).toBe(placed.has(host));
  }
});

test('A place that is returned, once or twice, makes room for one other domain, of the same workspace only.', async () => {
  const [workspaceId, other] = [newWorkspaceId(), newWorkspaceId()];
  const [first = '', ...rest] = hosts(managedDomainsPerWorkspace + 2);
  const [next = '', last = ''] = rest.slice(-2);
  for (const host of [first, ...rest.slice(0, -2)]) {
    expect([await limits.takePlace(workspaceId, host), await limits.takePlace(other, host)]).toEqual([true, true]);
  }
  expect(await limits.takePlace(workspaceId, next)).toBe(false);
  for (let time = 0; time < 2; time++) await limits.givePlaceBack(workspaceId, first);
  expect(await Promise.all([next, last].map((host) => limits.takePlace(workspaceId, host)))).toEqual(
    expect.arrayContaining([true, false]),
  );
  expect(await limits.takePlace(other, next)).toBe(false);
});

test('A workspace that has returned all places has no item left, unless a place was taken meanwhile.', async () => {
  const workspaceId = newWorkspaceId();
  const key = { pk: `CERTIFICATES#${workspaceId}`, sk: 'LIMIT#hosts' };
  const hostsLeft = async () => (await store.getItem(key))?.hosts;
  await limits.takePlace(workspaceId, 'one.example');
  await limits.givePlaceBack(workspaceId, 'one.example');
  expect(await store.getItem(key)).toBeUndefined();
  await limits.takePlace(workspaceId, 'one.example');
  await underFaults(
    ({ command }) => (command === 'DeleteItem' ? 'dead-before' : undefined),
    () => limits.givePlaceBack(workspaceId, 'one.example').catch(() => limits.takePlace(workspaceId, 'two.example')),
  );
  await limits.givePlaceBack(workspaceId, 'one.example');
  expect(await hostsLeft()).toEqual(new Set(['two.example']));
});

test.for(['lost-before', 'lost-after', 'throttle'] as const)(
  'If each call is %s once, no place, return or request is counted twice.',
  async (fault) => {
    const workspaceId = newWorkspaceId();
    const disturbed = <T>(work: () => Promise<T>) =>
      underFaults(({ index }) => (index === 0 ? fault : undefined), work).then(({ result }) => result);
    const [last = '', ...others] = hosts(managedDomainsPerWorkspace);
    for (const host of others) await limits.takePlace(workspaceId, host);
    expect(await disturbed(() => limits.takePlace(workspaceId, last))).toBe(true);
    expect(await disturbed(() => limits.takePlace(workspaceId, 'one.more.example'))).toBe(false);
    await disturbed(() => limits.givePlaceBack(workspaceId, 'go0.acme.example'));
    expect(await disturbed(() => limits.takePlace(workspaceId, 'one.more.example'))).toBe(true);
    const requests = await disturbed(() => limits.takeRequest(workspaceId, newCertificateAttempt()));
    expect(requests).toMatchObject({ passed: true, remaining: certificateRequests.quota - 1 });
  },
);

test('However many domains want one at once, a workspace requests only the allowed number of certificates in 30 days.', async () => {
  const workspaceId = newWorkspaceId();
  const request = () => limits.takeRequest(workspaceId, newCertificateAttempt());
  const all = await Promise.all(Array.from({ length: certificateRequests.quota + 10 }, request));
  expect(all.filter(({ passed }) => passed)).toHaveLength(certificateRequests.quota);
  const { passed, resetSeconds } = await request();
  expect(passed).toBe(false);
  expect(resetSeconds).toBeGreaterThan(certificateRequests.windowSeconds - 3_600);
  expect(await limits.takeRequest(newWorkspaceId(), newCertificateAttempt())).toMatchObject({ passed: true });
});
