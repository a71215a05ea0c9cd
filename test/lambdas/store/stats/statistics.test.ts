import { beforeAll, expect, test } from 'vitest';
import { underFaults } from '../../../support/faults/faults.ts';
import { overtaken } from '../../../support/faults/overtaken.ts';
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
/** How many days and read units to read at most. */
const bounds = (days: number, units = 1_000) => ({ days, meter: { units: 0, most: units } });
const faultless = () => undefined;
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
  return { workspace, workspaceId, domain, tags: { tagIds: [tagId] }, links };
}

test('Statistics of tags read as many days as they may, and are refused beyond that, naming what to narrow.', async () => {
  const { workspaceId, tags } = await arrange();
  const { days } = await statistics.daysOfTags(workspaceId, tags, range, bounds(6));
  expect(days.map(({ total }) => total)).toEqual([1, 1, 1, 1, 1, 1]);
  await expect(statistics.daysOfTags(workspaceId, tags, range, bounds(5))).rejects.toMatchObject({
    code: 'too_much_to_read',
    message: expect.stringContaining('"tagIds"'),
    fieldErrors: [{ message: expect.stringContaining('"from"') }, { message: expect.stringContaining('"tagIds"') }],
  });
});

test('A link without clicks counts as a day, and neither days nor links are read if there are too many links.', async () => {
  const { workspaceId, tags, links } = await arrange();
  const later = { from: Date.parse('2030-02-01T00:00Z'), to: Date.parse('2030-02-02T00:00Z') };
  expect((await statistics.daysOfTags(workspaceId, tags, later, bounds(links.length))).days).toEqual([]);
  const { result, commands } = await underFaults(faultless, () =>
    statistics.daysOfTags(workspaceId, tags, later, bounds(links.length - 1)).catch((error: unknown) => error),
  );
  expect(result).toMatchObject({ code: 'too_much_to_read' });
  expect(commands).toEqual(['Query']);
});

test('Statistics of any of some tags read no link that was not clicked, and others as they are, not as they were.', async () => {
  const { workspaceId, tags, links } = await arrange();
  const read = async (some: object, from: string) => {
    const later = { ...range, from: Date.parse(`2030-01-${from}T00:00Z`) };
    const work = () => statistics.daysOfTags(workspaceId, { ...tags, ...some }, later);
    const { commands, attempts } = await underFaults(faultless, work);
    const ofLinks = attempts.filter(({ command }) => command === 'BatchGetItem');
    for (const { input } of ofLinks) expect(JSON.stringify(input)).toContain('"ConsistentRead":true');
    return commands;
  };
  const queries = Array.from(links, () => 'Query');
  expect(await read({}, '04')).toEqual(['Query', ...queries]);
  expect(await read({}, '03')).toEqual(['Query', ...queries, 'BatchGetItem']);
  // Only the links say on which domain they are.
  expect(await read({ domain: links[0]?.domain }, '04')).toEqual(['Query', 'BatchGetItem', ...queries]);
});

test.for(['any', 'all'] as const)('A link that changes before it is read counts as it is then, with match=%s.', async (match) => {
  const { workspaceId, domain, tags } = await arrange();
  const { id: other } = await store.createTag(workspaceId, { name: 'Other', color: '#123456' });
  const both = { tagIds: [...tags.tagIds, other], match };
  const changes = {
    stays: () => Promise.resolve(),
    'is erased': async (id: string) => store.eraseClicks(await now(id)),
    'loses its tags': async (id: string) => store.updateLink(await found(id), { tagIds: [] }, { asRead: true }),
    'is deleted': async (id: string) => store.deleteLink(await found(id)),
  };
  const found = async (id: string) => {
    const one = await store.getLink(workspaceId, id);
    if (!one) throw new Error('the link is gone');
    return one;
  };
  const now = async (id: string) => (await found(id)).link;
  for (const [name, change] of Object.entries(changes)) {
    const settings = { url: 'https://example.org/', tagIds: both.tagIds };
    const { link } = await store.createLink(domain, settings, store.newLease());
    await countClicks([clickOf(link, day('04'))]);
    const { days } = await overtaken(
      () => change(link.id),
      () => statistics.daysOfTags(workspaceId, both, { ...range, from: day('04') - 1 }, bounds(100)),
      { command: 'BatchGetItem' },
    );
    const total = days.reduce((sum, day) => sum + day.total, 0);
    expect([name, total]).toEqual([name, name === 'stays' ? 1 : 0]);
    if (name === 'stays') await store.deleteLink(await found(link.id));
  }
});

test('However large links are, statistics and rankings stop at the read units that they may take.', async () => {
  const workspace = await store.newWorkspace();
  const { workspaceId, domain } = workspace;
  const { id: tagId } = await store.createTag(workspaceId, { name: 'Large', color: '#123456' });
  const long = `https://example.org/${'x'.repeat(2_000)}`;
  const rules = ['a', 'b', 'c'].map((name) => ({ if: { query: { name } }, url: long }));
  const settings = { url: long, image: long, expiredUrl: long, rules, tagIds: [tagId] };
  // 100 of them take 500 units, and four times as many are read at once. All of them take more than 3,000.
  const count = 700;
  const links = [];
  for (let made = 0; made < count; made++) links.push((await store.createLink(domain, settings, store.newLease())).link);
  await countClicks(links.map((link) => clickOf(link, day('01'))));
  const tags = { tagIds: [tagId] };
  const refused = () => statistics.daysOfTags(workspaceId, tags, range, bounds(10_000, 500)).catch((error: unknown) => error);
  const rank = (filter: object) => () => topLinks(workspaceId, range, 10, filter, bounds(10_000, 500));
  const whole = await statistics.daysOfTags(workspaceId, tags, range, bounds(10_000, 10_000));
  expect(whole.days).toHaveLength(count);
  const { result, units } = await underFaults(faultless, refused);
  expect(result).toMatchObject({ code: 'too_much_to_read', message: expect.stringContaining('500 read units') });
  expect(units.read).toBeLessThan(2_600);
  for (const filter of [{ tags }, { tags, domain: domain.host }, { domain: domain.host }]) {
    const { result, units } = await underFaults(faultless, rank(filter));
    expect(result.exact).toBe(false);
    expect(units.read).toBeLessThan(2_600);
  }
});

test('A ranking that may not read all days is inexact, and each link in it has all its clicks.', async () => {
  const { workspaceId, tags, links } = await arrange();
  const all = links.map(({ id }, index) => ({ id, clicks: index + 1 })).toReversed();
  const rank = (filter: object, most: number) => topLinks(workspaceId, range, 10, filter, bounds(most));
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
