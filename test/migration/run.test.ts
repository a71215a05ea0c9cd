import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type LinksClientOptions, linksClient } from '../../clients/typescript/client.ts';
import type { Rule } from '../../lambdas/domain/rules.ts';
import { readerOf } from '../../migration/api.ts';
import { runDry } from '../../migration/dry-run.ts';
import type { PlannedRow } from '../../migration/plan.ts';
import { runImport } from '../../migration/run.ts';
import { runs } from '../support/proof.ts';
import { type Service, useService, type Workspace } from '../support/service.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

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

type World = Required<Pick<LinksClientOptions, 'fetch' | 'wait'>>;

/** The real service, but nothing waits. */
const worldOf = (onRequest: (method: string, path: string) => void = () => {}) => {
  const world: World = {
    fetch: async (url, init) => {
      onRequest(init?.method ?? 'GET', new URL(String(url)).pathname);
      return fetch(url, init);
    },
    wait: async () => {},
  };
  return { world };
};

type More = Partial<Parameters<typeof runImport>[0] & { world: World }>;

const run = async (
  { key, domain }: Pick<Workspace, 'key' | 'domain'>,
  rows: readonly PlannedRow[],
  { world = worldOf().world, fingerprint = 'file', isStopped = () => false, onProgress = () => {} }: More = {},
) => {
  const client = linksClient({ baseUrl: service.baseUrl, apiKey: key, ...world });
  return (await runImport({ client, domain, rows, fingerprint, runId: randomUUID(), isStopped, onProgress })).results;
};

const tryOut = (
  { key, domain }: Pick<Workspace, 'key' | 'domain'>,
  rows: readonly PlannedRow[],
  { world = worldOf().world }: More = {},
) =>
  runDry({
    reader: readerOf(linksClient({ baseUrl: service.baseUrl, apiKey: key, ...world })),
    domain,
    rows,
    isStopped: () => false,
    onProgress: () => {},
  });

const listed = async ({ call }: Workspace) => (await call('GET', '/links?limit=100')).body.links;

