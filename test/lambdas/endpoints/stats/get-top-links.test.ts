import { beforeAll, expect, test } from 'vitest';
import { randomBase62 } from '../../../../lambdas/core/base62.ts';
import { dayIndex, dayKey } from '../../../../lambdas/store/table/keys.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { clickOf, countClicks, laterEpoch } from '../../../support/things/clicks.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const day = '2030-01-02';

async function arrange(count: number) {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const links = (await store.newLinks(workspace, count)).map(({ link }) => link);
  const top = (query: Readonly<Record<string, string | readonly string[]>> = { day }) =>
    callEndpoint('get-top-links', { workspaceId, query });
  return { workspaceId, links, top };
}

/** Clicks the first link once, the second twice and so on. */
async function clickEach(links: Awaited<ReturnType<typeof arrange>>['links'], on = day) {
  await countClicks(links.flatMap((link, index) => Array.from({ length: index + 1 }, () => clickOf(link, `${on}T12:00Z`))));
}

test('The links of a day are listed by their clicks on that day, the most first, and no others.', async () => {
  const { links, top } = await arrange(7);
  await clickEach(links.slice(0, 5));
  await clickEach(links.toReversed(), '2030-01-01');
  await clickEach(links, '2030-01-03');
  const foreign = await arrange(1);
  await clickEach(foreign.links);
  const { status, body } = await top();
  expect(status).toBe(200);
  expect(body).toEqual({
    day,
    groupsFrom: '2030-01-02T00:00:00.000Z',
    groupsTo: '2030-01-03T00:00:00.000Z',
    readAt: expect.stringMatching(/Z$/),
    exact: true,
    links: links
      .slice(0, 5)
      .map(({ id, domain, shortCode }, index) => ({
        id,
        shortUrl: `https://${domain}/${shortCode}`,
        clicks: index + 1,
        uniqueClicks: null,
      }))
      .toReversed(),
  });
});

test('At most `limit` links are listed, the ones with the most clicks.', async () => {
  const { links, top } = await arrange(6);
  await clickEach(links);
  const { body } = await top({ day, limit: '2' });
  expect(body.links.map(({ id, clicks }: { id: string; clicks: number }) => [id, clicks])).toEqual([
    [links[5]?.id, 6],
    [links[4]?.id, 5],
  ]);
  expect(body.exact).toBe(true);
});

test('A link that was deleted since is listed without a URL.', async () => {
  const { workspaceId, links, top } = await arrange(2);
  await clickEach(links);
  await callEndpoint('delete-link', { workspaceId, id: links[1]?.id ?? '' });
  expect((await top()).body.links).toMatchObject([
    { id: links[1]?.id, shortUrl: null, clicks: 2 },
    { id: links[0]?.id, clicks: 1 },
  ]);
});

test('A link whose clicks were erased is not listed, however many it had, and others take its place.', async () => {
  const { workspaceId, links, top } = await arrange(5);
  await clickEach(links);
  for (const link of links.slice(2)) await callEndpoint('delete-clicks', { workspaceId, id: link.id });
  const { body } = await top({ day, limit: '1' });
  expect(body.links).toMatchObject([{ id: links[1]?.id, clicks: 2 }]);
  const [, , third] = links;
  if (third) await countClicks([clickOf({ ...third, clickEpoch: laterEpoch }, `${day}T13:00Z`)]);
  expect((await top()).body.links.map(({ clicks }: { clicks: number }) => clicks)).toEqual([2, 1, 1]);
});

test('A link whose clicks were erased on one of the days comes after others that have more now.', async () => {
  const { workspaceId, links, top } = await arrange(2);
  const [erased, other] = links;
  if (!erased || !other) throw new Error('no links');
  await countClicks([...Array(5)].map(() => clickOf(erased, '2030-01-01T12:00Z')));
  await callEndpoint('delete-clicks', { workspaceId, id: erased.id });
  await countClicks([clickOf({ ...erased, clickEpoch: laterEpoch }, '2030-01-02T12:00Z')]);
  await countClicks([...Array(3)].map(() => clickOf(other, '2030-01-02T12:00Z')));
  const range = { from: '2030-01-01T00:00Z', to: '2030-01-03T00:00Z' };
  expect((await top({ ...range, limit: '1' })).body.links).toMatchObject([{ id: other.id, clicks: 3 }]);
  expect((await top(range)).body.links).toMatchObject([
    { id: other.id, clicks: 3 },
    { id: erased.id, clicks: 1 },
  ]);
});

