import Ajv from 'ajv';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Api } from '../../../clients/links-as-code/api.ts';
import { refusalsOf } from '../../../clients/links-as-code/apply.ts';
import { countsOf } from '../../../clients/links-as-code/plan.ts';
import { ManifestError } from '../../../clients/links-as-code/read.ts';
import { planIn, savedPlan } from '../../../clients/links-as-code/saved.ts';
import { manifestSchemaText } from '../../../openapi/manifest.ts';
import { runs } from '../../support/run/proof.ts';
import { type Service, useService, type Workspace } from '../../support/service/service.ts';
import { apiTo, applied, Died, deadlyNetwork, manifestOf, planFor, type WrittenLink } from '../../support/things/manifest.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

const url = 'https://example.org/';
const at = async ({ call, domain }: Workspace, slug: string) =>
  (await call('GET', `/links/lookup?domain=${domain}&slug=${slug}`)).body.link;
const linksOf = async ({ call }: Workspace) => (await call('GET', '/links?limit=100')).body.links;

const start = async (links: readonly WrittenLink[] = [], more: Record<string, unknown> = {}) => {
  const workspace = await service.newWorkspace();
  const api = apiTo(service, workspace);
  if (links.length > 0) await applied(api, await planFor(api, manifestOf(workspace, links, more)));
  return { workspace, api };
};

/** The steps of a plan, in a few words each. */
const stepsOf = async (api: Api, text: string) =>
  (await planFor(api, text)).steps.map((step) =>
    step.action === 'create-tag'
      ? `tag ${step.name}`
      : `${step.action} ${step.slug}${step.action === 'update' ? `: ${Object.keys(step.changes).join(', ')}` : ''}`,
  );

test('An apply creates, changes, renames and deletes what the plan says, and the next plan is empty.', async () => {
  const { workspace, api } = await start(
    [
      { slug: 'kept', url },
      { slug: 'changed', url, title: 'Old', maxClicks: 5 },
      { slug: 'old', url, tags: ['News'] },
      { slug: 'gone', url },
    ],
    { tags: [{ name: 'News' }] },
  );
  const before = await at(workspace, 'old');
  await workspace.call('POST', '/links', { domain: workspace.domain, url, customSlug: 'unmanaged' });
  const text = manifestOf(
    workspace,
    [
      { slug: 'kept', url },
      { slug: 'changed', url: 'https://example.org/new', title: 'New' },
      { slug: 'new', renamedFrom: 'old', url, tags: ['news', 'Press'] },
      { slug: 'created', url, isActive: false, tags: ['press'] },
    ],
    { tags: [{ name: 'Press', color: '#123456' }] },
  );
  expect(await stepsOf(api, text)).toEqual([
    'tag Press',
    'update changed: url, title, maxClicks',
    'update new: slug, tags',
    'create created',
    'delete gone',
  ]);
  const plan = await planFor(api, text);
  // Tags come first, and deletions last.
  expect(plan.steps.map(({ level }) => level)).toEqual([0, 1, 1, 1, 2]);
  const results = await applied(api, plan);
  expect(results.map(({ outcome }) => outcome)).toEqual(Array(5).fill('done'));
  expect(await at(workspace, 'changed')).toMatchObject({ url: 'https://example.org/new', title: 'New', maxClicks: null });
  expect(await at(workspace, 'old')).toMatchObject({
    id: before.id,
    shortCode: 'new',
    aliases: ['old'],
    tags: [{ name: 'News' }, { name: 'Press' }],
  });
  expect(await at(workspace, 'created')).toMatchObject({ isActive: false, managedBy: `marketing@${workspace.domain}` });
  expect((await linksOf(workspace)).map(({ shortCode }: { shortCode: string }) => shortCode).sort()).toEqual([
    'changed',
    'created',
    'kept',
    'new',
    'unmanaged',
  ]);
  expect(await stepsOf(api, text)).toEqual([]);
});

