import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { clientOf, type World } from '../../migration/api.ts';
import type { PlannedRow } from '../../migration/plan.ts';
import { countsOf, reportOf, tableOf } from '../../migration/report.ts';
import { runImport } from '../../migration/run.ts';
import { type Service, useService, type Workspace } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});
afterAll(() => service.stop());

const row = (index: number, more: Partial<NonNullable<PlannedRow['link']>> = {}): PlannedRow => ({
  line: index + 2,
  source: { slug: `slug-${index}`, url: `https://example.org/${index}`, createdAt: '2020-01-01', clicks: '5' },
  link: {
    line: index + 2,
    url: `https://example.org/${index}`,
    slug: `slug-${index}`,
    title: `Title ${index}`,
    redirectType: 'PERMANENT_301',
    tags: [],
    expiresAt: undefined,
    ...more,
  },
  notes: [],
});

/** The real service, and no waiting: a pause is noted. */
const worldOf = (onRequest: (method: string, path: string) => void = () => {}) => {
  const pauses: [number, string][] = [];
  const world: World = {
    fetch: async (url, init) => {
      onRequest(init?.method ?? 'GET', new URL(String(url)).pathname);
      return fetch(url, init);
    },
    pause: async (seconds, reason) => void pauses.push([seconds, reason]),
  };
  return { world, pauses };
};

const run = async (
  { key, domain }: Pick<Workspace, 'key' | 'domain'>,
  rows: readonly PlannedRow[],
  {
    world = worldOf().world,
    dryRun = false,
    isStopped = () => false,
    onProgress = () => {},
  }: Partial<Parameters<typeof runImport>[0] & { world: World }> = {},
) =>
  (
    await runImport({
      client: clientOf(service.baseUrl, key, world),
      domain,
      rows,
      dryRun,
      fingerprint: 'file',
      runId: randomUUID(),
      isStopped,
      onProgress,
    })
  ).results;

const listed = async ({ call }: Workspace) => (await call('GET', '/links?limit=100')).body.links;

test('brings links with slugs, titles and redirect types, and their tags and expiry after that', async () => {
  const workspace = await service.newWorkspace();
  const expiresAt = '2031-01-01T00:00:00.000Z';
  await workspace.newTag('News');
  const rows = [row(0, { tags: ['news', 'Press'] }), row(1, { expiresAt }), row(2, { slug: undefined })];
  const progress: number[] = [];
  const results = await run(workspace, rows, { onProgress: (done) => void progress.push(done) });
  expect(results.map(({ outcome }) => outcome)).toEqual(['created', 'created', 'created']);
  expect(progress.at(-1)).toBe(3);
  const links = await listed(workspace);
  const at = (url: string) => links.find((link: { url: string }) => link.url === url);
  expect(at('https://example.org/0')).toMatchObject({
    shortCode: 'slug-0',
    title: 'Title 0',
    redirectType: 'PERMANENT_301',
    tags: [{ name: 'News' }, { name: 'Press' }],
  });
  expect(at('https://example.org/1')).toMatchObject({ shortCode: 'slug-1', expiresAt });
  expect(results.map(({ shortUrl }) => shortUrl)).toEqual(rows.map((one) => at(one.source.url).shortUrl));
});

test('says of each row whether it is there already, refused by the service, or taken by another link', async () => {
  const workspace = await service.newWorkspace();
  await workspace.call('POST', '/links', { domain: workspace.domain, url: 'https://example.org/0', customSlug: 'SLUG-0' });
  await workspace.call('POST', '/links', { domain: workspace.domain, url: 'https://elsewhere.example/', customSlug: 'slug-1' });
  const results = await run(workspace, [
    row(0, { tags: ['Late'] }),
    row(1),
    row(2, { url: `https://${workspace.domain}/x` }),
    { ...row(3), link: undefined, reason: 'no' } as never,
  ]);
  expect(results.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['existing', ''],
    ['refused', 'slug is taken by a link to https://elsewhere.example/'],
    ['refused', expect.stringContaining('short domain')],
    ['refused', 'no'],
  ]);
  const [first] = (await workspace.call('GET', `/links/lookup?domain=${workspace.domain}&slug=slug-0`)).body.link.tags;
  expect(first).toMatchObject({ name: 'Late' });
});

