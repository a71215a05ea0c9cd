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

async function arrange() {
  const { workspaceId, domain } = await store.newWorkspace();
  const call = (name: string, host = domain.host) => callEndpoint(name, { workspaceId, domain: host });
  const createLink = () =>
    callEndpoint('create-link', { workspaceId, body: { domain: domain.host, url: 'https://example.org/' } });
  return { workspaceId, host: domain.host, call, createLink };
}

test('A domain with links on it cannot be deleted, and one without links is given up.', async () => {
  const { workspaceId, call, createLink } = await arrange();
  const { id } = (await createLink()).body.link;
  expectProblem(await call('delete-domain'), 409, 'domain_in_use');
  expect((await call('get-domain')).status).toBe(200);
  await callEndpoint('delete-link', { workspaceId, id });
  expect(await call('delete-domain')).toMatchObject({ status: 204, body: undefined });
  expectProblem(await call('get-domain'), 404, 'not_found');
  expectProblem(await call('delete-domain'), 404, 'not_found');
  expectProblem(await createLink(), 422, 'domain_not_verified');
});

test('A domain claim can be withdrawn.', async () => {
  const { workspaceId, call } = await arrange();
  const host = 'claimed.acme.example';
  await store.claimDomain(workspaceId, host);
  expect((await call('get-domain', host)).status).toBe(200);
  expect((await call('delete-domain', host)).status).toBe(204);
  expectProblem(await call('get-domain', host), 404, 'not_found');
});

test("An unknown domain and another workspace's domain or claim are not found, and the other workspace keeps both.", async () => {
  const [own, other] = [await arrange(), await arrange()];
  const claimed = 'theirs.acme.example';
  await store.claimDomain(other.workspaceId, claimed);
  for (const host of ['unknown.example.com', other.host, claimed, 'nonsense']) {
    expectProblem(await own.call('delete-domain', host), 404, 'not_found');
  }
  for (const host of [other.host, claimed]) expect((await other.call('get-domain', host)).status).toBe(200);
});