test('A link that was renamed elsewhere gets its slug back, and settings that the manifest does not have stay.', async () => {
  const { workspace, api } = await start([{ slug: 'a', url }]);
  const { id } = await at(workspace, 'a');
  await workspace.call('PATCH', `/links/${id}`, { customSlug: 'elsewhere', isActive: false, password: 'secret', title: 'Drift' });
  const text = manifestOf(workspace, [{ slug: 'a', url }]);
  expect(await stepsOf(api, text)).toEqual(['update a: slug, title']);
  await applied(api, await planFor(api, text));
  expect(await at(workspace, 'a')).toMatchObject({ id, shortCode: 'a', title: null, isActive: false, hasPassword: true });
  expect(await stepsOf(api, text)).toEqual([]);
});

test('An external id moves to another link, also from a link that is deleted, but two links cannot swap theirs.', async () => {
  const { workspace, api } = await start([
    { slug: 'a', url, externalId: '1' },
    { slug: 'b', url, externalId: '2' },
    { slug: 'c', url, externalId: '3' },
  ]);
  const moved = manifestOf(workspace, [
    { slug: 'a', url, externalId: '2' },
    { slug: 'b', url, externalId: '3' },
    { slug: 'd', url, externalId: '1' },
  ]);
  expect((await applied(api, await planFor(api, moved))).map(({ outcome }) => outcome)).toEqual(Array(4).fill('done'));
  expect(await stepsOf(api, moved)).toEqual([]);
  const exchanged = manifestOf(workspace, [
    { slug: 'a', url, externalId: '3' },
    { slug: 'b', url, externalId: '2' },
    { slug: 'd', url, externalId: '1' },
  ]);
  await expect(planFor(api, exchanged)).rejects.toThrow('links cannot swap their externalIds in one apply');
});