test('A link that was deleted after its clicks were erased is not listed, even before they are removed.', async () => {
  const { workspaceId, links, top } = await arrange(3);
  await clickEach(links);
  const [, second, third] = links;
  await callEndpoint('delete-clicks', { workspaceId, id: third?.id ?? '' });
  for (const link of [second, third]) await callEndpoint('delete-link', { workspaceId, id: link?.id ?? '' });
  const { body } = await top({ day, limit: '2' });
  expect(body.links).toMatchObject([
    { id: second?.id, shortUrl: null, clicks: 2 },
    { id: links[0]?.id, clicks: 1 },
  ]);
});

test('A day without clicks has no links.', async () => {
  const { top } = await arrange(1);
  expect((await top()).body).toMatchObject({ exact: true, links: [] });
});

test('Up to 1,000 links are compared exactly, and the response says if there are more.', async () => {
  const { workspaceId, top } = await arrange(0);
  const ids = Array.from({ length: 1_001 }, () => `lnk_${randomBase62(28)}`);
  const items = ids.map((id, index) => ({
    ...dayKey(id, day),
    gsi1pk: dayIndex(workspaceId, day, id),
    gsi1sk: id,
    total: index + 1,
  }));
  const [last, ...first] = items.toReversed();
  for (let from = 0; from < first.length; from += 25) await store.insertItems(first.slice(from, from + 25));
  const exact = (await top({ day, limit: '3' })).body;
  expect(exact).toMatchObject({ exact: true, links: [999, 998, 997].map((index) => ({ id: ids[index], clicks: index + 1 })) });
  if (last) await store.putItem(last);
  const { body } = await top({ day, limit: '3' });
  expect([body.exact, body.links.length]).toEqual([false, 3]);
});

test.for<[Readonly<Record<string, string | readonly string[]>>, string, string]>([
  [{}, 'day', 'required'],
  [{ day: '2030-02-30' }, 'day', 'invalid_day'],
  [{ day: '2030-1-2' }, 'day', 'invalid_day'],
  [{ day: '2030-01-02T00:00Z' }, 'day', 'invalid_day'],
  [{ day: 'today' }, 'day', 'invalid_day'],
  [{ day: '9999-12-31' }, 'day', 'invalid_day'],
  [{ day: '' }, 'day', 'invalid_day'],
  [{ day: [day, day] }, 'day', 'repeated_parameter'],
  [{ day, limit: '0' }, 'limit', 'out_of_range'],
  [{ day, limit: '101' }, 'limit', 'out_of_range'],
  [{ day, cursor: 'x' }, 'cursor', 'unknown_parameter'],
  [{ day, timezone: 'UTC' }, 'timezone', 'unknown_parameter'],
  [{ day, country: 'DE' }, 'country', 'unknown_parameter'],
  [{ day, from: '2030-01-02T00:00Z' }, 'day', 'not_together'],
  [{ day, to: '2030-01-02T00:00Z' }, 'day', 'not_together'],
  [{ to: '2030-01-02T00:00Z' }, 'from', 'required'],
  [{ from: '2030-01-02T00:00Z', to: '2030-01-02T00:00Z' }, 'from', 'out_of_range'],
  [{ from: '2030-01-01T00:00Z', to: '2030-02-01T01:15Z' }, 'from', 'out_of_range'],
  [{ from: '2020-01-01T00:00Z' }, 'from', 'out_of_range'],
  [{ from: '2030-01-01T00:07Z' }, 'from', 'not_on_quarter_hour'],
  [{ day, domain: 'unknown.example.com' }, 'domain', 'domain_not_verified'],
  [{ day, domain: 'not a domain' }, 'domain', 'invalid_domain'],
  [{ day, tagIds: Array.from({ length: 21 }, (_, tag) => `tag_${tag}`).join() }, 'tagIds', 'too_many'],
  [{ day, tagIds: 'tag_0', match: 'some' }, 'match', 'invalid_value'],
])('%j is refused, naming "%s" and the rule %s.', async ([query, parameter, code]) => {
  const { top } = await arrange(0);
  const response = await top(query);
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toEqual([
    { path: '', code, message: expect.stringContaining(`the query parameter "${parameter}" `) },
  ]);
});

