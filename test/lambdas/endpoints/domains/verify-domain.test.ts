import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { useDns } from '../../../support/http/dns.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
let dns: Awaited<ReturnType<typeof useDns>>;
beforeAll(async () => {
  store = await useStore();
  dns = await useDns();
  process.env.DOMAIN_TARGET = 'links.localhost';
});
beforeEach(() => {
  process.env.SERVED_NAMES = '*';
});
afterAll(() => dns.stop());

/** A claim whose records are all set, where `activation` says who activates domains. */
async function arrange(domain: string, activation: 'dns' | 'operator') {
  process.env.DOMAIN_ACTIVATION = activation;
  const { workspaceId } = await store.newWorkspace();
  const { token } = await store.claimDomain(workspaceId, domain);
  dns.set({
    [`_links.${domain}`]: { TXT: [`links-verification=${token}`] },
    [domain]: { CNAME: ['links.localhost'] },
  });
  return { workspaceId, token, verify: () => callEndpoint('verify-domain', { workspaceId, domain }) };
}

test('A domain whose records are set is active at once, and a repeated request changes nothing.', async () => {
  const domain = 'go.proven.example';
  const { verify } = await arrange(domain, 'dns');
  const first = await verify();
  expect(first).toMatchObject({ status: 200, body: { domain, status: 'ACTIVE', verifiedAt: expect.any(String) } });
  expect((await verify()).body).toEqual(first.body);
});

test('If the operator activates domains, the DNS only proves the ownership, and the operator makes the domain active.', async () => {
  const domain = 'go.operated.example';
  const { workspaceId, verify } = await arrange(domain, 'operator');
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

test("An unknown domain and another workspace's claim are not found, even if the claim's records are set.", async () => {
  const domain = 'go.theirs.example';
  const { verify } = await arrange(domain, 'dns');
  const { workspaceId } = await store.newWorkspace();
  for (const host of [domain, 'unknown.example.com', 'nonsense']) {
    expectProblem(await callEndpoint('verify-domain', { workspaceId, domain: host }), 404, 'not_found');
  }
  expect((await verify()).body.status).toBe('ACTIVE');
});

test('A domain that no custom domain of the stage covers stays pending and says so, until one does.', async () => {
  const domain = 'go.uncovered.example';
  const { workspaceId, verify } = await arrange(domain, 'dns');
  process.env.SERVED_NAMES = 'uncovered.example *.go.uncovered.example';
  for (const _ of ['proves it', 'changes nothing more']) {
    const response = await verify();
    expectProblem(response, 422, 'domain_check_failed');
    expect(response.body.detail).toBe(
      'Ownership is proven. No custom domain of the service covers go.uncovered.example, so visitors do not reach it; ' +
        'the operator must add one (shortDomains).',
    );
    expect(response.body.errors).toMatchObject([{ path: '', code: 'domain_not_covered' }]);
    expect((await callEndpoint('get-domain', { workspaceId, domain })).body).toMatchObject({
      status: 'PENDING_DNS',
      covered: false,
    });
  }
  process.env.SERVED_NAMES = '*.uncovered.example';
  expect(await verify()).toMatchObject({ status: 200, body: { status: 'ACTIVE', covered: true } });
});

test('A domain that neither points here nor is covered reports both problems at once.', async () => {
  const domain = 'go.neither.example';
  const { token, verify } = await arrange(domain, 'dns');
  process.env.SERVED_NAMES = 'go.example.com';
  dns.set({ [`_links.${domain}`]: { TXT: [`links-verification=${token}`] } });
  const { body } = await verify();
  expect(body.errors.map(({ code }: { code: string }) => code)).toEqual(['dns_not_pointed', 'domain_not_covered']);
});

test('If the operator activates domains, a proven domain says whether it is covered.', async () => {
  const domain = 'go.waiting.example';
  const { verify } = await arrange(domain, 'operator');
  process.env.SERVED_NAMES = 'go.example.com';
  expect(await verify()).toMatchObject({ status: 200, body: { status: 'PENDING_DNS', covered: false } });
  process.env.SERVED_NAMES = domain;
  expect(await verify()).toMatchObject({ status: 200, body: { status: 'PENDING_DNS', covered: true } });
});
