import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { readerOf } from '../../../clients/migration/api.ts';
import { batchesOf } from '../../../clients/migration/batches.ts';
import { runDry } from '../../../clients/migration/dry-run.ts';
import type { PlannedRow } from '../../../clients/migration/planned.ts';
import type { Result } from '../../../clients/migration/results.ts';
import { runImport } from '../../../clients/migration/run.ts';
import { type LinksClientOptions, linksClient } from '../../../clients/typescript/client.ts';
import type { Rule } from '../../../lambdas/core/link/rules.ts';
import { runs } from '../../support/run/proof.ts';
import { type Service, useService, type Workspace } from '../../support/service/service.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

const row = (index: number, more: Partial<NonNullable<PlannedRow['link']>> = {}): PlannedRow => ({
  line: index + 2,
  source: { slug: `slug-${index}`, url: `https://example.org/${index}`, createdAt: '2020-01-01', clicks: '5' },
  link: {
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

/** The real service, without waits. */
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

const tryOut = async (
  { key, domain }: Pick<Workspace, 'key' | 'domain'>,
  rows: readonly PlannedRow[],
  { world = worldOf().world }: More = {},
) => {
  const results: Result[] = [];
  const failure = await runDry({
    reader: readerOf(linksClient({ baseUrl: service.baseUrl, apiKey: key, ...world })),
    domain,
    batches: batchesOf(rows),
    isStopped: () => false,
    onProgress: () => {},
    onResults: (more) => void results.push(...more),
  });
  return { results: results.sort((one, other) => one.row.line - other.row.line), failure };
};

const listed = async ({ call }: Workspace) => (await call('GET', '/links?limit=100')).body.links;

test('An import creates links with their slugs, titles, redirect types, tags and expiry.', async () => {
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

test('No link ever exists without its tags, start, expiry, cap and rules.', async () => {
  const workspace = await service.newWorkspace();
  const rules = [{ if: { os: ['ios' as const] }, url: 'https://example.org/ios' }];
  const rows = [
    row(0, { maxClicks: 3, tags: ['News'] }),
    row(1, { startsAt: '2998-01-01T00:00:00.000Z', expiresAt: '2999-01-01T00:00:00.000Z' }),
    row(2, { expiredUrl: 'https://example.org/over', rules }),
  ];
  const wanted = [
    { maxClicks: 3, title: 'Title 0', redirectType: 'PERMANENT_301', tags: [{ name: 'News' }] },
    { startsAt: '2998-01-01T00:00:00.000Z', expiresAt: '2999-01-01T00:00:00.000Z' },
    { expiredUrl: 'https://example.org/over', rules },
  ];
  const seen: number[] = [];
  const { world } = worldOf();
  const watching: World = {
    ...world,
    fetch: async (url, init) => {
      const answer = await world.fetch(url, init);
      const links = await listed(workspace);
      for (const link of links) expect(link).toMatchObject(wanted[Number(link.url.at(-1))] ?? {});
      seen.push(links.length);
      return answer;
    },
  };
  const results = await run(workspace, rows, { world: watching });
  expect(results.map(({ outcome, reason }) => [outcome, reason])).toEqual(Array(3).fill(['created', '']));
  expect(seen.at(-1)).toBe(3);
  expect((await run(workspace, rows)).map(({ outcome, reason }) => [outcome, reason])).toEqual(Array(3).fill(['existing', '']));
  expect(await listed(workspace)).toHaveLength(3);
});

describe('Rules that the service refuses', () => {
  const url = 'https://example.org/elsewhere';
  const refused: [string, (domain: string) => Rule[]][] = [
    ['to the short domain', (domain) => [{ if: { os: ['ios'] }, url: `https://${domain}/other` }]],
    ['with a long value', () => [{ if: { query: { a: 'x'.repeat(257) } }, url }]],
    ['of many bytes', () => Array(5).fill({ if: { os: ['ios'] }, url: `https://example.org/${'a'.repeat(2_000)}` })],
  ];

  test.for(refused)('A link with rules %s gets everything except them, and its row says so.', async ([, of]) => {
    const workspace = await service.newWorkspace();
    const rules = of(workspace.domain);
    const settings = { expiresAt: '2999-01-02T00:00:00.000Z', expiredUrl: 'https://example.org/over', maxClicks: 3 };
    const rows = [row(0, { ...settings, tags: ['News'], rules }), row(1), row(2, { rules })];
    const results = await run(workspace, rows);
    const leftOut = expect.stringMatching(/^its rules were left out: \/rules/);
    expect(results.map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['created', leftOut],
      ['created', ''],
      ['created', leftOut],
    ]);
    const links = await listed(workspace);
    expect(links).toHaveLength(3);
    const link = links.find(({ url }: { url: string }) => url === 'https://example.org/0');
    expect(link).toMatchObject({ ...settings, rules: [], tags: [{ name: 'News' }] });
  });

  test('A link that exists without the rules stays as it is, and its row says so.', async () => {
    const workspace = await service.newWorkspace();
    const { domain } = workspace;
    const create = (index: number) =>
      workspace.call('POST', '/links', { domain, url: `https://example.org/${index}`, customSlug: `slug-${index}` });
    for (const index of [0, 1]) await create(index);
    const same = { title: undefined, redirectType: 'TEMPORARY_302' } as const;
    const rows = [
      row(0, { ...same, rules: [{ if: { os: ['ios'] }, url: `https://${domain}/other` }] }),
      row(1, { ...same, rules: [{ if: { os: ['ios'] }, url }] }),
    ];
    expect((await run(workspace, rows)).map(({ outcome, reason }) => [outcome, reason])).toEqual([
      ['existing', expect.stringMatching(/^its rules were left out: \/rules/)],
      ['existing', 'it stays as it was, and differs in: rules'],
    ]);
    expect(await listed(workspace)).toMatchObject([{ rules: [] }, { rules: [] }]);
  });

  test('Each run sends links without slugs with the same keys, both with and without their rules.', async () => {
    const keys: (string | null)[] = [];
    const world: World = {
      fetch: async (_, init) => {
        const { links } = JSON.parse(String(init?.body));
        keys.push(new Headers(init?.headers).get('Idempotency-Key'));
        const isRefused = links[0].rules !== undefined;
        const failed = isRefused ? [{ index: 0, code: 'countries_unknown', message: '/rules/0/if/country no' }] : [];
        return Response.json({ failed, links: isRefused ? [] : [{ shortCode: 'x', aliases: [], shortUrl: '' }] });
      },
      wait: async () => {},
    };
    const rows = [row(0, { slug: undefined, rules: [{ if: { country: ['DE'] }, url }] })];
    for (let time = 0; time < 2; time++) {
      const results = await run({ key: 'key', domain: 'go.example.com' }, rows, { world });
      expect(results).toMatchObject([{ outcome: 'created', reason: 'its rules were left out: /rules/0/if/country no' }]);
    }
    expect([keys.length, new Set(keys).size]).toEqual([4, 2]);
    expect(keys.slice(0, 2)).toEqual(keys.slice(2));
  });

  test('If something besides the rules is refused, no link is created.', async () => {
    const workspace = await service.newWorkspace();
    const own = `https://${workspace.domain}/other`;
    const rules = [{ if: { os: ['ios' as const] }, url: own }];
    const results = await run(workspace, [row(0, { expiredUrl: own, rules })]);
    expect(results).toMatchObject([{ outcome: 'refused', reason: expect.stringMatching(/^\/expiredUrl/) }]);
    expect(await listed(workspace)).toEqual([]);
  });
});

test('A slug that another link had first stays reserved.', async () => {
  const workspace = await service.newWorkspace();
  const rows = [row(0), row(1, { maxClicks: 3 })];
  await run(workspace, rows);
  for (const { id, shortCode } of await listed(workspace)) {
    await workspace.call('PATCH', `/links/${id}`, { customSlug: `other-${shortCode}` });
    await workspace.call('DELETE', `/links/${id}/aliases/${shortCode}`);
  }
  expect((await run(workspace, rows)).map(({ outcome, reason }) => [outcome, reason])).toEqual(
    Array(2).fill(['refused', 'the slug is reserved by another link']),
  );
  expect(await listed(workspace)).toHaveLength(2);
});

test('A link whose external id belongs to another link is refused.', async () => {
  const workspace = await service.newWorkspace();
  const other = `other.${workspace.domain}`;
  await service.addDomain(workspace.id, other, 'ACTIVE');
  const { body } = await workspace.call('POST', '/links', { domain: other, url: 'https://example.org/0', externalId: 'x:0' });
  await workspace.call('POST', '/links', { domain: workspace.domain, url: 'https://example.org/', externalId: 'x:1' });
  const rows = [0, 1].map((index) => row(index, { slug: undefined, own: { externalId: `x:${index}` } }));
  expect((await run(workspace, rows)).map(({ outcome, reason }) => [outcome, reason])).toEqual([
    ['refused', `its external id belongs to ${body.link.shortUrl}`],
    ['refused', 'its external id is taken by a link to https://example.org/'],
  ]);
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
    ['existing', 'it stays as it was, and differs in: title, redirectType, tags'],
    ['refused', 'slug is taken by a link to https://elsewhere.example.com/'],
    ['refused', expect.stringContaining('short domain')],
    ['refused', 'no'],
  ]);
  const { link } = (await workspace.call('GET', `/links/lookup?domain=${workspace.domain}&slug=slug-0`)).body;
  expect(link).toMatchObject({ title: null, redirectType: 'TEMPORARY_302', tags: [] });
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
      // With another idempotency key, as on the next day.
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

test('Wherever an import ends, its results are correct, and the next run creates exactly the missing links.', async () => {
  const ways = fc.constantFrom('stopped', 'network fails', 'response is lost');
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 1, max: 5 }), ways, async (end, way) => {
      const workspace = await service.newWorkspace();
      const rows = Array.from({ length: 6 }, (_, index) => row(index, { tags: [`T${index % 2}`] }));
      let requests = 0;
      const { world } = worldOf();
      const ending: World = {
        ...world,
        fetch: async (url, init) => {
          const isOver = ++requests >= end && way !== 'stopped';
          // The first attempt reaches the service, and its response is lost. Further attempts fail.
          if (!isOver || (way === 'response is lost' && requests === end)) {
            const response = await world.fetch(url, init);
            if (!isOver) return response;
          }
          throw new Error('the network is gone');
        },
      };
      const results = await run(workspace, rows, { world: ending, isStopped: () => way === 'stopped' && requests >= end });
      const there = new Set((await listed(workspace)).map(({ url }: { url: string }) => url));
      for (const {
        row: { source },
        outcome,
        reason,
      } of results) {
        if (outcome === 'created') expect([there.has(source.url), reason]).toEqual([true, '']);
        else if (there.has(source.url)) expect(reason).toBe('the service has not answered the request, so the link may exist');
        else expect(outcome).toBe('not_reached');
      }
      const again = await run(workspace, rows);
      expect(again.map(({ row: { source }, outcome, reason }) => [source.url, outcome, reason])).toEqual(
        rows.map(({ source }) => [source.url, there.has(source.url) ? 'existing' : 'created', '']),
      );
      const links = await listed(workspace);
      expect(links.map(({ url, tags }: { url: string; tags: unknown[] }) => [url, tags.length]).sort()).toEqual(
        rows.map(({ source }) => [source.url, 1]),
      );
    }),
    { numRuns: runs(4), examples: [[4, 'response is lost']] },
  );
});

