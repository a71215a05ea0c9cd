import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { newApiKey } from '../../../lambdas/domain/api-key.ts';
import { type Permission, permissions } from '../../../lambdas/domain/permissions.ts';
import { routes } from '../../../lib/endpoints.ts';
import { loadTemplate } from '../../../local/template/template.ts';
import { contextWith } from '../../support/invoke.ts';
import { expectProblem, type Service, useService, type Workspace } from '../../support/service.ts';

let service: Service;
let workspace: Workspace;
beforeAll(async () => {
  service = await useService();
  workspace = await service.newWorkspace();
});
afterAll(() => service.stop());

const withHeader = (authorization: string | undefined) =>
  service.send('GET', '/api/v1/tags', { headers: authorization === undefined ? {} : { Authorization: authorization } });

describe('a request is refused with 401, a problem document and WWW-Authenticate', () => {
  const good = newApiKey();
  const lastChanged = good.slice(0, -1) + (good.endsWith('0') ? '1' : '0');
  test.for([
    ['without the header', undefined],
    ['with an empty header', ''],
    ['with another scheme', `Basic ${good}`],
    ['with a key alone', good],
    ['with a key that is too short', 'Bearer lk_short'],
    ['with more behind the key', `Bearer ${good} x`],
    ['with a wrong checksum', `Bearer ${lastChanged}`],
    ['with a key that nobody was given', `Bearer ${good}`],
    ["with another product's key", 'Bearer ghp_0123456789012345678901234567890123456'],
  ] as const)('%s', async ([, header]) => {
    const answer = await withHeader(header);
    expectProblem(answer, 401, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('with a revoked key', async () => {
    const { key, id } = await workspace.newKey();
    await service.revokeApiKey(id);
    expectProblem(await withHeader(`Bearer ${key}`), 401, 'unauthorized');
  });
});

describe('a key that expires', () => {
  test('is refused once it has, like one that nobody was given', async () => {
    const { key } = await workspace.newKey(permissions, new Date().toISOString());
    const answer = await withHeader(`Bearer ${key}`);
    expectProblem(answer, 401, 'unauthorized');
    expect(answer.headers.get('www-authenticate')).toBe('Bearer');
  });

  test('is good until then and refused from then on, though the gateway remembers it as good', async () => {
    expect((await withHeader(`Bearer ${workspace.key}`)).status).toBe(200);
    const end = Date.now() + 1_500;
    const { key } = await workspace.newKey(permissions, new Date(end).toISOString());
    for (;;) {
      const sent = Date.now();
      const answer = await withHeader(`Bearer ${key}`);
      if (answer.status === 200) {
        expect(sent).toBeLessThan(end);
        continue;
      }
      expectProblem(answer, 401, 'unauthorized');
      // The function's own answer, whose header a REST API renames.
      expect(answer.headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer');
      expect(answer.headers.has('www-authenticate')).toBe(false);
      expect(Date.now()).toBeGreaterThanOrEqual(end);
      break;
    }
  });
});

test('a use of a key is written down, and those in the minute behind it are not', async () => {
  const { key, id } = await workspace.newKey();
  const lastUsedAt = async () => (await service.listApiKeys(workspace.id)).find((one) => one.id === id)?.lastUsedAt;
  expect(await lastUsedAt()).toBeUndefined();
  // The gateway remembers a token by its spelling, so that each of these is looked up.
  let spaces = 0;
  const use = async () => expect((await withHeader(`Bearer${' '.repeat(++spaces)}${key}`)).status).toBe(200);
  // On a busy machine the first may not be written in time.
  while ((await lastUsedAt()) === undefined) await use();
  const first = await lastUsedAt();
  expect(first).toMatch(/Z$/);
  for (let times = 0; times < 5; times++) await use();
  expect(await lastUsedAt()).toBe(first);
});

test.for(['Bearer', 'bearer', 'BEARER', 'Bearer   '])('the scheme may be written %j', async (scheme) => {
  expect((await withHeader(`${scheme} ${workspace.key}`)).status).toBe(200);
});

test('a key with a wrong checksum is refused without a read', async () => {
  const { handler } = await import('../../../lambdas/authorizer/authorize.ts');
  const { client } = await import('../../../lambdas/store/table/client.ts');
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
      client,
      () => undefined,
      () => ask(key).catch((error: Error) => error.message),
    );
    expect(result).toBe('Unauthorized');
    return commands;
  };
  expect(await callsOf(`${good.slice(0, 5)}${flipped}${good.slice(6)}`)).toEqual([]);
  expect(await callsOf(good)).toEqual(['GetItemCommand']);
});

test('no key, and nothing of one but its prefix, is in the table', async () => {
  const { key, id } = await workspace.newKey();
  const { query, getItems } = await import('../../../lambdas/store/table/reads.ts');
  const keys = await Array.fromAsync(query({ gsi1pk: `WORKSPACE#${workspace.id}#KEYS` }));
  const items = JSON.stringify(await getItems(keys as never));
  expect(items).toContain(id);
  expect(items).toContain(key.slice(0, 7));
  expect(items).not.toContain(key.slice(0, 8));
  expect(service.log.join()).not.toContain(key.slice(3));
});

describe('each endpoint', () => {
  const pathOf = (path: string) => path.replace('{id}', 'unknown');

  test.for(routes.map(({ name, method, path, permission }) => ({ name, method, path, permission })))(
    '$name refuses a key that has every permission but $permission, with 403, and takes one that has it alone',
    async ({ method, path, permission }) => {
      const others: Permission[] = permissions.filter((one) => one !== permission);
      const fresh = await service.newWorkspace();
      const [without, alone] = [await fresh.newKey(others), await fresh.newKey([permission])];
      const body = method === 'GET' ? {} : { body: {} };
      expectProblem(await service.send(method, pathOf(path), { key: without.key, ...body }), 403, 'forbidden');
      expect([200, 404, 422]).toContain((await service.send(method, pathOf(path), { key: alone.key, ...body })).status);
    },
  );
});

test('a key that lacks the permission is denied what the usage plan throttles, and nothing else', async () => {
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
    for (const { method, path, throttled, permission } of routes) {
      const isDenied = patterns.some((pattern) => pattern.test(`${stage}/${method}${path}`));
      expect([method, path, isDenied]).toEqual([method, path, throttled !== undefined && permission === lacking]);
    }
  }
});

test('a workspace whose key the gateway does not know yet is told to try again', async () => {
  const { gatewayResponses } = await import('../../../local/gateway/rest/error-responses.ts');
  const answer = gatewayResponses(loadTemplate(inject('service').outdir))('INVALID_API_KEY', { requestId: 'x' });
  expect(answer).toMatchObject({ status: 503, headers: { 'Retry-After': '5' } });
  expect(JSON.parse(String(answer.body))).toMatchObject({
    code: 'temporarily_unavailable',
    detail: expect.not.stringContaining('permission'),
  });
});

test('a key that may not list takes nothing of what its workspace may', async () => {
  const fresh = await service.newWorkspace();
  const writer = await fresh.newKey(['links:write']);
  const list = (key: string) => service.send('GET', '/api/v1/links', { key });
  const refused = await Promise.all(Array.from({ length: 200 }, () => list(writer.key)));
  for (const answer of refused) expectProblem(answer, 403, 'forbidden');
  // More than the burst of lists has been asked for.
  expect((await list(fresh.key)).status).toBe(200);
});

test('a key that may not import takes nothing of what its workspace may', async () => {
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

test('a key of readers reads, and writes nothing', async () => {
  const { key } = await workspace.newKey(['links:read', 'tags:read', 'domains:read']);
  expect((await service.send('GET', '/api/v1/tags', { key })).status).toBe(200);
  expectProblem(await service.send('POST', '/api/v1/tags', { key, body: { name: 'x', color: '#000000' } }), 403, 'forbidden');
});
