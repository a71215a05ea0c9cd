import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { rowDimensions } from '../../../../lambdas/core/click/click.ts';
import type { fakeBucket } from '../../../support/clicks/fake-bucket.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { clickOf, countClicks } from '../../../support/things/clicks.ts';
import { countUniques } from '../../../support/things/unique.ts';

// all-visits.test.ts tests the counts.

const bucket = vi.hoisted(() => ({}) as ReturnType<typeof fakeBucket>);
vi.mock('../../../../lambdas/outbound/click-files.ts', async () => {
  const { fakeBucket } = await import('../../../support/clicks/fake-bucket.ts');
  return Object.assign(bucket, fakeBucket()).module;
});

let store: Store;
beforeAll(async () => {
  store = await useStore();
});
afterEach(() => {
  vi.unstubAllEnvs();
});

async function arrange(count: number) {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const links = (await store.newLinks(workspace, count)).map(({ link }) => link);
  const stats = (query: Readonly<Record<string, string>>) => callEndpoint('get-stats', { workspaceId, query });
  return { workspaceId, links, stats };
}

const range = { from: '2026-01-01T00:00Z', to: '2026-01-03T00:00Z' };

test("Clicks of a deleted link stay in the statistics of the workspace, and erased ones don't.", async () => {
  const { workspaceId, links, stats } = await arrange(3);
  await countClicks(links.map((link) => clickOf(link, '2026-01-02T03:04Z', { country: 'DE' })));
  await callEndpoint('delete-link', { workspaceId, id: links[0]?.id ?? '' });
  await callEndpoint('delete-clicks', { workspaceId, id: links[1]?.id ?? '' });
  const { body } = await stats({ ...range, groupBy: 'country' });
  expect([body.total, body.groups.country]).toEqual([2, [{ value: 'DE', clicks: 2, uniqueClicks: null }]]);
});

test('A click that was made a moment ago is in the default range.', async () => {
  const { links, stats } = await arrange(1);
  const [link] = links;
  if (link) await countClicks([clickOf(link, Date.now())]);
  expect((await stats({})).body.total).toBe(1);
});

test('Unique clicks are numbers everywhere, hours too, if the stage counts them, and otherwise null.', async () => {
  const { links, stats } = await arrange(1);
  const [link] = links;
  if (!link) throw new Error('no link');
  await countClicks(['03:04', '04:05'].map((time) => clickOf(link, `2026-01-02T${time}Z`, { visitor: 'a'.repeat(22) })));
  const uniques = async () => {
    const { body } = await stats({ ...range, interval: 'hour', groupBy: 'os' });
    const points = body.series.map(({ uniqueClicks }: { uniqueClicks: number | null }) => uniqueClicks);
    return [body.uniqueClicks, points[27], points[28], body.groups.os[0].uniqueClicks, body.rest.os.uniqueClicks];
  };
  expect(await uniques()).toEqual([null, null, null, null, null]);
  countUniques();
  expect(await uniques()).toEqual([1, 1, 0, 1, 0]);
});

describe('Statistics of a domain', () => {
  const at = '2026-01-02T03:04Z';

  /** A workspace with a second domain, and a clicked link on each. */
  async function twoDomains() {
    const workspace = await store.newWorkspace();
    const { workspaceId } = workspace;
    const second = await store.addDomain(workspaceId, `second.${workspace.domain.host}`, 'ACTIVE');
    if (!second || !('domainId' in second)) throw new Error('no second domain');
    const links = [];
    for (const domain of [workspace.domain, second]) {
      links.push((await store.createLink(domain, { url: 'https://example.org/' }, store.newLease())).link);
    }
    await countClicks(links.flatMap((link, index) => Array.from({ length: index + 1 }, () => clickOf(link, at, { os: 'ios' }))));
    const stats = (query: Readonly<Record<string, string | undefined>>) =>
      callEndpoint('get-stats', { workspaceId, query: { ...range, ...query } });
    return { workspaceId, links, hosts: [workspace.domain.host, second.host], stats };
  }

  test('Each domain of a workspace has its own clicks, in all dimensions.', async () => {
    const { hosts, stats } = await twoDomains();
    for (const [index, domain] of hosts.entries()) {
      const { status, body } = await stats({ domain, groupBy: rowDimensions.join() });
      expect([status, body.total, body.groups.os]).toEqual([
        200,
        index + 1,
        [{ value: 'ios', clicks: index + 1, uniqueClicks: null }],
      ]);
      expect(Object.keys(body.groups)).toEqual([...rowDimensions]);
    }
  });

  test('A deleted domain keeps its clicks, which another workspace does not see; without any in the range, it is not found.', async () => {
    const { workspaceId, links, hosts, stats } = await twoDomains();
    const [, domain = ''] = hosts;
    await callEndpoint('delete-link', { workspaceId, id: links[1]?.id ?? '' });
    await callEndpoint('delete-domain', { workspaceId, domain });
    expect(await store.getDomain(domain)).toBeUndefined();
    expect((await stats({ domain })).body.total).toBe(2);
    expect((await stats({ domain, from: '2025-01-01T00:00Z', to: '2025-01-02T00:00Z' })).status).toBe(404);
    const other = await store.newWorkspace();
    expect((await callEndpoint('get-stats', { workspaceId: other.workspaceId, query: { domain } })).status).toBe(404);
  });

  test("A domain that isn't the workspace's and has no clicks there gets 404, which names the parameter, also with tags.", async () => {
    const { workspaceId, stats } = await twoDomains();
    const foreign = await twoDomains();
    const { id } = await store.createTag(workspaceId, { name: 'Sale', color: '#123456' });
    for (const domain of [foreign.hosts[0] ?? '', 'nobody.example.com']) {
      for (const more of [{}, { tagIds: id }] as const) {
        const response = await stats({ domain, ...more });
        expectProblem(response, 404, 'not_found');
        expect(response.body.errors).toEqual([
          {
            path: '',
            code: 'not_found',
            message: expect.stringMatching(/^the query parameter "domain" must be a domain of the/),
          },
        ]);
      }
    }
  });

  test('A domain without clicks has zeros.', async () => {
    const { stats } = await twoDomains();
    const { workspaceId, domain } = await store.newWorkspace();
    expect((await stats({ domain: domain.host })).status).toBe(404);
    const { status, body } = await callEndpoint('get-stats', { workspaceId, query: { ...range, domain: domain.host } });
    expect([status, body.total]).toEqual([200, 0]);
  });
});

test('A workspace without clicks has a series of zeros.', async () => {
  const { stats } = await arrange(0);
  const { status, body } = await stats({ ...range, interval: 'day', groupBy: 'source,country' });
  expect(status).toBe(200);
  expect(body).toMatchObject({ total: 0, groups: { source: [], country: [] } });
  expect(body.series.map(({ clicks }: { clicks: number }) => clicks)).toEqual([0, 0]);
});