test('An import creates links with slugs, titles and redirect types, and then sets their tags and expiry.', async () => {
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

test('A link with a start or a cap is never open without it, and what else it has is set as well.', async () => {
  const workspace = await service.newWorkspace();
  const startsAt = '2999-01-01T00:00:00.000Z';
  const rules = [{ if: { os: ['ios' as const] }, url: 'https://example.org/ios' }];
  const rows = [
    row(0, { maxClicks: 3, tags: ['News'] }),
    row(1, { startsAt, slug: undefined }),
    row(2, { expiredUrl: 'https://example.org/over', rules }),
  ];
  const open: string[] = [];
  const { world } = worldOf();
  const watching: World = {
    ...world,
    fetch: async (url, init) => {
      const answer = await world.fetch(url, init);
      for (const link of await listed(workspace)) if (link.maxClicks === null && link.startsAt === null) open.push(link.url);
      return answer;
    },
  };
  const results = await run(workspace, rows, { world: watching });
  expect(results.map(({ outcome, reason }) => [outcome, reason])).toEqual(Array(3).fill(['created', '']));
  expect(new Set(open)).toEqual(new Set(['https://example.org/2']));
  const at = async (place: number) =>
    (await listed(workspace)).find((link: { url: string }) => link.url === `https://example.org/${place}`);
  expect(await at(0)).toMatchObject({ maxClicks: 3, title: 'Title 0', redirectType: 'PERMANENT_301', tags: [{ name: 'News' }] });
  expect(await at(1)).toMatchObject({ startsAt });
  expect(await at(2)).toMatchObject({ expiredUrl: 'https://example.org/over', rules });
  expect((await run(workspace, rows)).map(({ outcome }) => outcome)).toEqual(['existing', 'created', 'existing']);
  expect(await listed(workspace)).toHaveLength(3);
});

describe('Rules that the service refuses', () => {
  const url = 'https://example.org/elsewhere';
  const refused: [string, (domain: string) => Rule[]][] = [
    ['to the short domain', (domain) => [{ if: { os: ['ios'] }, url: `https://${domain}/other` }]],
    ['with a long value', () => [{ if: { query: { a: 'x'.repeat(257) } }, url }]],
    ['of many bytes', () => Array(5).fill({ if: { os: ['ios'] }, url: `https://example.org/${'a'.repeat(2_000)}` })],
  ];

  test.for(refused)('A link with rules %s gets all else that it has, and its row says what it lacks.', async ([, of]) => {
    const workspace = await service.newWorkspace();
    const rules = of(workspace.domain);
    const settings = { expiresAt: '2999-01-02T00:00:00.000Z', expiredUrl: 'https://example.org/over', tags: ['News'], rules };
    const startsAt = '2999-01-01T00:00:00.000Z';
    const rows = [
      row(0, settings),
      row(1, { ...settings, maxClicks: 3 }),
      row(2, { ...settings, startsAt, slug: undefined }),
      row(3, { rules }),
    ];
    const leftOut = expect.stringMatching(/^its rules were left out: \/rules/);
    const results = await run(workspace, rows);
    expect(results.map(({ outcome, reason }) => [outcome, reason])).toEqual(Array(4).fill(['created', leftOut]));
    const links = await listed(workspace);
    const at = (place: number) => links.find((link: { url: string }) => link.url === `https://example.org/${place}`);
    const { expiresAt, expiredUrl } = settings;
    const all = { expiresAt, expiredUrl, rules: [], tags: [{ name: 'News' }] };
    expect([at(0), at(1), at(2)]).toMatchObject([
      { ...all, maxClicks: null, startsAt: null },
      { ...all, maxClicks: 3 },
      { ...all, startsAt },
    ]);
    const again = await run(workspace, rows);
    expect(again.map(({ outcome, reason }) => [outcome, reason])).toEqual(
      ['existing', 'existing', 'created', 'existing'].map((outcome) => [outcome, leftOut]),
    );
    expect(await listed(workspace)).toHaveLength(4);
  });

  test('A link that an earlier run created without them gets them if they are accepted by now, and stays one link.', async () => {
    const workspace = await service.newWorkspace();
    // Some stages do not know countries.
    const rules = [{ if: { country: ['DE'] }, url }];
    const rows = [row(0, { maxClicks: 3, rules }), row(1, { maxClicks: 3, rules, slug: undefined })];
    const { world } = worldOf();
    const refusing: World = {
      ...world,
      fetch: async (input, init) =>
        String(init?.body).includes('"rules"')
          ? Response.json(
              { code: 'validation_failed', detail: 'No.', errors: [{ path: '/rules/0/if/country' }] },
              { status: 422 },
            )
          : world.fetch(input, init),
    };
    expect((await run(workspace, rows, { world: refusing })).map(({ reason }) => reason)).toEqual(
      Array(2).fill('its rules were left out: No.'),
    );
    expect((await run(workspace, rows)).map(({ reason }) => reason)).toEqual(['', '']);
    expect(await listed(workspace)).toMatchObject([{ rules }, { rules }]);
  });

  test('If something else is refused as well, nothing is set, and the row says so.', async () => {
    const workspace = await service.newWorkspace();
    const own = `https://${workspace.domain}/other`;
    const rules = [{ if: { os: ['ios' as const] }, url: own }];
    const results = await run(workspace, [row(0, { expiredUrl: own, rules }), row(1, { expiredUrl: own, rules, maxClicks: 3 })]);
    expect(results).toMatchObject([
      { outcome: 'refused', reason: expect.stringMatching(/^it exists, but its tags and settings were not set: \/expiredUrl/) },
      { outcome: 'refused', reason: expect.stringMatching(/^\/expiredUrl/) },
    ]);
    expect(await listed(workspace)).toMatchObject([{ expiredUrl: null, rules: [] }]);
  });
});

test('A slug that another link had first stays reserved, and a link without a slug is found by its id whatever its slug is.', async () => {
  const workspace = await service.newWorkspace();
  const rows = [row(0), row(1, { maxClicks: 3 }), row(2, { slug: undefined, maxClicks: 3, tags: ['News'] })];
  await run(workspace, rows);
  for (const { id, shortCode } of await listed(workspace)) {
    await workspace.call('PATCH', `/links/${id}`, { customSlug: `other-${shortCode}`, tagIds: [] });
    await workspace.call('DELETE', `/links/${id}/aliases/${shortCode}`);
  }
  expect((await run(workspace, rows)).map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['refused', 'the slug is reserved by another link'],
    ['refused', 'the slug is reserved by another link'],
    ['created', ''],
  ]);
  const links = await listed(workspace);
  expect(links).toHaveLength(3);
  expect(links.find((link: { url: string }) => link.url === row(2).source.url).tags).toMatchObject([{ name: 'News' }]);
});

test('The results say for each row if it exists already, is refused by the service, or has a slug that another link has.', async () => {
  const workspace = await service.newWorkspace();
  await workspace.call('POST', '/links', { domain: workspace.domain, url: 'https://example.org/0', customSlug: 'SLUG-0' });
  await workspace.call('POST', '/links', {
    domain: workspace.domain,
    url: 'https://elsewhere.example.com/',
    customSlug: 'slug-1',
  });
  const results = await run(workspace, [
    row(0, { tags: ['Late'] }),
    row(1),
    row(2, { url: `https://${workspace.domain}/x` }),
    { ...row(3), link: undefined, reason: 'no' } as never,
  ]);
  expect(results.map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['existing', ''],
    ['refused', 'slug is taken by a link to https://elsewhere.example.com/'],
    ['refused', expect.stringContaining('short domain')],
    ['refused', 'no'],
  ]);
  const [first] = (await workspace.call('GET', `/links/lookup?domain=${workspace.domain}&slug=slug-0`)).body.link.tags;
  expect(first).toMatchObject({ name: 'Late' });
});

