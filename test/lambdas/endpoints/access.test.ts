import { beforeAll, expect, test, vi } from 'vitest';
import { type Permission, permissions } from '../../../lambdas/core/key/permissions.ts';
import { permissionsOf, type Route, routes, waysTo } from '../../../lib/endpoints.ts';
import { rawRequest } from '../../support/http/raw-request.ts';
import { patience } from '../../support/run/patience.ts';
import { someOf } from '../../support/run/proof.ts';
import { expectProblem, type Service, useService, type Workspace } from '../../support/service/service.ts';

// The operations that a key's permissions allow. tenants.test.ts tests which things it reaches.

let service: Service;
let workspace: Workspace;
beforeAll(async () => {
  service = await useService();
  workspace = await service.newWorkspace();
});

const newLink = async (settings: object = {}) =>
  (await workspace.call('POST', '/links', { domain: workspace.domain, url: 'https://example.org/', ...settings })).body.link;

/** One key for each set of permissions. */
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

// Only a member's key can leave the workspace.
const ofKeys = operations.filter(({ path }) => !path.endsWith('/members/me'));

test.for(ofKeys)('$method $path is not refused to a key that has only $needed.', async ({ needed, ...way }) => {
  expect((await request(way, needed)).status).not.toBe(403);
});

/** Sends a request exactly as it is written; `fetch` would normalise it. @returns the status */
async function statusOf(method: string, path: string, headers: readonly string[] = []): Promise<number> {
  const lines = [`${method} ${path} HTTP/1.1`, 'Host: localhost', 'Content-Length: 0', ...headers];
  const answer = await rawRequest(Number(new URL(service.baseUrl).port), lines);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}
const asPath = (path: string) => path.replace(/\{\w+\}/g, 'x');

/** Spellings of a path that some server may take for the path itself. */
const spellings: readonly ((path: string) => string)[] = [
  (path) => `${path}/`,
  (path) => `${path}//`,
  (path) => `/${path}`,
  (path) => path.replaceAll('/', '//'),
  (path) => path.replace('/v1/', '/v1/./'),
  (path) => path.replace('/v1/', '/v1/x/../'),
  (path) => path.replace('/v1/', '/v1/%2e%2e/v1/'),
  (path) => path.replace('/v1/', '/v1%2f'),
  (path) => path.replace('/v1/', '/v1\\'),
  (path) => path.replace('/api/', '/API/'),
  (path) => path.replace('/api/', '/%61pi/'),
  (path) => path.replace('/v1/', '/v1;x=y/'),
  (path) => `${path};x=y`,
  (path) => `${path}%20`,
  (path) => `${path}%00`,
  (path) => `${path}?key=${workspace.key}&access_token=${workspace.key}`,
  (path) => `http://localhost${path}`,
];

test.for(operations)('$method $path needs a key with $needed, however the path is written.', async ({ method, path, needed }) => {
  const lacking = await keyWith(permissions.filter((permission) => !needed.includes(permission)));
  const others = someOf(spellings, `${method} ${path}`, 3).map((spelling) => spelling(asPath(path)));
  const tried = [asPath(path), ...others].map(async (written) => {
    expect([401, 404], written).toContain(await statusOf(method, written));

    if (needed.length) {
      expect([403, 404], written).toContain(await statusOf(method, written, [`Authorization: Bearer ${lacking}`]));
    }
  });
  await Promise.all(tried);
});

test.for([...new Set(operations.map(({ path }) => path))])(
  '%s answers no other methods than the documented ones.',
  async (path) => {
    const known: readonly string[] = operations.filter((operation) => operation.path === path).map(({ method }) => method);
    const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];
    for (const method of methods.filter((one) => !known.includes(one))) {
      expect(await statusOf(method, asPath(path), [`Authorization: Bearer ${workspace.key}`]), method).toBe(404);
    }
  },
);

test.for([
  ['GET', ['links:read']],
  ['PATCH', ['links:write']],
] as const)('A %s deletes nothing, whatever method its headers, query or body ask for.', async ([method, granted]) => {
  const { id } = await newLink();
  const { key } = await workspace.newKey(granted);
  const names = ['X-HTTP-Method-Override', 'X-HTTP-Method', 'X-Method-Override', 'X-Original-Method'];
  const headers = Object.fromEntries(names.map((name) => [name, 'DELETE']));
  const send = (query: string, body: object) =>
    service.send(method, `/api/v1/links/${id}${query}`, { key, headers, ...(method === 'PATCH' && { body }) });
  expect((await send('', {})).status).toBe(200);
  expect((await send('?_method=DELETE', { _method: 'DELETE' })).status).toBe(422);
  expect((await workspace.call('GET', `/links/${id}`)).status).toBe(200);
});

test.for<[string, (key: string) => readonly string[]]>([
  ['behind another scheme', (key) => [`Authorization: Basic ${btoa(`${key}:`)}`]],
  ['without a scheme', (key) => [`Authorization: ${key}`]],
  ['twice in a header', (key) => [`Authorization: Bearer ${key}, Bearer ${key}`]],
  ['in the header for keys of the gateway', (key) => [`X-Api-Key: ${key}`]],
  ['in a cookie', (key) => [`Cookie: key=${key}; Authorization=Bearer ${key}`]],
  ['in headers for proxies', (key) => [`Proxy-Authorization: Bearer ${key}`, `X-Forwarded-Authorization: Bearer ${key}`]],
])('A key %s gives no access.', async ([, headersWith]) => {
  expect(await statusOf('GET', '/api/v1/me', headersWith(workspace.key))).toBe(401);
  expect(await statusOf('GET', '/api/v1/me', [`Authorization: Bearer ${workspace.key}`])).toBe(200);
});

test('The gateway key of a workspace, which counts its requests, gives no access.', async () => {
  const key = workspace.gatewayKey;
  expect(await statusOf('GET', '/api/v1/me', [`X-Api-Key: ${key}`, `Authorization: Bearer ${key}`])).toBe(401);
});

test('A key that may only write links gets a link in the response to its change, as documented, and cannot read or find others.', async () => {
  const { id } = await newLink({ title: 'Secret' });
  const { key } = await workspace.newKey(['links:write']);
  const send = (method: string, path: string, body?: object) => service.send(method, `/api/v1${path}`, { key, body });
  const { status, body } = await send('PATCH', `/links/${id}`, {});
  expect([status, body.link.title, body.link.hasPassword]).toEqual([200, 'Secret', false]);
  for (const path of [`/links/${id}`, '/links', `/links/lookup?domain=${body.link.domain}&slug=${body.link.shortCode}`]) {
    expectProblem(await send('GET', path), 403, 'forbidden');
  }
});

test('A key for webhooks sees links only in deliveries, as documented.', async () => {
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
