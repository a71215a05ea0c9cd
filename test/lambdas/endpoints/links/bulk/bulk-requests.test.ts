import { beforeAll, describe, expect, test } from 'vitest';
import { longestLinkName } from '../../../../../lambdas/core/link/link-name.ts';
import { type Answer, expectProblem, type Service, useService, type Workspace } from '../../../../support/service/service.ts';
import { createLinks, notFoundAt, unknownLink } from '../../../../support/things/links.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

describe.for(['PATCH', 'DELETE'])('%s /links/bulk', (method) => {
  const send = ({ call }: Workspace, ids: unknown, more: object = method === 'PATCH' ? { fields: { title: 'New' } } : {}) =>
    call(method, '/links/bulk', { ids, ...more });
  const done = ({ body }: Answer) => body[method === 'PATCH' ? 'updated' : 'deleted'];

  test("Only an id that is unknown, malformed or another workspace's fails, and a repeated id counts once, at its first index.", async () => {
    const workspace = await service.newWorkspace();
    const [own, other] = await createLinks(workspace, 2);
    const strangers = await service.newWorkspace();
    const [theirs = ''] = await createLinks(strangers, 1);
    const long = `lnk_${'x'.repeat(1_000)}`;
    const ids = [unknownLink, own, theirs, own, '', unknownLink, '__proto__', other, long, '\u0000'];
    const response = await send(workspace, ids);
    expect([response.status, done(response)]).toEqual([200, 2]);
    expect(response.body.failed).toEqual([
      notFoundAt(0, unknownLink),
      notFoundAt(2, theirs),
      notFoundAt(4, ''),
      notFoundAt(6, '__proto__'),
      notFoundAt(8, long.slice(0, longestLinkName)),
      notFoundAt(9, '\u0000'),
    ]);
    // All get the same answer, which does not reveal which ones exist.
    expect(new Set(response.body.failed.map(({ message }: { message: string }) => message)).size).toBe(1);
    expect((await strangers.call('GET', `/links/${theirs}`)).body.link.title).toBeNull();
  });

  test('A request may have 1,000 ids.', async () => {
    const workspace = await service.newWorkspace();
    const { body } = await workspace.importLinks(Array.from({ length: 1_000 }, () => ({ url: 'https://example.org/' })));
    let left: string[] = body.links.map(({ id }: { id: string }) => id);
    let count = 0;
    // On a busy machine, some may not be done in time. A client retries those.
    for (let attempt = 0; attempt < 2 && left.length > 0; attempt++) {
      const response = await send(workspace, left);
      expect(response.status).toBe(200);
      const failed: { id: string; code: string }[] = response.body.failed;
      expect(new Set(failed.map(({ code }) => code)).difference(new Set(['temporarily_unavailable']))).toEqual(new Set());
      count += done(response);
      left = failed.map(({ id }) => id);
    }
    expect([count, left]).toEqual([1_000, []]);
  });

  test.for([
    ['no ids', undefined, '/ids', 'required'],
    ['null instead of ids', null, '/ids', 'null_not_allowed'],
    ['an empty list of ids', [], '/ids', 'too_few'],
    ['1,001 ids', Array(1_001).fill(unknownLink), '/ids', 'too_many'],
    ['a text instead of ids', unknownLink, '/ids', 'invalid_type'],
    ['a number among the ids', [unknownLink, 1], '/ids/1', 'invalid_type'],
    ['null among the ids', [null], '/ids/0', 'null_not_allowed'],
  ] as const)('A request with %s is refused.', async ([, ids, path, code]) => {
    const response = await send(await service.newWorkspace(), ids);
    expectProblem(response, 422, 'validation_failed');
    expect(response.body.errors).toMatchObject([{ path, code }]);
  });

  test('A key that may not write links is refused.', async () => {
    const { newKey } = await service.newWorkspace();
    const { key } = await newKey(['links:read', 'tags:write']);
    expectProblem(await service.send(method, '/api/v1/links/bulk', { key, body: { ids: [unknownLink] } }), 403, 'forbidden');
  });
});