test('Importing the same file again creates links that were deleted since, and reports all others as existing.', async () => {
  const workspace = await service.newWorkspace();
  const rows = [row(0), row(1)];
  expect((await run(workspace, rows)).map(({ outcome }) => outcome)).toEqual(['created', 'created']);
  const { id } = (await workspace.call('GET', `/links/lookup?domain=${workspace.domain}&slug=slug-0`)).body.link;
  await workspace.call('DELETE', `/links/${id}`);
  expect((await run(workspace, rows)).map(({ outcome }) => outcome)).toEqual(['created', 'existing']);
  expect((await listed(workspace)).map(({ url }: { url: string }) => url)).toEqual([row(0).source.url, row(1).source.url]);
});

test('Importing the same file again makes no second link of a row without a slug.', async () => {
  const workspace = await service.newWorkspace();
  const rows = [row(0, { slug: undefined })];
  const first = await run(workspace, rows);
  expect(await run(workspace, rows)).toEqual(first);
  expect(await listed(workspace)).toHaveLength(1);
});

test('A dry run only reads, and says what would happen.', async () => {
  const workspace = await service.newWorkspace();
  await workspace.call('POST', '/links', { domain: workspace.domain, url: 'https://example.org/0', customSlug: 'slug-0' });
  await workspace.call('POST', '/links', {
    domain: workspace.domain,
    url: 'https://elsewhere.example.com/',
    customSlug: 'slug-1',
  });
  const methods = new Set<string>();
  const { world } = worldOf((method) => methods.add(method));
  const rows = [row(0), row(1), row(2, { tags: ['New'] }), row(3, { slug: undefined })];
  const { results } = await tryOut(workspace, rows, { world });
  expect(results.map(({ outcome }) => outcome)).toEqual(['existing', 'refused', 'would_create', 'would_create']);
  expect([...methods]).toEqual(['GET']);
  expect(await listed(workspace)).toHaveLength(2);
  expect((await workspace.call('GET', '/tags')).body.tags).toEqual([]);
});

test('A dry run reports a domain that the workspace does not own, if its key may list domains.', async () => {
  const workspace = await service.newWorkspace();
  const other = await service.newWorkspace();
  const claimed = 'claimed.example.org';
  await workspace.call('POST', '/domains', { domain: claimed });
  const said = async (domain: string, key = workspace.key) => (await tryOut({ key, domain }, [row(0)])).failure?.message;
  expect(await said(workspace.domain)).toBeUndefined();
  for (const domain of [other.domain, claimed, 'nobody.example.org']) {
    expect(await said(domain)).toBe(`the workspace has not proven that it owns the domain ${domain}`);
  }
  expect(await said(claimed, (await workspace.newKey(['links:read'])).key)).toBeUndefined();
});