describe('A refused plan names the reason and the place in the manifest', () => {
  type Case = [string, WrittenLink, string];
  const cases: Case[] = [
    ['a slug of a link that nobody manages', { slug: 'free', url }, 'free exists and is managed by nobody: adopt it first'],
    ['a slug of another owner', { slug: 'theirs', url }, 'theirs exists and is managed by sales@DOMAIN: adopt it first'],
    ['an alias of a link that nobody manages', { slug: 'alias', url }, 'alias exists and is managed by nobody: adopt it first'],
    [
      'to rename a link of another owner',
      { slug: 'new', renamedFrom: 'theirs', url },
      'theirs is managed by sales@DOMAIN: adopt it first',
    ],
    ['a rename to a slug that exists', { slug: 'ours', renamedFrom: 'former', url }, 'ours and DOMAIN/former both exist'],
    ['an external id of another link', { slug: 'new', url, externalId: 'x' }, 'another link has the externalId "x": http'],
    ['an unknown tag', { slug: 'new', url, tags: ['Nwes'] }, 'the tag "Nwes" is neither in the workspace nor in the manifest'],
  ];

  test.for(cases)('It refuses %s.', async ([, link, message]) => {
    const { workspace, api } = await start([
      { slug: 'ours', url },
      { slug: 'former', url },
    ]);
    const { call, domain } = workspace;
    const free = await call('POST', '/links', { domain, url, customSlug: 'alias' });
    await call('PATCH', `/links/${free.body.link.id}`, { customSlug: 'free' });
    await call('POST', '/links', { domain, url, customSlug: 'theirs', managedBy: `sales@${domain}`, externalId: 'x' });
    const before = await linksOf(workspace);
    const failure = await planFor(api, manifestOf(workspace, [link])).catch((error) => error);
    expect(failure).toBeInstanceOf(ManifestError);
    expect(failure.message).toContain(message.replaceAll('DOMAIN', domain));
    expect(failure.message).toMatch(/^1:\d\d+: /);
    expect(await linksOf(workspace)).toEqual(before);
  });

  test('It refuses a domain that the workspace does not own, unless the key may not ask.', async () => {
    const { workspace } = await start();
    const [read, ask] = [
      (await workspace.newKey(['links:read', 'tags:read'])).key,
      (await workspace.newKey(['links:read', 'tags:read', 'domains:read'])).key,
    ];
    const text = manifestOf({ domain: 'go.example.org' }, [{ slug: 'a', url }]);
    await expect(planFor(apiTo(service, { key: ask }), text)).rejects.toThrow(
      '1:31: the workspace has not proven that it owns the domain go.example.org',
    );
    expect(await stepsOf(apiTo(service, { key: read }), text)).toEqual(['create a']);
  });

  test('It refuses to rename a link with the most aliases that a link may have.', async () => {
    const { workspace, api } = await start([{ slug: 'a-0', url }]);
    const { id } = await at(workspace, 'a-0');
    for (let count = 1; count <= 10; count++) await workspace.call('PATCH', `/links/${id}`, { customSlug: `a-${count}` });
    await expect(planFor(api, manifestOf(workspace, [{ slug: 'b', renamedFrom: 'a-10', url }]))).rejects.toThrow(
      'has 10 aliases: remove one before you rename it',
    );
    expect(await stepsOf(api, manifestOf(workspace, [{ slug: 'a-3', url }]))).toEqual(['update a-3: slug']);
  });

  test('It refuses two entries for one link.', async () => {
    const { workspace, api } = await start([{ slug: 'a', url }]);
    await applied(api, await planFor(api, manifestOf(workspace, [{ slug: 'b', renamedFrom: 'a', url }])));
    const both = manifestOf(workspace, [
      { slug: 'a', url },
      { slug: 'b', url },
    ]);
    await expect(planFor(api, both)).rejects.toThrow(`a leads to the same link as ${workspace.domain}/b`);
  });

  test('It refuses to manage a link on another domain.', async () => {
    const { workspace, api } = await start();
    const other = `other.${workspace.domain}`;
    await service.addDomain(workspace.id, other, 'ACTIVE');
    await workspace.call('POST', '/links', { domain: other, url, customSlug: 'a', managedBy: `marketing@${workspace.domain}` });
    await expect(planFor(api, manifestOf(workspace, []))).rejects.toThrow('is on another domain: clear its managedBy first');
  });
});

