import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
  process.env.DOMAIN_TARGET = 'links.localhost';
  process.env.SERVED_NAMES = '*';
});

test('All domains and claims of the workspace are listed by name, each as get-domain returns it, but without its files.', async () => {
  const { workspaceId, domain } = await store.newWorkspace();
  for (const host of ['b.acme.example', 'a.acme.example']) await store.claimDomain(workspaceId, host);
  const { status, body } = await callEndpoint('list-domains', { workspaceId });
  expect(status).toBe(200);
  expect(Object.keys(body)).toEqual(['domains', 'nextCursor']);
  expect(body.domains.map(({ domain, status }: { domain: string; status: string }) => [domain, status])).toEqual([
    ['a.acme.example', 'PENDING_OWNERSHIP'],
    ['b.acme.example', 'PENDING_OWNERSHIP'],
    [domain.host, 'ACTIVE'],
  ]);
  for (const one of body.domains) {
    expect((await callEndpoint('get-domain', { workspaceId, domain: one.domain })).body).toEqual({
      ...one,
      appleAppSiteAssociation: null,
      assetLinks: null,
    });
  }
});

test("A workspace without domains has an empty list, whatever another workspace's domains are.", async () => {
  await store.newWorkspace();
  const { id: workspaceId } = await store.createWorkspace('Empty', async () => 'gateway-empty');
  expect(await callEndpoint('list-domains', { workspaceId })).toMatchObject({
    status: 200,
    body: { domains: [], nextCursor: null },
  });
});
