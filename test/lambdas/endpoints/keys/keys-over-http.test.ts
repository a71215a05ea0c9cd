import { beforeAll, expect, test, vi } from 'vitest';
import { patience } from '../../../support/run/patience.ts';
import { expectProblem, type Service, useService } from '../../../support/service/service.ts';

// Keys over HTTP, through the gateway and its authorizer, with the history and the logs.

let service: Service;
beforeAll(async () => {
  service = await useService();
});

/** Sends requests with a key. */
const as = (key: string) => (method: string, path: string, body?: object) =>
  service.send(method, `/api/v1${path}`, { key, ...(body !== undefined && { body }) });

test('A key that was created over the API works, with its permissions and no others, until it is revoked.', async () => {
  const { call } = await service.newWorkspace();
  const { key, id } = (await call('POST', '/keys', { name: 'Reader', permissions: ['tags:read'] })).body;
  const send = as(key);
  expect((await send('GET', '/tags')).status).toBe(200);
  expectProblem(await send('GET', '/links'), 403, 'forbidden');
  expect((await send('GET', '/me')).body.key).toMatchObject({ id, name: 'Reader', permissions: ['tags:read'] });
  expect((await call('GET', '/me')).body.limits.keys).toEqual({ limit: 200, remaining: 198 });
  const { key: unused, id: other } = (await call('POST', '/keys', { permissions: ['tags:read'] })).body;
  expect((await call('DELETE', `/keys/${other}`)).status).toBe(204);
  expectProblem(await as(unused)('GET', '/tags'), 401, 'unauthorized');
});

test('While the gateway still accepts a revoked key, requests that write keys are refused, and others pass.', async () => {
  const { call } = await service.newWorkspace();
  const manager = (await call('POST', '/keys', { permissions: ['keys:write', 'keys:read', 'tags:read'] })).body;
  const { id: target } = (await call('POST', '/keys', { permissions: ['tags:read'] })).body;
  const send = as(manager.key);
  expect((await send('GET', '/tags')).status).toBe(200);
  expect((await call('DELETE', `/keys/${manager.id}`)).status).toBe(204);
  expect((await send('GET', '/tags')).status).toBe(200);
  const refused = [
    await send('POST', '/keys', {}),
    await send('PATCH', `/keys/${target}`, { name: 'Mine' }),
    await send('POST', `/keys/${target}/rotate`, {}),
    await send('DELETE', `/keys/${target}`),
    await send('DELETE', `/keys/${manager.id}`),
  ];
  for (const answer of refused) expectProblem(answer, 401, 'unauthorized');
  expect((await call('GET', `/keys/${target}`)).body).toMatchObject({ name: null, revokedAt: null, replacedBy: null });
});

test('The history names the key that created, changed, rotated and revoked others, with their permissions before and after.', async () => {
  const { call } = await service.newWorkspace();
  const { id: owner } = (await call('GET', '/me')).body.key;
  const made = (await call('POST', '/keys', { name: 'CI', permissions: ['tags:read', 'tags:write'] })).body;
  await call('PATCH', `/keys/${made.id}`, { permissions: ['tags:read'] });
  const rotated = (await call('POST', `/keys/${made.id}/rotate`, { overlapSeconds: 0 })).body;
  await call('DELETE', `/keys/${made.id}`);
  const entries = await vi.waitFor(
    async () => {
      const { body } = await call('GET', `/history?actor=${owner}`);
      expect(body.entries).toHaveLength(5);
      return body.entries as { action: string; subject: { id: string }; changes: object; requestId: string }[];
    },
    { timeout: patience, interval: 100 },
  );
  const of = (id: string) => entries.filter(({ subject }) => subject.id === id).map(({ action, changes }) => [action, changes]);
  expect(of(made.id).toReversed()).toEqual([
    ['key.created', { name: { from: null, to: 'CI' }, permissions: { from: null, to: ['tags:read', 'tags:write'] } }],
    ['key.updated', { permissions: { from: ['tags:read', 'tags:write'], to: ['tags:read'] } }],
    ['key.updated', { expiresAt: { from: null, to: expect.any(String) }, replacedBy: { from: null, to: rotated.id } }],
    ['key.revoked', { revokedAt: { from: null, to: expect.any(String) } }],
  ]);
  expect(of(rotated.id)).toEqual([
    [
      'key.created',
      { name: { from: null, to: 'CI' }, permissions: { from: null, to: ['tags:read'] }, replaces: { from: null, to: made.id } },
    ],
  ]);
  // Both keys of the rotation were written by one request.
  const requests = entries.filter(({ changes }) => 'replaces' in changes || 'replacedBy' in changes).map((one) => one.requestId);
  expect([requests.length, new Set(requests).size]).toEqual([2, 1]);
  const everything = [JSON.stringify(entries), ...service.logged()].join('\n');
  for (const { key } of [made, rotated]) expect(everything).not.toContain(key.slice(3));
});