test.for<[string, Readonly<Record<string, string>>, string, string]>([
  [
    'a month with a day of 25 hours',
    { from: '2030-10-01T00:00+02:00', to: '2030-11-01T00:00+01:00' },
    '2030-09-30',
    '2030-11-01',
  ],
  ['a quarter of an hour', { from: '2030-01-02T23:45Z', to: '2030-01-03T00:00Z' }, '2030-01-02', '2030-01-03'],
  ['a day in Kathmandu', { from: '2030-01-02T00:00+05:45', to: '2030-01-03T00:00+05:45' }, '2030-01-01', '2030-01-03'],
])('The whole days in UTC that contain the range are counted: %s.', async ([, range, first, end]) => {
  const { links, top } = await arrange(1);
  const [link] = links;
  if (!link) throw new Error('no link');
  const instants = [Date.parse(first) - 1, Date.parse(first), Date.parse(end) - 1, Date.parse(end)];
  await countClicks(instants.map((at) => clickOf(link, at)));
  const { body } = await top(range);
  expect(body).toMatchObject({
    day: first,
    groupsFrom: `${first}T00:00:00.000Z`,
    groupsTo: `${end}T00:00:00.000Z`,
    links: [{ id: link.id, clicks: 2 }],
  });
});

test("Another workspace's domain is refused like one that nobody has.", async () => {
  const [own, foreign] = [await arrange(0), await store.newWorkspace()];
  const answers = [await own.top({ day, domain: foreign.domain.host }), await own.top({ day, domain: 'unknown.example.com' })];
  for (const answer of answers) expectProblem(answer, 422, 'validation_failed');
  expect(answers[0]?.body.errors).toEqual(answers[1]?.body.errors);
});

test.for(['get-top-links', 'get-stats'])(
  "%s refuses tags that do not exist, were deleted, or are another workspace's.",
  async (name) => {
    const [own, foreign] = [await store.newWorkspace(), await store.newWorkspace()];
    const tagOf = async ({ workspaceId }: typeof own, tag: string) =>
      (await store.createTag(workspaceId, { name: tag, color: '#123456' })).id;
    const [kept, deleted, theirs] = [await tagOf(own, 'Kept'), await tagOf(own, 'Deleted'), await tagOf(foreign, 'Theirs')];
    await store.deleteTag(own.workspaceId, deleted);
    const { workspaceId } = own;
    const query = { ...(name === 'get-top-links' && { day }) };
    for (const wrong of [deleted, theirs, 'tag_0', '']) {
      const answer = await callEndpoint(name, { workspaceId, query: { ...query, tagIds: `${kept},${wrong}` } });
      expectProblem(answer, 422, 'tag_not_found');
      expect(answer.body.errors).toMatchObject([{ message: expect.stringContaining(`"tagIds" names "${wrong}"`) }]);
    }
    for (const wrong of ['Deleted', 'Theirs']) {
      const answer = await callEndpoint(name, { workspaceId, query: { ...query, tagNames: `kept,${wrong}` } });
      expectProblem(answer, 422, 'tag_not_found');
      expect(answer.body.errors).toMatchObject([{ message: expect.stringContaining(`"tagNames" names "${wrong}"`) }]);
    }
    const both = await callEndpoint(name, { workspaceId, query: { ...query, tagIds: kept, tagNames: 'KEPT' } });
    expect(both.status).toBe(200);
    expect((await callEndpoint(name, { workspaceId, query: { ...query, tagIds: `${kept},${kept}` } })).status).toBe(200);
  },
);