describe('A change between a plan and its apply is never overwritten', () => {
  const id = async (workspace: Workspace) => (await at(workspace, 'a')).id;
  const patch = async (workspace: Workspace, body: object) => workspace.call('PATCH', `/links/${await id(workspace)}`, body);
  const remove = async (workspace: Workspace) => workspace.call('DELETE', `/links/${await id(workspace)}`);
  const create = ({ call, domain }: Workspace, more: object) => call('POST', '/links', { domain, url: `${url}theirs`, ...more });
  type Case = [string, string, (workspace: Workspace) => Promise<unknown>, string];
  const edit = (workspace: Workspace) => patch(workspace, { title: 'Theirs' });
  const take = (workspace: Workspace) => patch(workspace, { managedBy: `sales@${workspace.domain}` });
  const replace = async (workspace: Workspace) => [await remove(workspace), await create(workspace, { customSlug: 'a' })];
  const cases: Case[] = [
    ['update', 'edits it', edit, 'somebody has changed the link since the plan: title'],
    ['delete', 'edits it', edit, 'somebody has changed the link since the plan: title'],
    ['update', 'protects it', (workspace) => patch(workspace, { password: 'x' }), 'since the plan: hasPassword'],
    ['delete', 'switches it off', (workspace) => patch(workspace, { isActive: false }), 'since the plan: isActive'],
    ['update', 'renames it', (workspace) => patch(workspace, { customSlug: 'b' }), 'since the plan: slug'],
    ['update', 'adopts it', take, 'since the plan: managedBy'],
    ['delete', 'gives it up', (workspace) => patch(workspace, { managedBy: null }), 'since the plan: managedBy'],
    ['update', 'deletes it', remove, 'the link was deleted since the plan'],
    ['update', 'deletes it and creates another one', replace, 'the link was deleted since the plan'],
    ['create', 'creates it', (workspace) => create(workspace, { customSlug: 'new' }), 'a link was created there since the plan'],
    [
      'create',
      'creates it for the same owner',
      (workspace) => create(workspace, { customSlug: 'new', managedBy: `marketing@${workspace.domain}` }),
      'a link was created there since the plan',
    ],
  ];
  const linksFor: Record<string, WrittenLink[]> = {
    update: [{ slug: 'a', url: `${url}new` }],
    delete: [],
    create: [
      { slug: 'a', url },
      { slug: 'new', url },
    ],
  };

  test.for(cases)(
    'After a plan to %s a link, somebody %s: the plan is refused as a whole, and so is the step.',
    async ([action, , act, reason]) => {
      const { workspace, api } = await start([{ slug: 'a', url }]);
      const plan = await planFor(api, manifestOf(workspace, linksFor[action] ?? []));
      expect(plan.steps.map((step) => step.action)).toEqual([action]);
      await act(workspace);
      const before = await linksOf(workspace);
      expect(await refusalsOf(api, plan, () => {})).toMatchObject([
        { outcome: 'refused', reason: expect.stringContaining(reason) },
      ]);
      expect(await applied(api, plan)).toMatchObject([{ outcome: 'refused', reason: expect.stringContaining('since the plan') }]);
      expect(await linksOf(workspace)).toEqual(before);
    },
  );

  test.for(['update', 'delete'] as const)('An edit between the comparison and the %s wins.', async (action) => {
    const { workspace, api } = await start([{ slug: 'a', url }]);
    const plan = await planFor(api, manifestOf(workspace, linksFor[action] ?? []));
    let isEdited = false;
    const meddling: typeof fetch = async (target, init) => {
      if (new Headers(init?.headers).has('If-Match') && !isEdited) {
        isEdited = true;
        await edit(workspace);
      }
      return fetch(target, init);
    };
    const reason = 'somebody has changed the link since the plan: title';
    expect(await applied(apiTo(service, workspace, { fetch: meddling }), plan)).toMatchObject([{ outcome: 'refused', reason }]);
    expect(await at(workspace, 'a')).toMatchObject({ url, title: 'Theirs' });
  });

  test('A deletion of a link that is gone, and a creation of a link that exists as planned, count as done.', async () => {
    const { workspace, api } = await start([{ slug: 'a', url }]);
    const plan = await planFor(api, manifestOf(workspace, [{ slug: 'new', url }]));
    await remove(workspace);
    await create(workspace, { url, customSlug: 'new', managedBy: `marketing@${workspace.domain}` });
    expect(await refusalsOf(api, plan, () => {})).toEqual([]);
    expect((await applied(api, plan)).map(({ outcome }) => outcome)).toEqual(['already done', 'already done']);
  });
});

/** Makes so many conditional changes fail, as if somebody changed what the plan does not compare. */
const disturbing = (times: number) => {
  let left = times;
  return {
    fetch: ((target, init) => {
      const headers = new Headers(init?.headers);
      if (headers.has('If-Match') && left-- > 0) headers.set('If-Match', '"0000000000000000000000.0000000000000000000000"');
      return fetch(target, { ...init, headers });
    }) as typeof fetch,
  };
};

test('A conflict with a change that the plan does not compare is retried up to 5 times.', async () => {
  const { workspace, api } = await start([
    { slug: 'a', url },
    { slug: 'b', url },
  ]);
  const plan = await planFor(api, manifestOf(workspace, [{ slug: 'a', url: `${url}new` }]));
  const outcomes = async (times: number) =>
    (await applied(apiTo(service, workspace, disturbing(times)), { ...plan, steps: plan.steps.slice(0, 1) })).map((result) => [
      result.outcome,
      'reason' in result ? result.reason : '',
    ]);
  expect(await outcomes(6)).toEqual([['refused', 'the link keeps changing: try again later']]);
  expect((await at(workspace, 'a')).url).toBe(url);
  expect(await outcomes(5)).toEqual([['done', '']]);
  expect((await at(workspace, 'a')).url).toBe(`${url}new`);
});

