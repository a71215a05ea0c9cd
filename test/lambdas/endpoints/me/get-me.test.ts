import { beforeAll, describe, expect, test } from 'vitest';
import { permissions } from '../../../../lambdas/core/key/permissions.ts';
import { bulkRequests } from '../../../../lambdas/core/limits.ts';
import { expectProblem, type Service, useService } from '../../../support/service/service.ts';
import { unknownLink } from '../../../support/things/links.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

const me = async (key: string) => (await service.send('GET', '/api/v1/me', { key })).body;

test("The response has the key's owner and permissions, and the limits of a workspace that has used nothing.", async () => {
  const { newKey, key } = await service.newWorkspace();
  const { body, status } = await service.send('GET', '/api/v1/me', { key });
  expect([status, body.key.permissions, body.key.expiresAt]).toEqual([200, permissions, null]);
  expect(body.limits).toMatchObject({
    bulkRequests: { limit: 3, remaining: 3, windowSeconds: 60, resetSeconds: 0 },
    bulkChanges: { limit: 30, remaining: 30, windowSeconds: 60, resetSeconds: 0 },
    metadataRequests: { limit: 30, remaining: 30, windowSeconds: 60, resetSeconds: 0 },
    framingLookUps: { limit: 1_000, remaining: 1_000, windowSeconds: 3_600, resetSeconds: 0 },
    tags: { limit: 5_000, remaining: 5_000 },
    templates: { limit: 100, remaining: 100 },
    domains: { limit: 100, remaining: 99 },
    webhooks: { limit: 20, remaining: 20 },
    linksPerBulkRequest: 1_000,
    clickDays: 1100,
    historyDays: 365,
  });
  const other = await newKey(['links:read']);
  const { workspace, key: shown } = await me(other.key);
  expect(workspace).toEqual(body.workspace);
  expect(shown).toMatchObject({ id: other.id, permissions: ['links:read'] });
});

test('A key with any single permission may send the request, and an unknown key may not.', async () => {
  const { newKey } = await service.newWorkspace();
  for (const permission of permissions) {
    const { key } = await newKey([permission]);
    expect((await me(key)).key.permissions).toEqual([permission]);
  }
  expectProblem(await service.send('GET', '/api/v1/me', { key: `lk_${'x'.repeat(36)}` }), 401, 'unauthorized');
});

test('The response subtracts used tags, templates, webhooks, domains and bulk requests; the request itself uses no slot.', async () => {
  const workspace = await service.newWorkspace();
  await workspace.newTag('One');
  await workspace.call('POST', '/templates', { name: 'One' });
  await workspace.call('POST', '/domains', { domain: 'claimed.acme.example' });
  const { body } = await workspace.call('POST', '/webhooks', { url: 'https://example.org/hook', events: ['link.created'] });
  for (let sent = 1; sent <= 3; sent++) {
    expect((await workspace.importLinks([{ url: 'https://example.org/' }])).status).toBe(200);
    if (sent < 3) await workspace.call('DELETE', '/links/bulk', { ids: [unknownLink] });
    const { bulkRequests, bulkChanges } = (await me(workspace.key)).limits;
    expect(bulkRequests).toMatchObject({ limit: 3, remaining: 3 - sent, resetSeconds: expect.any(Number) });
    expect(bulkRequests.resetSeconds).toBeGreaterThan(0);
    expect(bulkRequests.resetSeconds).toBeLessThanOrEqual(60);
    expect(bulkChanges).toMatchObject({ limit: 30, remaining: 30 - Math.min(sent, 2) });
  }
  expect((await me(workspace.key)).limits).toMatchObject({
    tags: { remaining: 4_999 },
    templates: { remaining: 99 },
    domains: { remaining: 98 },
    webhooks: { remaining: 19 },
  });
  await workspace.call('DELETE', `/webhooks/${body.id}`);
  expect((await me(workspace.key)).limits.webhooks.remaining).toBe(20);
});

describe('The rest of a limit in a window', () => {
  const now = Date.UTC(2030, 0, 1, 12, 30);

  test.for([
    ['no request is used', [0, 0, 0], { remaining: 3, resetSeconds: 0 }],
    ['one is used', [0, 0, now - 20_000], { remaining: 2, resetSeconds: 40 }],
    ['all are used', [now - 59_500, now - 20_000, now], { remaining: 0, resetSeconds: 1 }],
    ['they were used a window ago', [now - 60_000, now - 60_000, now - 60_000], { remaining: 3, resetSeconds: 0 }],
    ['one is used by a request that the gateway received later', [0, 0, now + 5_000], { remaining: 2, resetSeconds: 60 }],
  ] as const)('If %s, the response has the right rest of bulk requests.', async ([, [at1, at2, at3], left]) => {
    const { slotsLeft } = await import('../../../../lambdas/store/limits/request-limits.ts');
    expect(slotsLeft({ at1, at2, at3 }, now, bulkRequests)).toEqual({ limit: 3, windowSeconds: 60, ...left });
  });

  test('Framing checks count in the hour in which they were made.', async () => {
    const { lookUpsLeft } = await import('../../../../lambdas/store/limits/framing-limit.ts');
    const hour = now / 3_600_000 - 0.5;
    expect(lookUpsLeft({ hour, used: 990 }, now)).toMatchObject({ remaining: 10, resetSeconds: 1_800 });
    expect(lookUpsLeft({ hour: hour - 1, used: 990 }, now)).toMatchObject({ remaining: 1_000, resetSeconds: 0 });
  });
});
