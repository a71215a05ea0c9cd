import { beforeAll, describe, expect, test } from 'vitest';
import { adopt, describedLinks, linksToAdopt } from '../../../clients/links-as-code/adopt.ts';
import type { Api } from '../../../clients/links-as-code/api.ts';
import { readManifest } from '../../../clients/links-as-code/read.ts';
import { manifestText } from '../../../clients/links-as-code/write.ts';
import { type Service, useService, type Workspace } from '../../support/service/service.ts';
import { apiTo, Died, deadlyNetwork, manifestOf, planFor } from '../../support/things/manifest.ts';

let service: Service;
beforeAll(async () => {
  service = await useService();
});

const url = 'https://example.org/';
const quiet = { progress: () => {}, isStopped: () => false };

async function start(links: readonly object[]) {
  const workspace = await service.newWorkspace();
  for (const link of links) await workspace.call('POST', '/links', { domain: workspace.domain, url, ...link });
  return { workspace, api: apiTo(service, workspace) };
}

const ownersOf = async ({ call }: Workspace) =>
  Object.fromEntries(
    (await call('GET', '/links?limit=100')).body.links.map((link: { shortCode: string; managedBy: string | null }) => [
      link.shortCode,
      link.managedBy,
    ]),
  );

const adoptAll = async (api: Api, text: string, from?: string) => {
  const manifest = readManifest(text);
  const links = await describedLinks(api, manifest, from, () => {});
  return adopt(api, links, { managedBy: manifest.managedBy, from }, quiet);
};

const select = (domain: string, more: { from?: string; slugs?: string[]; tag?: string } = {}) => ({
  domain,
  managedBy: `marketing@${domain}`,
  slugs: [],
  ...more,
});

test('The manifest of adopted links has all their settings, so a plan after the adoption is empty.', async () => {
  const { workspace, api } = await start([
    { customSlug: 'plain' },
    { customSlug: 'protected', password: 'secret', isActive: false },
    {
      customSlug: 'Rich',
      title: 'yes',
      description: 'line\nline: # no\n',
      redirectType: 'PERMANENT_301',
      rules: [{ if: { os: ['ios'], query: { a: '1' } }, url: `${url}ios` }],
      variants: [
        { id: 'a', url, weight: 1 },
        { id: 'b', url, weight: 2 },
      ],
      startsAt: '2031-01-01T00:00Z',
      maxClicks: 3,
      externalId: '007',
      webhookUrls: `${url}a,${url}b`,
    },
  ]);
  const { domain, call } = workspace;
  const tag = await workspace.newTag('News');
  const rich = (await call('GET', `/links/lookup?domain=${domain}&slug=rich`)).body.link;
  await call('PATCH', `/links/${rich.id}`, { tagIds: [tag], customSlug: 'Richer' });
  const links = await linksToAdopt(api, select(domain), () => {});
  const text = manifestText({ owner: 'marketing', domain, links, schema: '../clients/links-as-code/links.schema.json' });
  expect(text.split('\n').slice(0, 11)).toEqual([
    '# yaml-language-server: $schema=../clients/links-as-code/links.schema.json',
    'owner: marketing',
    `domain: ${domain}`,
    'tags:',
    '  - name: News',
    '    color: "#123456"',
    'links:',
    '  - slug: plain',
    `    url: ${url}`,
    '  - slug: protected',
    `    url: ${url}`,
  ]);
  expect(text).not.toMatch(/secret|assword/);
  await expect(planFor(api, text)).rejects.toThrow('plain exists and is managed by nobody: adopt it first');
  expect(await adoptAll(api, text)).toEqual({ adopted: 3, already: 0, notReached: 0, refused: [] });
  expect((await planFor(api, text)).steps).toEqual([]);
  expect(await adoptAll(api, text)).toEqual({ adopted: 0, already: 3, notReached: 0, refused: [] });
  expect((await call('GET', `/links/${rich.id}`)).body.link).toEqual({
    ...rich,
    shortCode: 'Richer',
    shortUrl: expect.any(String),
    aliases: ['Rich'],
    tags: [{ id: tag, name: 'News', color: '#123456' }],
    managedBy: `marketing@${domain}`,
    updatedAt: expect.any(String),
  });
});