test('If the response of a bulk request is lost, the same request is sent again, and the links are reported as created.', async () => {
  const workspace = await service.newWorkspace();
  const { world } = worldOf();
  let lost = 0;
  const losing: World = {
    ...world,
    fetch: async (url, init) => {
      const response = await world.fetch(url, init);
      if (lost++ === 0) throw new Error('the connection broke');
      return response;
    },
  };
  const results = await run(workspace, [row(0), row(1)], { world: losing });
  expect(results.map(({ outcome }) => outcome)).toEqual(['created', 'created']);
  expect(await listed(workspace)).toHaveLength(2);
});

test('Importing again keeps later changes of links, and does not recreate a deleted link without a slug.', async () => {
  const workspace = await service.newWorkspace();
  const rows = [row(0, { slug: undefined, tags: ['News'] })];
  await run(workspace, rows);
  const own = await workspace.newTag('Own');
  const [{ id }] = await listed(workspace);
  await workspace.call('PATCH', `/links/${id}`, { tagIds: [own] });
  await run(workspace, rows);
  expect(await listed(workspace)).toMatchObject([{ tags: [{ name: 'Own' }] }]);
  await workspace.call('DELETE', `/links/${id}`);
  expect(await run(workspace, rows)).toMatchObject([{ outcome: 'created' }]);
  expect(await listed(workspace)).toEqual([]);
});

