import { beforeAll, expect, test } from 'vitest';
import { expectProblem, type Service, useService, type Workspace } from '../../support/service/service.ts';
import { unknownLink } from '../../support/things/links.ts';

// What a key reaches: the things of its own workspace, with the permissions that it has.

let service: Service;
let workspace: Workspace;
beforeAll(async () => {
  service = await useService();
  workspace = await service.newWorkspace();
});

const newLink = async (settings: object = {}) =>
  (await workspace.call('POST', '/links', { domain: workspace.domain, url: 'https://example.org/', ...settings })).body.link;

test.for([
  ['GET', undefined],
  ['PATCH', { title: 'Mine' }],
  ['DELETE', undefined],
] as const)("A %s of another workspace's link is answered as if the link did not exist.", async ([method, body]) => {
  const other = await service.newWorkspace();
  const { id } = await newLink();
  for (const one of [id, unknownLink, id.slice(0, -1), 'lookup2', '%00']) {
    expectProblem(await other.call(method, `/links/${one}`, body), 404, 'not_found');
  }
  expect((await workspace.call('GET', `/links/${id}`)).body.link.title).toBeNull();
});

test.for([
  ['GET', '/stats'],
  ['GET', '/clicks'],
  ['DELETE', '/clicks'],
  ['GET', '/history'],
  ['POST', '/history/his_1/revert'],
] as const)("A %s of %s of another workspace's link is answered as if the link did not exist.", async ([method, path]) => {
  const other = await service.newWorkspace();
  const { id } = await newLink();
  const answers = await Promise.all(
    [id, unknownLink, id.slice(0, -1), '%00', '%ff'].map((one) => other.call(method, `/links/${one}${path}`)),
  );
  for (const answer of answers) {
    expectProblem(answer, 404, 'not_found');
    expect({ ...answer.body, requestId: '' }).toEqual({ ...answers[0]?.body, requestId: '' });
  }
});

test.for([
  ['GET', undefined],
  ['PATCH', { name: 'Theirs' }],
  ['DELETE', undefined],
] as const)("A %s of another workspace's tag is answered as if the tag did not exist.", async ([method, body]) => {
  const [own, other] = [await service.newWorkspace(), await service.newWorkspace()];
  const id = await own.newTag('Mine');
  const answers = await Promise.all(
    [id, 'tag_0123456789abcdef', 'nonsense', '%00', '%ff'].map((one) => other.call(method, `/tags/${one}`, body)),
  );
  for (const answer of answers) {
    expectProblem(answer, 404, 'not_found');
    expect({ ...answer.body, requestId: '' }).toEqual({ ...answers[0]?.body, requestId: '' });
  }
  expect((await own.call('GET', `/tags/${id}`)).body.name).toBe('Mine');
});

test("Another workspace's domain or claim, an unknown one and what can't be a name are all not found.", async () => {
  const own = await service.newWorkspace();
  const host = 'claimed.acme.example';
  await workspace.call('POST', '/domains', { domain: host });
  for (const name of [host, workspace.domain, 'unknown.example.com', 'nonsense', '%00', '%ff', '127.0.0.1', 'x'.repeat(300)]) {
    for (const [method, path] of [
      ['GET', ''],
      ['DELETE', ''],
      ['POST', '/verify'],
    ] as const) {
      expectProblem(await own.call(method, `/domains/${name}${path}`), 404, 'not_found');
    }
  }
  expect((await workspace.call('GET', `/domains/${host}`)).status).toBe(200);
});

test.for([
  ['POST', '/links', 'links:read'],
  ['GET', '/links', 'links:write'],
  ['GET', '/links/lookup', 'links:write'],
  ['GET', '/links/lnk_x', 'links:write'],
  ['DELETE', '/links/lnk_x', 'links:read'],
  ['PATCH', '/links/bulk', 'links:read'],
  ['DELETE', '/links/bulk', 'links:read'],
  ['PATCH', '/tags/tag_x', 'tags:read'],
  ['GET', '/tags/tag_x/links', 'tags:read'],
  ['POST', '/domains', 'domains:read'],
  ['GET', '/domains', 'domains:write'],
  ['GET', '/domains/x.example', 'domains:write'],
  ['DELETE', '/domains/x.example', 'domains:read'],
  ['POST', '/domains/x.example/verify', 'domains:read'],
  ['GET', '/links/lnk_x/stats', 'links:read'],
  ['GET', '/links/lnk_x/clicks', 'links:read'],
  ['GET', '/links/lnk_x/clicks', 'stats:write'],
  ['DELETE', '/links/lnk_x/clicks', 'stats:read'],
  ['DELETE', '/links/lnk_x/clicks', 'links:write'],
  ['POST', '/webhooks', 'webhooks:read'],
  ['POST', '/webhooks', 'links:write'],
  ['GET', '/webhooks', 'webhooks:write'],
  ['PATCH', '/webhooks/whk_x', 'webhooks:read'],
  ['DELETE', '/webhooks/whk_x', 'webhooks:read'],
  ['POST', '/webhook-secrets', 'webhooks:read'],
  ['GET', '/webhook-secrets', 'webhooks:write'],
  ['DELETE', '/webhook-secrets/whs_x', 'webhooks:read'],
  ['GET', '/stats', 'stats:write'],
  ['GET', '/stats/top-links?day=2030-01-02', 'links:read'],
  ['GET', '/links/lnk_x/history', 'links:read'],
  ['GET', '/history', 'links:write'],
  ['POST', '/links/lnk_x/history/his_1/revert', 'links:write'],
  ['POST', '/links/lnk_x/history/his_1/revert', 'history:read'],
] as const)('%s %s is refused to a key that has only %s.', async ([method, path, permission]) => {
  const { key } = await workspace.newKey([permission]);
  const answer = await service.send(method, `/api/v1${path}`, { key, ...(method !== 'GET' && { body: {} }) });
  expectProblem(answer, 403, 'forbidden');
});

test('A key that may only write reads the links that it names by writing, as documented, and cannot look for others.', async () => {
  const { id } = await newLink({ title: 'Secret' });
  const { key } = await workspace.newKey(['links:write']);
  const send = (method: string, path: string, body?: object) => service.send(method, `/api/v1${path}`, { key, body });
  const { status, body } = await send('PATCH', `/links/${id}`, {});
  expect([status, body.link.title, body.link.hasPassword]).toEqual([200, 'Secret', false]);
  for (const path of [`/links/${id}`, '/links', `/links/lookup?domain=${body.link.domain}&slug=${body.link.shortCode}`]) {
    expectProblem(await send('GET', path), 403, 'forbidden');
  }
});