describe('A refused adoption names the reason and writes nothing', () => {
  test('It refuses links of another owner.', async () => {
    const { workspace, api } = await start([{ customSlug: 'a' }]);
    const { domain, call } = workspace;
    await call('POST', '/links', { domain, url, customSlug: 'theirs', managedBy: `sales@${domain}` });
    const message = `${domain}/theirs is managed by sales@${domain}`;
    await expect(linksToAdopt(api, select(domain), () => {})).rejects.toThrow(message);
    const text = manifestOf(workspace, [
      { slug: 'a', url },
      { slug: 'theirs', url },
    ]);
    await expect(adoptAll(api, text)).rejects.toThrow(message);
    expect(await ownersOf(workspace)).toEqual({ a: null, theirs: `sales@${domain}` });
  });

  test('It refuses slugs and tags that do not exist, and an empty selection.', async () => {
    const { workspace, api } = await start([]);
    const { domain } = workspace;
    await expect(linksToAdopt(api, select(domain, { slugs: ['a'] }), () => {})).rejects.toThrow(`there is no link ${domain}/a`);
    await expect(linksToAdopt(api, select(domain, { tag: 'x' }), () => {})).rejects.toThrow('there is no tag "x"');
    await expect(linksToAdopt(api, select(domain), () => {})).rejects.toThrow('there are no such links');
  });
});

test('Links are selected by slug, by tag, or by the owner who is renamed.', async () => {
  const { workspace, api } = await start([{ customSlug: 'a' }, { customSlug: 'b' }]);
  const { domain, call } = workspace;
  const tag = await workspace.newTag('News');
  await call('POST', '/links', { domain, url, customSlug: 'c', tagIds: [tag], managedBy: `old@${domain}` });
  const selected = async (more: Parameters<typeof select>[1]) =>
    (await linksToAdopt(api, select(domain, more), () => {})).map(({ shortCode }) => shortCode).sort();
  expect(await selected({ slugs: ['A', 'b', 'a'] })).toEqual(['a', 'b']);
  expect(await selected({ from: `old@${domain}` })).toEqual(['c']);
  expect(await selected({ from: `old@${domain}`, tag: 'news' })).toEqual(['c']);
  await expect(selected({ tag: 'news' })).rejects.toThrow('is managed by');
});

test('A renamed owner keeps all its links, and gets links of the manifest that nobody manages.', async () => {
  const { workspace, api } = await start([{ customSlug: 'free' }, { customSlug: 'other' }]);
  const { domain, call } = workspace;
  const from = `old@${domain}`;
  for (const customSlug of ['a', 'b']) await call('POST', '/links', { domain, url, customSlug, managedBy: from });
  const text = manifestOf(workspace, [
    { slug: 'a', url },
    { slug: 'free', url },
    { slug: 'new', url },
  ]);
  expect(await adoptAll(api, text, from)).toMatchObject({ adopted: 3, refused: [] });
  const now = `marketing@${domain}`;
  expect(await ownersOf(workspace)).toEqual({ a: now, b: now, free: now, other: null });
  expect((await planFor(api, text)).steps.map(({ action }) => action)).toEqual(['create', 'delete']);
});

test('Wherever an adoption dies, the next one completes it.', async () => {
  const { workspace, api } = await start([{ customSlug: 'a' }, { customSlug: 'b' }, { customSlug: 'c' }]);
  const text = manifestOf(workspace, [
    { slug: 'a', url },
    { slug: 'b', url },
    { slug: 'c', url },
  ]);
  for (let at = 0; at < 12; at++) {
    const network = deadlyNetwork({ at, isSent: at % 2 === 0, lost: [at - 1] });
    await adoptAll(apiTo(service, workspace, network), text).catch((error) => {
      if (!(error instanceof Died)) throw error;
    });
  }
  await adoptAll(api, text);
  const now = `marketing@${workspace.domain}`;
  expect(await ownersOf(workspace)).toEqual({ a: now, b: now, c: now });
});

test('A link that somebody else takes while it is adopted stays theirs.', async () => {
  const { workspace, api } = await start([{ customSlug: 'a' }, { customSlug: 'b' }]);
  const { domain, call } = workspace;
  const manifest = readManifest(
    manifestOf(workspace, [
      { slug: 'a', url },
      { slug: 'b', url },
    ]),
  );
  const links = await describedLinks(api, manifest, undefined, () => {});
  const [a, b] = links;
  await call('PATCH', `/links/${a?.id}`, { managedBy: `sales@${domain}` });
  await call('DELETE', `/links/${b?.id}`);
  const { refused } = await adopt(api, links, { managedBy: manifest.managedBy }, quiet);
  expect(refused.toSorted()).toEqual([`${domain}/a is now managed by sales@${domain}`, `${domain}/b has been deleted meanwhile`]);
  expect(await ownersOf(workspace)).toEqual({ a: `sales@${domain}` });
});
