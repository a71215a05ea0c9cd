import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type Check, targetRecord } from '../../../../lambdas/core/domain/domain.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
let clock: typeof import('../../../../lambdas/store/table/clock.ts');
beforeAll(async () => {
  store = await useStore();
  clock = await import('../../../../lambdas/store/table/clock.ts');
});

const wanted = targetRecord('go.example.com', 'links.example');
const sees = (...values: string[]): Check => ({ failure: undefined, wanted, seen: { values } });
const atTime = (at: number) => vi.spyOn(clock, 'tableTime').mockReturnValueOnce(at);
let made = 0;

/** A domain, and its last check that `find` shows. */
async function newDomain() {
  const { workspaceId, domain } = await store.newWorkspace();
  const seen = async () => (await store.findDomain(workspaceId, domain.host))?.lastCheck?.seen;
  return { workspaceId, domain, host: domain.host, seen };
}

async function newClaim() {
  const { workspaceId } = await store.newWorkspace();
  const claim = await store.claimDomain(workspaceId, `claim${++made}.acme.example`);
  const seen = async () => (await store.findDomain(workspaceId, claim.host))?.lastCheck?.seen;
  return { workspaceId, domain: claim, host: claim.host, seen };
}

describe.for([
  ['domain', newDomain],
  ['claim', newClaim],
] as const)('a %s', ([, make]) => {
  test('The last check is null before the first one, and then the newest one, both of a single domain and in lists.', async () => {
    const { workspaceId, domain, host, seen } = await make();
    expect(await seen()).toBeUndefined();
    const first = await store.recordCheck(workspaceId, domain, sees('one'));
    expect(first).toEqual({ at: expect.stringMatching(/^\d{4}-/), wanted, seen: ['one'] });
    expect((await store.findDomain(workspaceId, host))?.lastCheck).toEqual(first);
    const listed = await store.withLastChecks(await store.listDomains(workspaceId));
    expect(listed.find((one) => one.host === host)?.lastCheck).toEqual(first);
    await store.recordCheck(workspaceId, domain, { failure: undefined, wanted, seen: { failure: 'ETIMEOUT' } });
    expect(await seen()).toBeNull();
  });

  test('An earlier check does not replace a later one, even if it is written last.', async () => {
    const { workspaceId, domain, seen } = await make();
    const now = Date.now();
    atTime(now + 2_000);
    await store.recordCheck(workspaceId, domain, sees('later'));
    atTime(now + 1_000);
    await store.recordCheck(workspaceId, domain, sees('earlier'));
    expect(await seen()).toEqual(['later']);
  });

  test('A check of a deleted domain creates nothing.', async () => {
    const { workspaceId, domain, host } = await make();
    await store.deleteDomain(workspaceId, host);
    await store.recordCheck(workspaceId, domain, sees('one'));
    expect(await store.findDomain(workspaceId, host)).toBeUndefined();
    expect(await store.getItem({ pk: `DOMAIN#${host}`, sk: 'CHECK' })).toBeUndefined();
  });
});

test('A check of an earlier domain of the same name is not shown, and does not block those of the new one.', async () => {
  const { workspaceId, domain, host, seen } = await newDomain();
  await store.deleteDomain(workspaceId, host);
  await store.addDomain(workspaceId, host, 'ACTIVE');
  const again = await store.getDomain(host);
  if (!again) throw new Error('the domain was not added');
  atTime(Date.now() + 60_000);
  await store.recordCheck(workspaceId, domain, sees('the former'));
  expect(await seen()).toBeUndefined();
  await store.recordCheck(workspaceId, again, sees('this one'));
  expect(await seen()).toEqual(['this one']);
});

test('A check changes neither the version nor the item of a domain, so that no change of it fails.', async () => {
  const { workspaceId, domain, host } = await newDomain();
  const before = await store.getItem({ pk: `DOMAIN#${host}`, sk: 'DOMAIN' });
  await store.recordCheck(workspaceId, domain, sees('one'));
  expect(await store.getItem({ pk: `DOMAIN#${host}`, sk: 'DOMAIN' })).toEqual(before);
  await expect(store.updateDomain(domain, { publicQr: true }, { isExact: true })).resolves.toMatchObject({ publicQr: true });
});