test('A setting that the service refuses stops only its own link.', async () => {
  const { workspace, api } = await start();
  const other = `other.${workspace.domain}`;
  await service.addDomain(workspace.id, other, 'ACTIVE');
  const text = manifestOf(workspace, [
    { slug: 'a', url: `https://${other}/x` },
    { slug: 'b', url },
  ]);
  expect(await applied(api, await planFor(api, text))).toMatchObject([
    { outcome: 'refused', reason: expect.stringContaining('/url') },
    { outcome: 'done' },
  ]);
  expect(await stepsOf(api, text)).toEqual(['create a']);
});

test('If two applies run the same plan at once, it is done once.', async () => {
  const { workspace, api } = await start([
    { slug: 'a', url },
    { slug: 'b', url },
    { slug: 'c', url, externalId: '1' },
  ]);
  const text = manifestOf(
    workspace,
    [
      { slug: 'a', url: `${url}new`, tags: ['x'] },
      { slug: 'd', renamedFrom: 'b', url },
      { slug: 'e', url, externalId: '1' },
    ],
    {
      tags: [{ name: 'x' }],
    },
  );
  const plan = await planFor(api, text);
  const both = await Promise.all([applied(api, plan), applied(apiTo(service, workspace), plan)]);
  expect(both.flat().filter(({ outcome }) => outcome === 'refused')).toEqual([]);
  expect(await stepsOf(api, text)).toEqual([]);
  expect(await linksOf(workspace)).toHaveLength(3);
});

