import { afterAll, beforeAll, expect, test } from 'vitest';
import { useDns } from '../../support/dns.ts';
import { callEndpoint } from '../../support/invoke.ts';
import { type Store, useStore } from '../../support/store.ts';

let store: Store;
let dns: Awaited<ReturnType<typeof useDns>>;
beforeAll(async () => {
  store = await useStore();
  dns = await useDns();
  Object.assign(process.env, { DOMAIN_TARGET: 'links.localhost', DOMAIN_ACTIVATION: 'operator' });
});
afterAll(() => dns.stop());

test('where the operator activates domains, the DNS proves one and does not make it serve: the operator does', async () => {
  const { workspaceId } = await store.newWorkspace();
  const domain = 'go.operated.example';
  const { token } = await store.claimDomain(workspaceId, domain);
  dns.set({
    [`_links.${domain}`]: { TXT: [`links-verification=${token}`] },
    [domain]: { CNAME: ['links.localhost'] },
  });
  const verify = () => callEndpoint('verify-domain', { workspaceId, domain });
  for (const _ of ['proves it', 'changes nothing more']) {
    expect(await verify()).toMatchObject({
      status: 200,
      body: { domain, status: 'PENDING_DNS', verifiedAt: expect.any(String) },
    });
  }
  const proven = await store.getDomain(domain);
  expect(await store.addDomain(workspaceId, domain, 'ACTIVE')).toEqual({ ...proven, status: 'ACTIVE' });
  expect(await verify()).toMatchObject({ status: 200, body: { status: 'ACTIVE' } });
});
