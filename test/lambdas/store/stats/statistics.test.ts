import { beforeAll, expect, test } from 'vitest';
import { underFaults } from '../../../support/faults/faults.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { clickOf, countClicks } from '../../../support/things/clicks.ts';

let store: Store;
let statistics: typeof import('../../../../lambdas/store/stats/statistics.ts');
let topLinks: typeof import('../../../../lambdas/store/stats/top-links.ts').topLinks;
beforeAll(async () => {
  store = await useStore();
  statistics = await import('../../../../lambdas/store/stats/statistics.ts');
  ({ topLinks } = await import('../../../../lambdas/store/stats/top-links.ts'));
});

const day = (text: string) => Date.parse(`2030-01-${text}T12:00Z`);
const range = { from: Date.parse('2030-01-01T00:00Z'), to: Date.parse('2030-01-05T00:00Z') };

/** Three links with a tag. The first was clicked on one day, the second on two, and so on. */
async function arrange() {
  const workspace = await store.newWorkspace();
  const { workspaceId, domain } = workspace;
  const { id: tagId } = await store.createTag(workspaceId, { name: 'Sale', color: '#123456' });
  const links = [];
  for (let made = 1; made <= 3; made++) {
    const { link } = await store.createLink(domain, { url: 'https://example.org/', tagIds: [tagId] }, store.newLease());
    await countClicks(['01', '02', '03'].slice(0, made).map((name) => clickOf(link, day(name))));
    links.push(link);
  }
  return { workspace, workspaceId, tags: { tagIds: [tagId] }, links };
}

test('Statistics of tags read as many days as they may, and are refused beyond that, naming what to narrow.', async () => {
  const { workspaceId, tags } = await arrange();
  const { days } = await statistics.daysOfTags(workspaceId, tags, range, 6);
  expect(days.map(({ total }) => total)).toEqual([1, 1, 1, 1, 1, 1]);
  await expect(statistics.daysOfTags(workspaceId, tags, range, 5)).rejects.toMatchObject({
    code: 'too_much_to_read',
    message: expect.stringContaining('"tagIds"'),
    fieldErrors: [{ message: expect.stringContaining('"from"') }, { message: expect.stringContaining('"tagIds"') }],
  });
});

test('A link without clicks counts as a day, and neither days nor links are read if there are too many links.', async () => {
  const { workspaceId, tags, links } = await arrange();
  const later = { from: Date.parse('2030-02-01T00:00Z'), to: Date.parse('2030-02-02T00:00Z') };
  expect((await statistics.daysOfTags(workspaceId, tags, later, links.length)).days).toEqual([]);
  const { result, commands } = await underFaults(
    () => undefined,
    () => statistics.daysOfTags(workspaceId, tags, later, links.length - 1).catch((error: unknown) => error),
  );
  expect(result).toMatchObject({ code: 'too_much_to_read' });
  expect(commands).toEqual(['Query']);
});

test('A ranking that may not read all days is inexact, and each link in it has all its clicks.', async () => {
  const { workspaceId, tags, links } = await arrange();
  const all = links.map(({ id }, index) => ({ id, clicks: index + 1 })).toReversed();
  const rank = (filter: object, most: number) => topLinks(workspaceId, range, 10, filter, most);
  const domain = links[0]?.domain;
  for (const filter of [{}, { tags }, { domain }, { tags, domain }]) {
    const exact = await rank(filter, 6);
    expect([exact.exact, exact.links.map(({ id, clicks }) => ({ id, clicks }))]).toEqual([true, all]);
    for (let most = 1; most < 6; most++) {
      const { exact, links } = await rank(filter, most);
      expect(exact).toBe(false);
      expect(links.length).toBeLessThan(all.length);
      for (const { id, clicks } of links) expect(all).toContainEqual({ id, clicks });
    }
  }
});

test("A ranking of a domain looks past other domains' links.", async () => {
  const { workspaceId, links } = await arrange();
  const host = `other.${links[0]?.domain}`;
  const domain = await store.addDomain(workspaceId, host, 'ACTIVE');
  if (!domain || !('domainId' in domain)) throw new Error('no domain');
  const { link } = await store.createLink(domain, { url: 'https://example.org/' }, store.newLease());
  await countClicks([clickOf(link, day('01'))]);
  const { links: ranked, exact } = await topLinks(workspaceId, range, 10, { domain: host });
  expect([exact, ranked.map(({ id }) => id)]).toEqual([true, [link.id]]);
});