test('Identical rows without slugs become one link each, however many requests they need.', async () => {
  const keys: string[] = [];
  const world: World = {
    fetch: async (_, init) => {
      const { links } = JSON.parse(String(init?.body));
      keys.push(new Headers(init?.headers).get('Idempotency-Key') ?? '');
      return new Response(
        JSON.stringify({ failed: [], links: links.map(() => ({ shortCode: 'x', aliases: [], shortUrl: '' })) }),
      );
    },
    wait: async () => {},
  };
  const same = Array.from({ length: 2_000 }, () => row(0, { slug: undefined }));
  await run({ key: 'key', domain: 'go.example.com' }, same, { world });
  expect(new Set(keys).size).toBe(2);
});

test.for([
  ['whose response could be too large', { code: 'answer_too_large' }],
  ['with too many hosts', { code: 'validation_failed', errors: [{ path: '/links', code: 'too_many' }] }],
])('An import %s is sent in parts.', async ([, problem]) => {
  const sizes: number[] = [];
  const world: World = {
    fetch: async (_, init) => {
      const { links } = JSON.parse(String(init?.body));
      sizes.push(links.length);
      if (links.length > 2) return Response.json({ ...(problem as object), detail: 'Send less.' }, { status: 422 });
      return new Response(
        JSON.stringify({
          failed: [],
          links: links.map(({ url }: { url: string }) => ({ url, shortCode: 'x', aliases: [], shortUrl: url })),
        }),
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
