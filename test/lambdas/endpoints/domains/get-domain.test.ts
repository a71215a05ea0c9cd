import { beforeAll, expect, test } from 'vitest';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
  process.env.DOMAIN_TARGET = 'links.localhost';
  process.env.SERVED_NAMES = '*';
});

test('A domain claim is returned as it was created, with the records to set.', async () => {
  const { workspaceId } = await store.newWorkspace();
  const domain = 'claimed.acme.example';
  const { body } = await callEndpoint('create-domain', { workspaceId, body: { domain } });
  expect(body).toMatchObject({ domain, status: 'PENDING_OWNERSHIP', records: [{ type: 'TXT' }, { type: 'CNAME' }] });
  expect(await callEndpoint('get-domain', { workspaceId, domain })).toMatchObject({ status: 200, body });
});

test('A domain is found in any spelling of its name.', async () => {
  const { workspaceId, domain } = await store.newWorkspace();
  for (const spelling of [domain.host, `${domain.host.toUpperCase()}.`, domain.host.replace('.', '%2E')]) {
    expect(await callEndpoint('get-domain', { workspaceId, domain: spelling })).toMatchObject({
      status: 200,
      body: { domain: domain.host, status: 'ACTIVE' },
    });
  }
});

test("An unknown domain, another workspace's domain or claim, and an invalid name are all not found.", async () => {
  const [own, other] = [await store.newWorkspace(), await store.newWorkspace()];
  await store.claimDomain(other.workspaceId, 'theirs.acme.example');
  for (const domain of ['unknown.example.com', other.domain.host, 'theirs.acme.example', 'nonsense', '\0', '127.0.0.1']) {
    expectProblem(await callEndpoint('get-domain', { workspaceId: own.workspaceId, domain }), 404, 'not_found');
  }
});
