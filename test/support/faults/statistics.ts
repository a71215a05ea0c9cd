import { expect } from 'vitest';
import { clickOf, makeClicks } from '../clicks.ts';
import { callEndpoint } from '../invoke.ts';
import { batchGet, get, query, type Scenario, store, transact } from './scenario.ts';

const day = '2030-01-02';
const range = { from: `${day}T00:00Z`, to: '2030-01-03T00:00Z', groupBy: 'country' };

/** A link with three clicks. */
async function clickedLink() {
  const workspace = await store.newWorkspace();
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = found;
  await makeClicks(['10:00', '11:00', '12:00'].map((time) => clickOf(link, `${day}T${time}Z`, { country: 'DE' })));
  return { workspaceId: workspace.workspaceId, link };
}

type Clicked = Awaited<ReturnType<typeof clickedLink>>;

/** A request that changes nothing, and what a success must say. */
const reading = (
  calls: readonly string[],
  endpoint: string,
  request: (clicked: Clicked) => object,
  expected: (clicked: Clicked) => object,
): Scenario => ({
  calls,
  arrange: async () => {
    const clicked = await clickedLink();
    return {
      act: async (budget) => {
        const answer = await callEndpoint(endpoint, { workspaceId: clicked.workspaceId, ...request(clicked), budget });
        if (answer.status === 200) expect(answer.body).toMatchObject(expected(clicked));
        return answer;
      },
      check: async () => {},
    };
  },
});

const counted = { total: 3, groups: { country: [{ value: 'DE', clicks: 3 }] } };
const times = (count: number, call: string): string[] => Array.from({ length: count }, () => call);

/** Requests for statistics and clicks. */
export const statisticsScenarios: Record<string, Scenario> = {
  'get-link-stats': reading(
    [get, query],
    'get-link-stats',
    ({ link }) => ({ id: link.id, query: range }),
    () => counted,
  ),
  'get-stats': reading(
    times(8, query),
    'get-stats',
    () => ({ query: range }),
    () => counted,
  ),
  'get-top-links': reading(
    [...times(8, query), batchGet, batchGet],
    'get-top-links',
    () => ({ query: { day } }),
    ({ link }) => ({ exact: true, links: [{ id: link.id, clicks: 3 }] }),
  ),
  'list-clicks': reading(
    [get, ...times(16, query)],
    'list-clicks',
    ({ link }) => ({ id: link.id }),
    () => ({ clicks: [{ at: `${day}T12:00:00.000Z` }, {}, {}], nextCursor: null }),
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
      };
    },
  },
};
