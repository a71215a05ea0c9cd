import { beforeAll, describe, expect, inject, test } from 'vitest';
import { newApiKey } from '../../../lambdas/core/key/api-key.ts';
import { type Permission, permissions } from '../../../lambdas/core/key/permissions.ts';
import { routes, waysTo } from '../../../lib/endpoints.ts';
import { loadTemplate } from '../../../local/template/template.ts';
import { contextWith } from '../../support/http/invoke.ts';
import { expectProblem, type Service, useService, type Workspace } from '../../support/service/service.ts';

let service: Service;
let workspace: Workspace;
beforeAll(async () => {
  service = await useService();
  workspace = await service.newWorkspace();
});

const withHeader = (authorization: string | undefined) =>
  service.send('GET', '/api/v1/tags', { headers: authorization === undefined ? {} : { Authorization: authorization } });

describe('A request without a valid key', () => {
  const good = newApiKey();
  const lastChanged = good.slice(0, -1) + (good.endsWith('0') ? '1' : '0');
  test.for([
    ['without the header', undefined],
    ['with an empty header', ''],
    ['with another scheme', `Basic ${good}`],
    ['with a key but no scheme', good],
    ['with a key that is too short', 'Bearer lk_short'],
    ['with more text after the key', `Bearer ${good} x`],
    ['with a wrong checksum', `Bearer ${lastChanged}`],
    ['with an unknown key', `Bearer ${good}`],
    ["with another product's key", 'Bearer ghp_0123456789012345678901234567890123456'],
  ] as const)('A request %s is refused with 401, a problem document and WWW-Authenticate.', async ([, header]) => {
    const response = await withHeader(header);
    expectProblem(response, 401, 'unauthorized');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('A revoked key is refused with 401.', async () => {
    const { key, id } = await workspace.newKey();
    await service.revokeApiKey(id);
    expectProblem(await withHeader(`Bearer ${key}`), 401, 'unauthorized');
  });
});

describe('A key with an expiry', () => {
  test('An expired key is refused like an unknown one.', async () => {
    const { key } = await workspace.newKey(permissions, new Date().toISOString());
    const response = await withHeader(`Bearer ${key}`);
    expectProblem(response, 401, 'unauthorized');
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('A key is valid until it expires and refused from then on, even if the gateway has cached it as valid.', async () => {
    expect((await withHeader(`Bearer ${workspace.key}`)).status).toBe(200);
    const end = Date.now() + 1_500;
    const { key } = await workspace.newKey(permissions, new Date(end).toISOString());
    for (;;) {
      const sent = Date.now();
      const response = await withHeader(`Bearer ${key}`);
      if (response.status === 200) {
        expect(sent).toBeLessThan(end);
        continue;
      }
      expectProblem(response, 401, 'unauthorized');
      // The function's own response, whose header a REST API renames.
      expect(response.headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer');
      expect(response.headers.has('www-authenticate')).toBe(false);
      expect(Date.now()).toBeGreaterThanOrEqual(end);
      break;
    }
  });
});

test('A use of a key is recorded, and further uses within a minute are not.', async () => {
  const { key, id } = await workspace.newKey();
  const lastUsedAt = async () => (await service.listApiKeys(workspace.id)).find((one) => one.id === id)?.lastUsedAt;
  expect(await lastUsedAt()).toBeUndefined();
  // The gateway caches a token by its spelling, so each of these is looked up.
  let spaces = 0;
  const use = async () => expect((await withHeader(`Bearer${' '.repeat(++spaces)}${key}`)).status).toBe(200);
  // On a busy machine the first use may not be written in time.
  while ((await lastUsedAt()) === undefined) await use();
  const first = await lastUsedAt();
  expect(first).toMatch(/Z$/);
  for (let times = 0; times < 5; times++) await use();
  expect(await lastUsedAt()).toBe(first);
});

test.for(['Bearer', 'bearer', 'BEARER', 'Bearer   '])('The scheme may be written %j.', async (scheme) => {
  expect((await withHeader(`${scheme} ${workspace.key}`)).status).toBe(200);
});

test('A key with a wrong checksum is refused without a read.', async () => {
  const { handler } = await import('../../../lambdas/authorizer/authorize.ts');
  const { underFaults } = await import('../../support/faults/faults.ts');
  const ask = (key: string) =>
    handler(
      { type: 'TOKEN', authorizationToken: `Bearer ${key}`, methodArn: 'arn:aws:execute-api:x:1:api/stage/GET/api' },
      contextWith(20_000),
    );
  const good = newApiKey();
  const flipped = good[5] === 'a' ? 'b' : 'a';
  const callsOf = async (key: string) => {
    const { result, commands } = await underFaults(
      () => undefined,
      () => ask(key).catch((error: Error) => error.message),
    );
    expect(result).toBe('Unauthorized');
    return commands;
  };
  expect(await callsOf(`${good.slice(0, 5)}${flipped}${good.slice(6)}`)).toEqual([]);
  expect(await callsOf(good)).toEqual(['GetItem']);
});

test('The table contains only the prefix of a key, and the log no part of it.', async () => {
  const { key, id } = await workspace.newKey();
  const { query, getItems } = await import('../../../lambdas/store/table/reads.ts');
  const keys = await Array.fromAsync(query({ gsi1pk: `WORKSPACE#${workspace.id}#KEYS` }));
  const items = JSON.stringify(await getItems(keys as never));
  expect(items).toContain(id);
  expect(items).toContain(key.slice(0, 7));
  expect(items).not.toContain(key.slice(0, 8));
  expect(service.logged().join()).not.toContain(key.slice(3));
});

describe('The permission of an endpoint', () => {
  const pathOf = (path: string) => path.replace('{id}', 'unknown');

  test.for(
    routes.flatMap((route) => {
      const { permission, alsoNeeds } = route;
      return permission === 'none' ? [] : waysTo(route).map((way) => ({ permission, alsoNeeds, ...way }));
    }),
  )(
    '$method $path refuses a key that has every permission except $permission with 403, and accepts one that has only what it needs.',
    async ({ method, path, permission, alsoNeeds }) => {
      const others: Permission[] = permissions.filter((one) => one !== permission);
      const fresh = await service.newWorkspace();
      const [without, alone] = [
        await fresh.newKey(others),
        await fresh.newKey(alsoNeeds ? [permission, alsoNeeds] : [permission]),
      ];
      const body = method === 'GET' ? {} : { body: {} };
      expectProblem(await service.send(method, pathOf(path), { key: without.key, ...body }), 403, 'forbidden');
      expect([200, 201, 404, 422]).toContain((await service.send(method, pathOf(path), { key: alone.key, ...body })).status);
    },
  );
});

test('The policy of a key denies exactly those throttled endpoints for which it lacks the permission.', async () => {
  const { handler } = await import('../../../lambdas/authorizer/authorize.ts');
  const stage = 'arn:aws:execute-api:eu-central-1:111122223333:abc/dev';
  const policyOf = async (allowed: readonly Permission[]) => {
    const { key } = await workspace.newKey(allowed);
    const event = { type: 'TOKEN', authorizationToken: `Bearer ${key}`, methodArn: `${stage}/GET/api/v1/tags` } as const;
    const { policyDocument, usageIdentifierKey } = await handler(event, contextWith(20_000));
    expect(usageIdentifierKey).toEqual(expect.any(String));
    const resources = (effect: string) =>
      policyDocument.Statement.filter(({ Effect }) => Effect === effect).map((one) => String('Resource' in one && one.Resource));
    return { allows: resources('Allow'), denies: resources('Deny') };
  };
  expect(await policyOf(permissions)).toEqual({ allows: [`${stage}/*`], denies: [] });
  for (const lacking of permissions) {
    const { allows, denies } = await policyOf(permissions.filter((one) => one !== lacking));
    expect(allows).toEqual([`${stage}/*`]);
    const patterns = denies.map((resource) => new RegExp(`^${resource.replaceAll('*', '.*')}$`));
    const ways = routes.flatMap((route) => waysTo(route).map((way) => ({ ...route, ...way })));
    for (const { method, path, throttled, permission } of ways) {
      const isDenied = patterns.some((pattern) => pattern.test(`${stage}/${method}${path}`));
      expect([method, path, isDenied]).toEqual([method, path, throttled !== undefined && permission === lacking]);
    }
  }
});

test('A workspace whose key the gateway does not know yet gets a response that asks for a retry.', async () => {
  const { gatewayResponses } = await import('../../../local/gateway/rest/error-responses.ts');
  const response = gatewayResponses(loadTemplate(inject('service').outdir))('INVALID_API_KEY', { requestId: 'x' });
  expect(response).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
  expect(JSON.parse(String(response.body))).toMatchObject({
    code: 'temporarily_unavailable',
    detail: expect.not.stringContaining('permission'),
  });
});

test("A key without the permission to list does not use up its workspace's limit for lists.", async () => {
  const fresh = await service.newWorkspace();
  const writer = await fresh.newKey(['links:write']);
  const list = (key: string) => service.send('GET', '/api/v1/links', { key });
  const refused = await Promise.all(Array.from({ length: 200 }, () => list(writer.key)));
  for (const response of refused) expectProblem(response, 403, 'forbidden');
  // These requests exceed the burst limit of lists.
  expect((await list(fresh.key)).status).toBe(200);
});

test("A key without the permission to import does not use up its workspace's limit for imports.", async () => {
  const fresh = await service.newWorkspace();
  const reader = await fresh.newKey(['links:read', 'tags:write']);
  const body = { domain: fresh.domain, links: [{ url: 'https://example.org/' }] };
  for (let times = 0; times < 5; times++) {
    expectProblem(await service.send('POST', '/api/v1/links/bulk', { key: reader.key, body }), 403, 'forbidden');
  }
  const statuses = [];
  for (let times = 0; times < 4; times++) statuses.push((await fresh.importLinks(body.links)).status);
  expect(statuses).toEqual([200, 200, 200, 429]);
});

test('A key with only read permissions can read, and cannot write.', async () => {
  const { key } = await workspace.newKey(['links:read', 'tags:read', 'domains:read']);
  expect((await service.send('GET', '/api/v1/tags', { key })).status).toBe(200);
  expectProblem(await service.send('POST', '/api/v1/tags', { key, body: { name: 'x', color: '#000000' } }), 403, 'forbidden');
});