describe('The limits of bulk requests', () => {
  const windowSeconds = 60;
  const changes: [string, (workspace: Workspace) => Promise<Answer>][] = [
    ['PATCH /links/bulk', ({ call }) => call('PATCH', '/links/bulk', { ids: [unknownLink], fields: {} })],
    ['DELETE /links/bulk', ({ call }) => call('DELETE', '/links/bulk', { ids: [unknownLink] })],
    ['POST /links/bulk-delete', ({ call }) => call('POST', '/links/bulk-delete', { ids: [unknownLink] })],
  ];

  test('Of 40 updates and deletions at once, exactly 30 pass, and all imports still do.', async () => {
    const workspace = await service.newWorkspace();
    const sent = Array.from({ length: 40 }, (_, index) => changes[index % changes.length]?.[1](workspace) as Promise<Answer>);
    const answers = await Promise.all(sent);
    const passed = answers.filter(({ status }) => status === 200);
    expect(passed).toHaveLength(30);
    for (const { headers } of passed) {
      expect(headers.get('RateLimit')).toMatch(/^"bulk-changes";r=\d+;t=\d+$/);
      expect(headers.get('RateLimit-Policy')).toBe(`"bulk-changes";q=30;w=${windowSeconds}`);
    }
    for (const refused of answers.filter(({ status }) => status !== 200)) {
      expectProblem(refused, 429, 'rate_limited');
      expect(refused.headers.get('Retry-After')).toBe(String(windowSeconds));
    }
    for (const [what, send] of changes) expect([what, (await send(workspace)).status]).toEqual([what, 429]);
    const imports = await Promise.all(Array.from({ length: 4 }, () => workspace.importLinks([{ url: 'https://example.org/' }])));
    expect(imports.map(({ status }) => status).sort()).toEqual([200, 200, 200, 429]);
  });

  test('After three imports the next one is refused, while updates and deletions still pass.', async () => {
    const workspace = await service.newWorkspace();
    for (const left of [2, 1, 0]) {
      const { status, headers } = await workspace.importLinks([{ url: 'https://example.org/' }]);
      expect(status).toBe(200);
      expect(headers.get('RateLimit')).toMatch(new RegExp(`^"bulk";r=${left};t=\\d+$`));
      expect(headers.get('RateLimit-Policy')).toBe(`"bulk";q=3;w=${windowSeconds}`);
    }
    const refused = await workspace.importLinks([{ url: 'https://example.org/' }]);
    expectProblem(refused, 429, 'rate_limited');
    expect(refused.headers.get('Retry-After')).toBe(String(windowSeconds));
    for (const [what, send] of changes) expect([what, (await send(workspace)).status]).toEqual([what, 200]);
  });

  test('A request whose body is refused counts, and one without permission does not.', async () => {
    const workspace = await service.newWorkspace();
    const { key } = await workspace.newKey(['links:read']);
    const path = '/api/v1/links/bulk';
    expectProblem(await service.send('POST', path, { key, body: { links: [] } }), 403, 'forbidden');
    for (const _ of [1, 2, 3]) {
      const refused = await workspace.call('POST', '/links/bulk', '{');
      expectProblem(refused, 400, 'invalid_json');
      expect(refused.headers.get('RateLimit')).toMatch(/^"bulk"/);
    }
    expectProblem(await workspace.importLinks([{ url: 'https://example.org/' }]), 429, 'rate_limited');
  });
});

test('A bulk deletion without a body, or with a merge patch, is refused for its type.', async () => {
  const { call, key } = await service.newWorkspace();
  expectProblem(await call('DELETE', '/links/bulk'), 415, 'unsupported_media_type');
  const headers = { 'Content-Type': 'application/merge-patch+json' };
  const response = await service.send('DELETE', '/api/v1/links/bulk', { key, headers, body: '{}' });
  expectProblem(response, 415, 'unsupported_media_type');
});

test('POST /links/bulk-delete deletes links as DELETE /links/bulk does.', async () => {
  const workspace = await service.newWorkspace();
  const [id = ''] = await createLinks(workspace, 1);
  const { status, body } = await workspace.call('POST', '/links/bulk-delete', { ids: [id, unknownLink] });
  expect([status, body]).toEqual([200, { deleted: 1, failed: [notFoundAt(1, unknownLink)] }]);
  expectProblem(await workspace.call('GET', `/links/${id}`), 404, 'not_found');
});
