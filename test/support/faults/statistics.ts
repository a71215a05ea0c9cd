import { expect } from 'vitest';
import { callEndpoint, contextWith, startEndpoint } from '../http/invoke.ts';
import { clickOf, makeClicks } from '../things/clicks.ts';
import {
  type Answer,
  answerOf,
  batchGet,
  changeAsOther,
  get,
  plenty,
  query,
  type ReadCommand,
  remove,
  type Scenario,
  type Scenarios,
  setCaps,
  store,
  transact,
  update,
} from './scenario.ts';

const day = '2030-01-02';
const range = { from: `${day}T00:00Z`, to: '2030-01-03T00:00Z', groupBy: 'country' };

/** A link with three clicks. */
async function clickedLink() {
  const workspace = await store.newWorkspace();
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = found;
  await makeClicks(['10:00', '11:00', '12:00'].map((time) => clickOf(link, `${day}T${time}Z`, { country: 'DE' })));
  return { workspaceId: workspace.workspaceId, domain: workspace.domain.host, link };
}

/** The same, with a tag. */
async function taggedLink() {
  const clicked = await clickedLink();
  const { workspaceId, link } = clicked;
  const tag = await store.createTag(workspaceId, { name: 'Sale', color: '#123456' });
  await changeAsOther(workspaceId, link.id, { tagIds: [tag.id] });
  return { ...clicked, tagIds: tag.id };
}

/** The same, with two tags. A query of links with both reads these links, because an entry has one tag. */
async function linkWithTwoTags() {
  const clicked = await taggedLink();
  const { workspaceId, link } = clicked;
  const other = await store.createTag(workspaceId, { name: 'Autumn', color: '#123456' });
  const tagIds = [clicked.tagIds, other.id];
  await changeAsOther(workspaceId, link.id, { tagIds });
  return { ...clicked, tagIds: tagIds.join() };
}

type Clicked = Awaited<ReturnType<typeof clickedLink>>;

/** A request that changes nothing, and the response of a success. */
const reading = <C extends Clicked>(
  calls: readonly ReadCommand[],
  endpoint: string,
  request: (clicked: C) => object,
  expected: (clicked: C) => object,
  arrange: () => Promise<C>,
  call: typeof startEndpoint = (name) => (request) => callEndpoint(name, request),
): Scenario => ({
  calls,
  arrange: async () => {
    const clicked = await arrange();
    return {
      act: async (budget) => {
        const response = await call(endpoint)({ workspaceId: clicked.workspaceId, ...request(clicked), budget });
        if (response.status === 200) expect(response.body).toMatchObject(expected(clicked));
        return response;
      },
      check: async () => {},
    };
  },
});

const ranked = ({ link }: Clicked) => ({ links: [{ id: link.id, clicks: 3 }] });
const counted = { total: 3, groups: { country: [{ value: 'DE', clicks: 3 }] } };
const times = (count: number, call: ReadCommand): ReadCommand[] => Array.from({ length: count }, () => call);

const listed = { from: range.from, to: range.to };
const clicksOfList = { clicks: [{ at: `${day}T12:00:00.000Z` }, {}, {}], nextCursor: null };

/** A query reads the tail, and then the notes of erasures. */
const asked: readonly ReadCommand[] = times(9, query);