test('the same file again says what is there now: what was deleted since is made, and all else is existing', async () => {
  const workspace = await service.newWorkspace();
  const rows = [row(0), row(1)];
  expect((await run(workspace, rows)).map(({ outcome }) => outcome)).toEqual(['created', 'created']);
  const { id } = (await workspace.call('GET', `/links/lookup?domain=${workspace.domain}&slug=slug-0`)).body.link;
  await workspace.call('DELETE', `/links/${id}`);
  expect((await run(workspace, rows)).map(({ outcome }) => outcome)).toEqual(['created', 'existing']);
  expect((await listed(workspace)).map(({ url }: { url: string }) => url)).toEqual([row(0).source.url, row(1).source.url]);
});

test('the same file again makes no second link of a row without a slug', async () => {
  const workspace = await service.newWorkspace();
  const rows = [row(0, { slug: undefined })];
  const first = await run(workspace, rows);
  expect(await run(workspace, rows)).toEqual(first);
  expect(await listed(workspace)).toHaveLength(1);
});

test('a dry run reads, writes nothing, and says what would happen', async () => {
  const workspace = await service.newWorkspace();
  await workspace.call('POST', '/links', { domain: workspace.domain, url: 'https://example.org/0', customSlug: 'slug-0' });
  await workspace.call('POST', '/links', { domain: workspace.domain, url: 'https://elsewhere.example/', customSlug: 'slug-1' });
  const methods = new Set<string>();
  const { world } = worldOf((method) => methods.add(method));
  const rows = [row(0), row(1), row(2, { tags: ['New'] }), row(3, { slug: undefined })];
  const results = await run(workspace, rows, { world, dryRun: true });
  expect(results.map(({ outcome }) => outcome)).toEqual(['existing', 'refused', 'would_create', 'would_create']);
  expect([...methods]).toEqual(['GET']);
  expect(await listed(workspace)).toHaveLength(2);
  expect((await workspace.call('GET', '/tags')).body.tags).toEqual([]);
});

test('can be stopped at any request, and done again: every link is there once, with its tags, and every count is right', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 14 }), { minLength: 1, maxLength: 2 }), async (stops) => {
      const workspace = await service.newWorkspace();
      const rows = Array.from({ length: 8 }, (_, index) =>
        row(index, { tags: ['A', `T${index % 3}`], expiresAt: '2031-01-01T00:00:00.000Z' }),
      );
      for (const stop of stops) {
        let requests = 0;
        const { world } = worldOf(() => void requests++);
        await run(workspace, rows, { world, isStopped: () => requests >= stop });
      }
      // Without the key of the attempts before, as on the next day.
      const { results } = await runImport({
        client: clientOf(service.baseUrl, workspace.key, worldOf().world),
        domain: workspace.domain,
        rows,
        dryRun: false,
        fingerprint: 'another',
        runId: randomUUID(),
        isStopped: () => false,
        onProgress: () => {},
      });
      expect(results.every(({ outcome }) => ['created', 'existing'].includes(outcome))).toBe(true);
      const links = await listed(workspace);
      expect(links.map(({ shortCode }: { shortCode: string }) => shortCode).sort()).toEqual(
        rows.map(({ source }) => source.slug).sort(),
      );
      for (const link of links) expect([link.tags.length, link.expiresAt]).toEqual([2, '2031-01-01T00:00:00.000Z']);
      const { tags } = (await workspace.call('GET', '/tags')).body;
      expect(tags.map(({ name, _count }: { name: string; _count: { links: number } }) => [name, _count.links])).toEqual([
        ['A', 8],
        ['T0', 3],
        ['T1', 3],
        ['T2', 2],
      ]);
    }),
    { numRuns: 12 },
  );
});