describe('Manifests of all kinds', () => {
  const text = (max: number) =>
    fc.string({ unit: 'grapheme', maxLength: max }).map((one) => one.toWellFormed().replaceAll('\0', ''));
  const time = fc
    .date({ min: new Date('2030-01-01'), max: new Date('2039-12-31'), noInvalidDate: true })
    .chain((date) =>
      fc.constantFrom(date.toISOString(), `${date.toISOString().slice(0, 16)}+05:30`, `${date.toISOString().slice(0, 19)}Z`),
    );
  const address = fc.constantFrom(
    url,
    'HTTPS://Example.ORG',
    'https://bücher.example.com/ä?q=a|b#c"d',
    'https://example.org:443/../a/./b',
    'https://EXAMPLE.org/%7euser?x=1&x=2',
  );
  const conditions = fc
    .record(
      {
        country: fc.subarray(['de', 'AT', 'ch', 'DE'], { minLength: 1 }),
        device: fc.subarray(['mobile', 'desktop', 'mobile'], { minLength: 1 }),
        os: fc.subarray(['ios', 'android'], { minLength: 1 }),
        language: fc.subarray(['DE', 'de-AT', 'fr'], { minLength: 1 }),
        query: fc.dictionary(
          fc.string({ minLength: 1, maxLength: 5 }).filter((name) => name !== '__proto__'),
          text(5),
          { minKeys: 1, maxKeys: 3 },
        ),
      },
      { requiredKeys: [] },
    )
    .filter((one) => Object.keys(one).length > 0);
  const settings = fc.record(
    {
      url: address,
      title: fc.option(text(20)),
      description: fc.option(text(20)),
      notes: fc.option(text(20)),
      image: fc.option(address),
      redirectType: fc.constantFrom('PERMANENT_301', 'TEMPORARY_302'),
      isActive: fc.boolean(),
      forwardParameters: fc.boolean(),
      forwardPath: fc.boolean(),
      hideReferrer: fc.boolean(),
      isArchived: fc.boolean(),
      blockBots: fc.boolean(),
      confirmVisit: fc.boolean(),
      expiresAt: fc.option(time),
      expiredUrl: fc.option(address),
      maxClicks: fc.option(fc.integer({ min: 1, max: 2 ** 53 - 1 })),
      rules: fc.array(fc.record({ if: conditions, url: address }), { maxLength: 3 }),
      variants: fc.constantFrom(
        [],
        [
          { id: 'a', url, weight: 1 },
          { id: 'b', url: 'HTTPS://example.org/b', weight: 0 },
        ],
      ),
      tags: fc.uniqueArray(fc.constantFrom('Eins', 'zwei', 'Größe', 'ＷＩＤＥ'), { maxLength: 4 }),
      metaPixelId: fc.option(fc.constant('123')),
      googleTagId: fc.option(fc.constant('G-ABC')),
      webhookUrls: fc.option(fc.constantFrom('https://example.org/hook, HTTPS://example.com', 'https://example.org')),
    },
    { requiredKeys: ['url'] },
  );
  const tags = [{ name: 'Eins' }, { name: 'Zwei', color: '#ABCDEF' }, { name: 'grösse' }, { name: 'wide' }];

  const isOfSchema = new Ajv.default({ strict: false }).compile(JSON.parse(manifestSchemaText()));

  test('However values are written, a second plan finds nothing to do.', async () => {
    const { workspace, api } = await start();
    await fc.assert(
      fc.asyncProperty(fc.array(settings, { minLength: 1, maxLength: 6 }), async (all) => {
        const written = manifestOf(
          workspace,
          all.map((one, index) => ({ slug: `Link-${index}`, ...one })),
          { tags },
        );
        expect(isOfSchema(JSON.parse(written)), written).toBe(true);
        const plan = await planFor(api, written);
        expect((await applied(api, plan)).map((result) => ('reason' in result ? result.reason : result.outcome))).toEqual(
          plan.steps.map(() => 'done'),
        );
        expect(await stepsOf(api, written)).toEqual([]);
      }),
      { numRuns: runs(4) },
    );
  });

  const slugs = ['a', 'b', 'c', 'd', 'e'] as const;
  const few = fc.record(
    {
      url: fc.constantFrom(url, `${url}2`),
      title: fc.option(fc.constantFrom('One', 'Two')),
      tags: fc.subarray(['x', 'y']),
      maxClicks: fc.option(fc.constantFrom(5, 6)),
    },
    { requiredKeys: ['url'] },
  );
  const generation = fc
    .record({
      links: fc
        .subarray([...slugs])
        .chain((chosen) => fc.tuple(...chosen.map((slug) => few.map((one) => ({ slug, ...one }) as WrittenLink)))),
      ids: fc.shuffledSubarray(['1', '2', '3']),
    })
    .map(({ links, ids }) =>
      links.map((link, index) => ({ ...link, ...(ids[index] !== undefined && { externalId: ids[index] }) })),
    );
  /** A second manifest, which renames some links of the first one and does not use their slugs. */
  const history = fc
    .record({
      first: generation,
      second: generation,
      renames: fc.array(fc.boolean(), { minLength: 5, maxLength: 5 }),
      deaths: fc.array(
        fc.record({
          at: fc.integer({ min: 0, max: 25 }),
          isSent: fc.boolean(),
          lost: fc.array(fc.integer({ min: 0, max: 25 }), { maxLength: 4 }),
        }),
        { minLength: 1, maxLength: 3 },
      ),
      isSaved: fc.boolean(),
    })
    .map(({ first, second, renames, ...rest }) => {
      const has = (links: readonly WrittenLink[], slug: string) => links.some((link) => link.slug === slug);
      const left = first.filter(({ slug }) => !has(second, slug));
      const renamed = second.map((link, index) => {
        const from = !has(first, link.slug) && renames[index] ? left.pop() : undefined;
        return from ? { ...link, renamedFrom: from.slug } : link;
      });
      return { ...rest, first, second: renamed };
    });

  test('Wherever an apply dies, and whatever responses are lost, the next one completes it, and the one after that does nothing.', async () => {
    await fc.assert(
      fc.asyncProperty(history, async ({ first, second, deaths, isSaved }) => {
        const more = { tags: [{ name: 'x' }, { name: 'y' }] };
        const { workspace, api } = await start(first, more);
        const unmanaged = await workspace.call('POST', '/links', { domain: workspace.domain, url, customSlug: 'unmanaged' });
        const before = new Map(
          (await linksOf(workspace)).map((link: { shortCode: string; id: string }) => [link.shortCode, link.id]),
        );
        const written = manifestOf(workspace, second, more);
        const plan = await planFor(api, written).catch((error) => error);
        // Links that exchange their external ids are refused.
        fc.pre(!(plan instanceof ManifestError));
        const next = async (via: Api) => (isSaved ? plan : planFor(via, written));
        for (const death of deaths) {
          const mortal = apiTo(service, workspace, deadlyNetwork(death));
          await next(mortal)
            .then((one) => applied(mortal, one))
            .catch((error) => {
              if (!(error instanceof Died)) throw error;
            });
        }
        const last = await next(api);
        if (isSaved) expect(await refusalsOf(api, last, () => {})).toEqual([]);
        expect((await applied(api, last)).filter(({ outcome }) => outcome === 'refused')).toEqual([]);

        const links = await linksOf(workspace);
        expect(links).toHaveLength(second.length + 1);
        for (const link of second) {
          const { slug, renamedFrom, tags = [], ...settings } = link as WrittenLink & { tags?: string[]; renamedFrom?: string };
          const found = links.find(({ shortCode }: { shortCode: string }) => shortCode === slug);
          expect(found).toMatchObject({
            title: null,
            maxClicks: null,
            externalId: null,
            ...settings,
            managedBy: `marketing@${workspace.domain}`,
          });
          expect(found.tags.map(({ name }: { name: string }) => name).sort()).toEqual([...tags].sort());
          const known = before.get(renamedFrom ?? slug);
          if (known !== undefined) expect(found.id).toBe(known);
        }
        expect(await at(workspace, 'unmanaged')).toEqual(unmanaged.body.link);
        expect(await stepsOf(api, written)).toEqual([]);
        if (isSaved) expect(new Set((await applied(api, plan)).map(({ outcome }) => outcome)).has('done')).toBe(false);
      }),
      { numRuns: runs(6) },
    );
  });
});