/** Requests for statistics and clicks. */
export const statisticsScenarios: Scenarios = {
  'get-link-stats': reading(
    [get, ...asked],
    'get-link-stats',
    ({ link }) => ({ id: link.id, query: range }),
    () => counted,
    clickedLink,
  ),
  'get-link-stats: filtered': reading(
    [get, ...asked],
    'get-link-stats',
    ({ link }) => ({ id: link.id, query: { ...range, country: 'DE,AT' } }),
    () => counted,
    clickedLink,
  ),
  'get-stats': reading(
    asked,
    'get-stats',
    () => ({ query: range }),
    () => counted,
    clickedLink,
  ),
  'get-stats: of a domain': reading(
    [get, ...asked],
    'get-stats',
    ({ link }) => ({ query: { ...range, domain: link.domain } }),
    () => counted,
    clickedLink,
  ),
  'get-stats: of a tag': reading(
    [batchGet, query, ...asked],
    'get-stats',
    ({ tagIds }) => ({ query: { ...range, tagIds } }),
    () => counted,
    taggedLink,
  ),
  'get-stats: of a tag on a domain': reading(
    [get, batchGet, query, ...asked],
    'get-stats',
    ({ link, tagIds }) => ({ query: { ...range, tagIds, domain: link.domain } }),
    () => counted,
    taggedLink,
  ),
  'get-stats: of a named tag': reading(
    [batchGet, batchGet, query, ...asked],
    'get-stats',
    () => ({ query: { ...range, tagNames: 'sale' } }),
    () => counted,
    taggedLink,
  ),
  'get-stats: of two tags': reading(
    [batchGet, query, batchGet, ...asked],
    'get-stats',
    ({ tagIds }) => ({ query: { ...range, tagIds, match: 'all' } }),
    () => counted,
    linkWithTwoTags,
  ),
  'get-top-links': reading([...asked, batchGet], 'get-top-links', () => ({ query: { day } }), ranked, clickedLink),
  'get-top-links: of a domain': reading(
    [get, ...asked, batchGet],
    'get-top-links',
    ({ domain }) => ({ query: { from: `${day}T10:00Z`, to: '2030-01-03T10:00Z', domain } }),
    ranked,
    clickedLink,
  ),
  'get-top-links: of a tag': reading(
    [batchGet, query, ...asked, batchGet],
    'get-top-links',
    ({ tagIds }) => ({ query: { day, tagIds } }),
    ranked,
    taggedLink,
  ),
  'get-top-links: of a named tag': reading(
    [batchGet, batchGet, query, ...asked, batchGet],
    'get-top-links',
    () => ({ query: { day, tagNames: 'sale' } }),
    ranked,
    taggedLink,
  ),
  'list-ranked-links': reading(
    [...asked, batchGet, batchGet, query, get, batchGet],
    'list-ranked-links',
    () => ({}),
    ({ link }) => ({ links: [{ id: link.id, clickCount: 3 }], nextCursor: null }),
    clickedLink,
    startEndpoint,
  ),
  'list-ranked-links: of a tag, with a text': reading(
    [batchGet, query, ...asked, batchGet, batchGet, query, get, batchGet],
    'list-ranked-links',
    ({ tagIds }) => ({ query: { tagIds, q: 'http' } }),
    ({ link }) => ({ links: [{ id: link.id, clickCount: 3 }], nextCursor: null }),
    taggedLink,
    startEndpoint,
  ),
  'list-ranked-links: of a named tag, with a cap': reading(
    [batchGet, batchGet, query, ...asked, batchGet, batchGet, query, get, batchGet],
    'list-ranked-links',
    () => ({ query: { tagNames: 'sale' } }),
    ({ link }) => ({ links: [{ id: link.id, clickCount: 3, maxClicks: 5 }], nextCursor: null }),
    async () => {
      const clicked = await taggedLink();
      await setCaps(clicked.workspaceId, [clicked.link.id], [5]);
      return clicked;
    },
    startEndpoint,
  ),
  'list-clicks': reading(
    [get, ...asked],
    'list-clicks',
    ({ link }) => ({ id: link.id, query: listed }),
    () => clicksOfList,
    clickedLink,
  ),
  'list-all-clicks: of a domain': reading(
    [get, ...asked],
    'list-all-clicks',
    ({ domain }) => ({ query: { ...listed, domain } }),
    () => clicksOfList,
    clickedLink,
  ),
  'list-all-clicks: of two tags': reading(
    [batchGet, query, batchGet, ...asked],
    'list-all-clicks',
    ({ tagIds }) => ({ query: { ...listed, tagIds, match: 'all' } }),
    () => clicksOfList,
    linkWithTwoTags,
  ),
  'list-all-clicks: of a named tag': reading(
    [batchGet, batchGet, query, ...asked],
    'list-all-clicks',
    () => ({ query: { ...listed, tagNames: 'sale' } }),
    () => clicksOfList,
    taggedLink,
  ),
  'delete-clicks': {
    calls: [get, transact],
    succeeds: 204,
    arrange: async () => {
      const { workspaceId, link } = await clickedLink();
      return {
        act: (budget) => callEndpoint('delete-clicks', { workspaceId, id: link.id, budget }),
        check: async () => {
          const found = await store.getLink(workspaceId, link.id);
          expect(found?.clickCount).toBe(0);
          expect(found?.link.clickEpoch).toBeGreaterThanOrEqual(1);
          const sweep = await store.getItem({ pk: `ERASURE#${link.id}`, sk: 'SWEEP' });
          expect(sweep).toMatchObject({ linkId: link.id, epoch: found?.link.clickEpoch });
        },
        // The owner changes the link, and a visitor of the link as it then is clicks.
        meanwhile: async () => {
          await changeAsOther(workspaceId, link.id, { title: 'Theirs' });
          const current = await store.findLink(workspaceId, link.id);
          if (current) await makeClicks([clickOf(current, `${day}T13:00Z`, { country: 'DE' })]);
        },
        checkBoth: async ({ status }) => {
          const found = await store.getLink(workspaceId, link.id);
          const { erasedLinks } = await import('../../../lambdas/store/clicks/erased-notes.ts');
          const noted = (await erasedLinks(workspaceId)).get(link.id);
          expect([status, found?.link.title, found?.link.clickEpoch]).toEqual([204, 'Theirs', noted]);
          // The click came after the erasure if that was executed before its answer was lost.
          expect([0, 1]).toContain(found?.clickCount);
        },
      };
    },
  },
  'sweep: erased clicks': {
    calls: [get, get, update, ...times(16, query), ...Array.from({ length: 3 }, () => remove), remove],
    settles: 22,
    arrange: async () => {
      const { workspaceId, link } = await clickedLink();
      await store.eraseClicks(link);
      const check = async () => {
        expect(await recordsOf(link.id)).toBe(0);
        expect(await store.getItem({ pk: `ERASURE#${link.id}`, sk: 'SWEEP' })).toBeUndefined();
      };
      return {
        act: (budget) => sweep(link.id, budget),
        check,
        // A visitor clicks, which is counted, and the page is delivered twice.
        meanwhile: async () => {
          const current = await store.findLink(workspaceId, link.id);
          if (current) await makeClicks([clickOf(current, `${day}T13:00Z`, { country: 'FR' })]);
          await sweep(link.id, plenty);
        },
        checkBoth: async ({ status }) => {
          const found = await store.getLink(workspaceId, link.id);
          expect([status, found?.clickCount, await recordsOf(link.id)]).toEqual([200, 1, 1]);
        },
      };
    },
  },
  'sweep: a page of erased clicks with another behind it': {
    calls: [get, get, update, query, remove, update],
    settles: 5,
    arrange: async () => {
      const workspace = await store.newWorkspace();
      const [found] = await store.newLinks(workspace, 1);
      if (!found) throw new Error('no link');
      const { link } = found;
      // Both are in the first partition.
      const clicks = ['0', 'P'].map((id) => ({ ...clickOf(link, `${day}T10:00Z`), id: `${'0'.repeat(15)}${id}` }));
      await makeClicks(clicks);
      await store.eraseClicks(link);
      const page = () => store.erasePage(link.id, 1);
      const check = async () => {
        while (await store.getItem({ pk: `ERASURE#${link.id}`, sk: 'SWEEP' })) await page();
        expect(await recordsOf(link.id)).toBe(0);
      };
      return {
        act: (budget) => answerOf(budget, page),
        check,
        // The page is delivered twice. If it is done already, the next one is.
        meanwhile: page,
        checkBoth: async ({ status }) => {
          expect(status).toBe(200);
          await check();
        },
      };
    },
  },
};

/** Runs one page of a sweep of erased clicks, as the stream triggers it. */
async function sweep(linkId: string, budget: number): Promise<Answer> {
  const { handler } = await import('../../../lambdas/events/sweep.ts');
  const Records = [{ dynamodb: { Keys: { pk: { S: `ERASURE#${linkId}` } }, SequenceNumber: '1' } }];
  const { batchItemFailures } = await handler({ Records }, contextWith(budget));
  // A reported record is delivered again, which corresponds to a 503.
  return batchItemFailures.length > 0 ? { status: 503, headers: { 'Retry-After': '1' } } : { status: 200 };
}

/** How many clicks of a link are recorded. */
async function recordsOf(linkId: string): Promise<number> {
  const parts = Array.from({ length: 16 }, (_, part) =>
    Array.fromAsync(store.query({ pk: `CLICK#${linkId}#${part}`, between: ['0', ':'] })),
  );
  return (await Promise.all(parts)).flat().length;
}
