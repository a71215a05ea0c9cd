import { beforeAll, expect, test, vi } from 'vitest';
import { makeCursor } from '../../../../lambdas/core/cursor.ts';
import type { fakeBucket } from '../../../support/clicks/fake-bucket.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { clickOf, countClicks } from '../../../support/things/clicks.ts';

// all-visits.test.ts tests the links, their order and their counts.

const bucket = vi.hoisted(() => ({}) as ReturnType<typeof fakeBucket>);
vi.mock('../../../../lambdas/outbound/click-files.ts', async () => {
  const { fakeBucket } = await import('../../../support/clicks/fake-bucket.ts');
  return Object.assign(bucket, fakeBucket()).module;
});

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const day = '2026-01-02';

/** A workspace with links, of which the first was clicked once on that day, the second twice, and so on. */
async function arrange(count: number) {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const links = (await store.newLinks(workspace, count)).map(({ link }) => link);
  const clicks = links.flatMap((link, index) => Array.from({ length: index + 1 }, () => clickOf(link, `${day}T12:00Z`)));
  await countClicks(clicks);
  const top = (query: Readonly<Record<string, string | readonly string[]>> = { day }) =>
    callEndpoint('get-top-links', { workspaceId, query });
  return { workspaceId, links, top };
}

test('A day in UTC is a short form of its range, and a link that was deleted since is listed without its URL and title.', async () => {
  const { workspaceId, links, top } = await arrange(2);
  for (const [index, title] of ['Of the first', 'Of the second'].entries())
    await callEndpoint('update-link', { workspaceId, id: links[index]?.id ?? '', body: { title } });
  await callEndpoint('delete-link', { workspaceId, id: links[1]?.id ?? '' });
  const { body } = await top();
  expect(body).toMatchObject({
    from: '2026-01-02T00:00:00.000Z',
    to: '2026-01-03T00:00:00.000Z',
    links: [
      {
        id: links[1]?.id,
        shortUrl: null,
        title: null,
        clicks: 2,
        uniqueClicks: null,
        previous: { clicks: 0, uniqueClicks: null },
      },
      { id: links[0]?.id, shortUrl: `https://${links[0]?.domain}/${links[0]?.shortCode}`, title: 'Of the first', clicks: 1 },
    ],
    nextCursor: null,
  });
});

test('The next page has the range of the first one, however late it is requested, and keeps its order while clicks arrive.', async () => {
  const { workspaceId, links, top } = await arrange(3);
  const first = (await top({ from: '2026-01-01T00:00Z', limit: '1' })).body;
  const [last] = links;
  if (last) await countClicks(Array.from({ length: 9 }, () => clickOf(last, '2026-02-02T12:00Z')));
  const { body } = await callEndpoint('get-top-links', {
    workspaceId,
    query: { from: '2026-01-01T00:00Z', limit: '2', cursor: first.nextCursor },
    receivedAt: Date.now() + 3_600_000,
  });
  expect([body.from, body.to]).toEqual([first.from, first.to]);
  expect([...first.links, ...body.links].map(({ clicks }) => clicks)).toEqual([3, 2]);
});

test('A cursor of other parameters or of another workspace is refused.', async () => {
  const { top } = await arrange(2);
  const { nextCursor: cursor } = (await top({ day, limit: '1' })).body;
  expect((await top({ day, limit: '1', cursor })).status).toBe(200);
  const others: Record<string, string>[] = [{ day: '2026-01-03' }, { day, country: 'DE' }];
  for (const query of others) expectProblem(await top({ ...query, cursor }), 422, 'validation_failed');
  expectProblem(await (await arrange(0)).top({ day, cursor }), 422, 'validation_failed');
});

test('A made-up cursor with an invalid position is refused, and a range of any length is accepted.', async () => {
  const { workspaceId, top } = await arrange(0);
  const id = `lnk_${'0'.repeat(28)}`;
  const [from, to] = ['2026-01-01T00:00Z', '2026-01-02T00:00Z'].map((time) => Date.parse(time));
  const ask = (position: string) => top({ cursor: makeCursor([workspaceId, 'top-links', {}], position) });
  for (const position of [
    '',
    `${from}#${to}#1#lnk_`,
    `${to}#${from}#1#${id}`,
    `0#${to}#1#${id}`,
    `${from}#999999999999999#1#${id}`,
    `1e3#${to}#1#${id}`,
    `${from}#${to}#-1#${id}`,
  ]) {
    expectProblem(await ask(position), 422, 'validation_failed');
  }
  expect((await ask(`${from}#${to}#999999999999999#${id}`)).status).toBe(200);
  expect((await top({ from: '2000-01-01T00:00Z', to: '9999-12-31T00:00Z' })).status).toBe(200);
});

test('A day without clicks has no links.', async () => {
  const { top } = await arrange(1);
  expect((await top({ day: '2026-01-03' })).body).toMatchObject({ links: [], nextCursor: null });
});

test.for<[Readonly<Record<string, string | readonly string[]>>, string, string]>([
  [{ day: '2026-02-30' }, 'day', 'invalid_day'],
  [{ day: '2026-1-2' }, 'day', 'invalid_day'],
  [{ day: '2026-01-02T00:00Z' }, 'day', 'invalid_day'],
  [{ day: 'today' }, 'day', 'invalid_day'],
  [{ day: '9999-12-31' }, 'day', 'invalid_day'],
  [{ day: '' }, 'day', 'invalid_day'],
  [{ day: [day, day] }, 'day', 'repeated_parameter'],
  [{ day, limit: '0' }, 'limit', 'out_of_range'],
  [{ day, limit: '101' }, 'limit', 'out_of_range'],
  [{ day, timezone: 'UTC' }, 'timezone', 'unknown_parameter'],
  [{ day, from: '2026-01-02T00:00Z' }, 'day', 'not_together'],
  [{ day, to: '2026-01-02T00:00Z' }, 'day', 'not_together'],
  [{ from: '2026-01-02T00:00Z', to: '2026-01-02T00:00Z' }, 'from', 'out_of_range'],
  [{ from: '2026-01-01T00:00:00.5Z' }, 'from', 'not_on_second'],
  [{ day, cursor: 'x' }, 'cursor', 'invalid_cursor'],
  [{ day, country: 'XX' }, 'country', 'unknown_country'],
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

test("Another workspace's domain is not found, like an unknown one.", async () => {
  const [own, foreign] = [await arrange(0), await store.newWorkspace()];
  const answers = [await own.top({ day, domain: foreign.domain.host }), await own.top({ day, domain: 'unknown.example.com' })];
  for (const answer of answers) expectProblem(answer, 404, 'not_found');
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
