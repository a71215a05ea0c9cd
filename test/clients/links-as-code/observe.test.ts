import { describe, expect, test } from 'vitest';
import type { Api } from '../../../clients/links-as-code/api.ts';
import { observe } from '../../../clients/links-as-code/observe.ts';
import type { ShownLink } from '../../../clients/links-as-code/settings.ts';

const [domain, managedBy] = ['go.example.com', 'marketing@go.example.com'];
const slugOf = (place: number) => `link-${place}`;
const linkAt = (slug: string, more: Partial<ShownLink> = {}) =>
  ({
    id: `lnk_${slug}`,
    domain,
    shortCode: slug,
    aliases: [],
    externalId: null,
    managedBy: null,
    ...more,
  }) as unknown as ShownLink;
const many = (count: number, more: Partial<ShownLink> = {}) =>
  Array.from({ length: count }, (_, place) => linkAt(slugOf(place), more));

/** A service with these links, which counts its requests. @param hidden links that lists don't show yet */
function fakeApi(links: readonly ShownLink[], hidden: readonly ShownLink[] = []) {
  const counts = { pages: 0, lookUps: 0 };
  const bySlug = new Map([...links, ...hidden].map((link) => [link.shortCode, link]));
  const tagged = (link: ShownLink | undefined) => (link ? { link, etag: '"x"' } : undefined);
  const api = {
    ownsDomain: async () => true,
    listTags: async () => [],
    async *listLinks(query: { managedBy?: string; domain?: string }) {
      let read = 0;
      counts.pages++;
      for (const link of links) {
        if (query.managedBy !== undefined && link.managedBy !== query.managedBy) continue;
        if (query.domain !== undefined && link.domain !== query.domain) continue;
        if (++read % 100 === 0) counts.pages++;
        yield link;
      }
    },
    lookUp: async (_: string, slug: string) => {
      counts.lookUps++;
      return tagged(bySlug.get(slug));
    },
    lookUpExternalId: async (id: string) => {
      counts.lookUps++;
      return tagged(links.find(({ externalId }) => externalId === id));
    },
  } as unknown as Api;
  return { api, counts };
}

const slugs = (count: number) => Array.from({ length: count }, (_, place) => slugOf(place));
const wish = (slugs: readonly string[], externalIds: readonly string[] = []) => ({ domain, managedBy, slugs, externalIds });

describe('The requests for a manifest of 20,000 links', () => {
  const large = 20_000;

  test('Managed links are read in pages of 100.', async () => {
    const { api, counts } = fakeApi(many(large, { managedBy }));
    expect((await observe(api, wish(slugs(large)), () => {})).managed).toHaveLength(large);
    expect(counts).toEqual({ pages: 201, lookUps: 0 });
  });

  test('New entries are compared with the links of the domain, a page at a time.', async () => {
    const { api, counts } = fakeApi([...many(1_000), linkAt('other', { domain: 'other.example' })]);
    const observed = await observe(api, wish(slugs(large)), () => {});
    expect([observed.managed.length, observed.bySlug.size]).toEqual([0, 1_000]);
    expect(counts).toEqual({ pages: 12, lookUps: 0 });
  });

  test('Entries with new external ids are compared with the links of the workspace.', async () => {
    const { api, counts } = fakeApi([linkAt('other', { domain: 'other.example', externalId: '7' })]);
    const ids = Array.from({ length: large }, (_, place) => `${place}`);
    expect((await observe(api, wish(slugs(large), ids), () => {})).byExternalId.get('7')?.shortCode).toBe('other');
    expect(counts).toEqual({ pages: 2, lookUps: 0 });
  });
});

test('A few new entries are looked up, and links that lists do not show yet are found.', async () => {
  const { api, counts } = fakeApi(many(50_000, { domain: 'other.example' }), [linkAt('late', { managedBy })]);
  const observed = await observe(api, wish(['late', 'absent'], ['x']), () => {});
  expect(observed.managed.map(({ shortCode }) => shortCode)).toEqual(['late']);
  expect(counts).toEqual({ pages: 1, lookUps: 3 });
});

test('If the domain has far more links than the manifest, new entries are looked up.', async () => {
  const { api, counts } = fakeApi(many(50_000).reverse());
  const observed = await observe(api, wish(slugs(300)), () => {});
  expect(slugs(300).every((slug) => observed.bySlug.has(slug))).toBe(true);
  expect(counts).toEqual({ pages: 32, lookUps: 300 });
});

test('Progress is shown for every 1,000 links.', async () => {
  const lines: string[] = [];
  await observe(fakeApi(many(2_500, { managedBy })).api, wish(slugs(2_500)), (text) => void lines.push(text));
  expect(lines).toEqual(['read 1000 managed links', 'read 2000 managed links']);
});
