import { beforeAll, expect, test, vi } from 'vitest';
import { type Permission, permissions } from '../../../lambdas/core/key/permissions.ts';
import { permissionsOf, type Route, routes, waysTo } from '../../../lib/endpoints.ts';
import { patience } from '../../support/run/patience.ts';
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

/** A key with these permissions, the same each time. */
const keys = new Map<string, Promise<{ readonly key: string }>>();
const keyWith = async (some: readonly Permission[]) => {
  const name = some.join(' ');
  if (!keys.has(name)) keys.set(name, workspace.newKey([...some]));
  return (await keys.get(name))?.key ?? '';
};
const request = async ({ method, path }: Pick<Route, 'method' | 'path'>, some: readonly Permission[]) =>
  service.send(method, path.replace(/\{\w+\}/g, 'x'), { key: await keyWith(some), ...(method !== 'GET' && { body: {} }) });

const operations = routes.flatMap((route) => waysTo(route).map((way) => ({ ...way, needed: permissionsOf(route) })));

test.for(operations)(
  '$method $path is refused to a key that lacks one of $needed, whatever else it has.',
  async ({ needed, ...way }) => {
    for (const one of needed) {
      const others = permissions.filter((permission) => permission !== one);
      expectProblem(await request(way, others), 403, 'forbidden');
    }
  },
);

test.for(operations)('$method $path is not refused to a key that has only $needed.', async ({ needed, ...way }) => {
  expect((await request(way, needed)).status).not.toBe(403);
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

test('A key for webhooks is shown links by their deliveries, as documented, and reads none otherwise.', async () => {
  const own = await service.newWorkspace();
  const { key } = await own.newKey(['webhooks:write', 'webhooks:read']);
  const send = (method: string, path: string, body?: object) => service.send(method, `/api/v1${path}`, { key, body });
  const hook = { url: 'https://hooks.example.com/', events: ['link.created'] };
  expect((await send('POST', '/webhooks', hook)).status).toBe(201);
  const { link } = (await own.call('POST', '/links', { domain: own.domain, url: 'https://example.org/', title: 'Seen' })).body;
  await vi.waitFor(
    async () => {
      const [delivery] = (await send('GET', '/webhook-deliveries')).body.deliveries;
      const { body } = (await send('GET', `/webhook-deliveries/${delivery.id}`)).body;
      expect(JSON.parse(body).data.link).toMatchObject({ id: link.id, title: 'Seen' });
    },
    { timeout: patience, interval: 100 },
  );
  expectProblem(await send('GET', `/links/${link.id}`), 403, 'forbidden');
});