test('A saved plan is read as it was written, and refused if it is of another service or version, or damaged.', async () => {
  const { workspace, api } = await start([
    { slug: 'a', url, rules: [{ if: { os: ['ios'] }, url }] },
    { slug: 'b', url },
  ]);
  const plan = await planFor(
    api,
    manifestOf(
      workspace,
      [
        { slug: 'a', url, tags: ['x'] },
        { slug: 'c', url },
      ],
      { tags: [{ name: 'x' }] },
    ),
  );
  expect(countsOf(plan)).toEqual({ create: 1, update: 1, delete: 1, createTags: 1 });
  const text = JSON.stringify(savedPlan(plan, 'https://api.example'));
  expect(text).not.toContain(workspace.key);
  expect(planIn(text, 'https://api.example')).toEqual(JSON.parse(JSON.stringify(plan)));
  expect(() => planIn(text, 'https://other.example')).toThrow(
    'the plan is for https://api.example, not for https://other.example',
  );
  expect(() => planIn(text.replace('"linksPlan":1', '"linksPlan":2'), 'https://api.example')).toThrow(
    'version 2, but this command needs version 1',
  );
  expect(() => planIn(text.replace('"action":"delete"', '"action":"erase"'), 'https://api.example')).toThrow(
    'the plan is damaged: plan again',
  );
  expect(planIn('owner: a', 'https://api.example')).toBeUndefined();
});