test('An import that is stopped at any request and repeated has every link once, with its tags and correct counts.', async () => {
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
      // Without the idempotency key of the earlier attempts, as on the next day.
      const results = await run(workspace, rows, { fingerprint: 'another' });
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
    { numRuns: runs(2) },
  );
});

test('Wherever an import stops, its results are true: no link that it has made is reported as not reached.', async () => {
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 14 }), fc.boolean(), async (stop, breaks) => {
      const workspace = await service.newWorkspace();
      const rows = Array.from({ length: 6 }, (_, index) => row(index, { tags: [`T${index % 2}`] }));
      let requests = 0;
      const { world } = worldOf(() => {
        // Either somebody stops it, or the network fails.
        if (++requests > stop && breaks) throw new Error('the network is gone');
      });
      const results = await run(workspace, rows, { world, isStopped: () => !breaks && requests >= stop });
      const links = await listed(workspace);
      const isThere = (url: string) => links.some((link: { url: string }) => link.url === url);
      expect(results.map(({ row: { source }, outcome }) => [source.url, outcome === 'created'])).toEqual(
        rows.map(({ source }) => [source.url, isThere(source.url)]),
      );
      for (const { outcome, reason, shortUrl } of results.filter((one) => one.outcome === 'created')) {
        const link = links.find((one: { shortUrl: string }) => one.shortUrl === shortUrl);
        expect([outcome, reason]).toEqual(['created', link.tags.length === 1 ? '' : 'its tags and settings are not set yet']);
      }
    }),
    { numRuns: runs(2) },
  );
});

test('Importing again keeps what was done since to links without slugs.', async () => {
  const workspace = await service.newWorkspace();
  const rows = [row(0, { slug: undefined, tags: ['News'] })];
  await run(workspace, rows);
  const own = await workspace.newTag('Own');
  for (const { id, tags } of await listed(workspace)) {
    await workspace.call('PATCH', `/links/${id}`, { tagIds: [...tags.map((tag: { id: string }) => tag.id), own] });
  }
  await run(workspace, rows);
  const [link, ...others] = await listed(workspace);
  expect(others).toEqual([]);
  expect(link.tags.map(({ name }: { name: string }) => name)).toEqual(['News', 'Own']);
  await workspace.call('DELETE', `/links/${link.id}`);
  expect(await run(workspace, rows)).toMatchObject([
    { outcome: 'refused', reason: 'an earlier run created it, and it has been deleted since' },
  ]);
});

test('The results say which link has no room for all of its tags.', async () => {
  const workspace = await service.newWorkspace();
  const names = (prefix: string, length: number) => Array.from({ length }, (_, index) => `${prefix}${index}`);
  await run(workspace, [row(0, { tags: names('a', 15) })]);
  const [result] = await run(workspace, [row(0, { tags: names('b', 8) })]);
  expect(result).toMatchObject({ outcome: 'existing', reason: '3 of its tags were left out: a link has at most 20' });
  expect((await listed(workspace))[0].tags).toHaveLength(20);
});

test('Identical rows without slugs become one link each, in however many requests.', async () => {
  const keys: string[] = [];
  const world: World = {
    fetch: async (_, init) => {
      const { links } = JSON.parse(String(init?.body));
      keys.push(new Headers(init?.headers).get('Idempotency-Key') ?? '');
      return new Response(JSON.stringify({ failed: [], links: links.map(() => ({ tags: [], shortUrl: '' })) }));
    },
    wait: async () => {},
  };
  const same = Array.from({ length: 2_000 }, () => row(0, { slug: undefined }));
  await run({ key: 'key', domain: 'go.example.com' }, same, { world });
  expect(new Set(keys).size).toBe(2);
});

test('An import whose response could be too large is sent in parts.', async () => {
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
    wait: async () => {},
  };
  const results = await run(
    { key: 'key', domain: 'go.example.com' },
    Array.from({ length: 7 }, (_, index) => row(index)),
    { world },
  );
  expect(sizes).toEqual([7, 4, 2, 2, 3, 2, 1]);
  expect(results.map(({ shortUrl, row: { source } }) => shortUrl === source.url)).toEqual(Array.from({ length: 7 }, () => true));
});