describe('a client', () => {
  const clientWith = (answers: (Response | Error)[]) => {
    const pauses: [number, string][] = [];
    const world: World = {
      fetch: async () => {
        const answer = answers.shift() ?? new Response('{"tags":[]}');
        if (answer instanceof Error) throw answer;
        return answer;
      },
      pause: async (seconds, reason) => void pauses.push([seconds, reason]),
    };
    return { client: clientOf('http://api.example', 'key', world), pauses };
  };
  const problem = (status: number, code: string, headers: Record<string, string> = {}) =>
    new Response(JSON.stringify({ code, detail: `It is ${code}.` }), { status, headers });

  test('waits as it is told for the limit, however often, and for failures that pass', async () => {
    const limits = Array.from({ length: 20 }, () => problem(429, 'rate_limited', { 'Retry-After': '60' }));
    const { client, pauses } = clientWith([
      ...limits,
      problem(503, 'temporarily_unavailable', { 'Retry-After': '1' }),
      new Error('reset'),
      problem(409, 'idempotency_in_progress', { 'Retry-After': '3' }),
    ]);
    expect(await client.listTags()).toEqual([]);
    expect(pauses.map(([seconds]) => seconds).slice(0, 21)).toEqual([...Array.from({ length: 20 }, () => 60), 1]);
    expect(pauses).toHaveLength(23);
  });

  test('gives up what does not pass, in the words of the service and without the key', async () => {
    const { client } = clientWith([problem(403, 'forbidden')]);
    await expect(client.listTags()).rejects.toMatchObject({ status: 403, code: 'forbidden', message: 'It is forbidden.' });
    const dead = clientWith(Array.from({ length: 10 }, () => new Error('refused')));
    await expect(dead.client.listTags()).rejects.toThrow('http://api.example does not answer: refused');
    const broken = clientWith([new Response('<h1>Bad gateway</h1>', { status: 502 })]);
    await expect(broken.client.listTags()).rejects.toMatchObject({ status: 502, code: 'unknown' });
  });
});

test('an import whose answer could be too large is sent in parts', async () => {
  const sizes: number[] = [];
  const world: World = {
    fetch: async (_, init) => {
      const { links } = JSON.parse(String(init?.body));
      sizes.push(links.length);
      if (links.length > 2) return new Response('{"code":"answer_too_large","detail":"Send less."}', { status: 422 });
      return new Response(
        JSON.stringify({ failed: [], links: links.map(({ url }: { url: string }) => ({ url, tags: [], shortUrl: url })) }),
      );
    },
    pause: async () => {},
  };
  const results = await run(
    { key: 'key', domain: 'go.example.com' },
    Array.from({ length: 7 }, (_, index) => row(index)),
    { world },
  );
  expect(sizes).toEqual([7, 4, 2, 2, 3, 2, 1]);
  expect(results.map(({ shortUrl, row: { source } }) => shortUrl === source.url)).toEqual(Array.from({ length: 7 }, () => true));
});

describe('a report', () => {
  const results = (reason: string) => [
    { row: row(0), outcome: 'created', reason: '', shortUrl: 'https://go.example.com/slug-0' } as const,
    { row: { ...row(1), notes: ['a note'] }, outcome: 'refused', reason, shortUrl: '' } as const,
  ];

  test('has every row with what its service said of it, and no cell that a spreadsheet would run', () => {
    for (const start of ['=', '+', '-', '@', '\t', '\r']) {
      const lines = reportOf(results(`${start}cmd|' /C calc'!A0, "x"`));
      expect(lines).toContain(`"'${start}cmd|' /C calc'!A0, ""x"""`);
    }
    expect(reportOf(results('no')).split('\r\n')[1]).toBe(
      '2,slug-0,https://example.org/0,created,,,https://go.example.com/slug-0,2020-01-01,5',
    );
  });

  test('on the screen names what was refused, and commands no terminal', () => {
    const table = tableOf(results('\u001b[31mred\u202e'));
    expect(table).toMatch(/^created +1$/m);
    expect(table).toMatch(/^refused +1$/m);
    expect(table).toContain('line 3: slug-1: ?[31mred?');
    expect(countsOf(results('no'))).toEqual({ created: 1, would_create: 0, existing: 0, refused: 1, not_reached: 0 });
  });
});
