import { beforeAll, describe, expect, test, vi } from 'vitest';
import { type Click, rowDimensions } from '../../../../lambdas/core/click/click.ts';
import { makeCursor } from '../../../../lambdas/core/cursor.ts';
import type { fakeBucket } from '../../../support/clicks/fake-bucket.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { clickOf, countClicks } from '../../../support/things/clicks.ts';
import { unknownLink } from '../../../support/things/links.ts';

// The common parts of both lists of clicks. The tests of the click log test their pages.

const bucket = vi.hoisted(() => ({}) as ReturnType<typeof fakeBucket>);
vi.mock('../../../../lambdas/outbound/click-files.ts', async () => {
  const { fakeBucket } = await import('../../../support/clicks/fake-bucket.ts');
  return Object.assign(bucket, fakeBucket()).module;
});

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

type Query = Readonly<Record<string, string | readonly string[]>>;
type Name = 'list-clicks' | 'list-all-clicks';

async function arrange(name: Name = 'list-clicks') {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = found;
  const list = (query: Query = {}, headers: Record<string, string> = {}) =>
    callEndpoint(name, { workspaceId, ...(name === 'list-clicks' && { id: link.id }), query, headers });
  return { workspace, workspaceId, link, list };
}

/** Stores these clicks. */
const year = new Date().getUTCFullYear() - 1;
const start = Date.UTC(year, 0, 2);
const seconds = (count: number) => start + 1_000 * count;
const iso = (count: number) => new Date(seconds(count)).toISOString();

/** A listed click. */
const shown = ({ id, at, linkId, host, ...click }: Click) => ({
  id,
  at,
  linkId,
  ...Object.fromEntries(rowDimensions.map((dimension) => [dimension, click[dimension]])),
  domain: host,
  isUnique: null,
});
const header = ['id', 'at', 'linkId', ...rowDimensions, 'domain', 'isUnique'].join();

describe.for<Name>(['list-clicks', 'list-all-clicks'])('%s', (name) => {
  test('All clicks are listed, newest first, each with all its recorded values.', async () => {
    const { link, list } = await arrange(name);
    const visitor = Object.fromEntries(rowDimensions.map((dimension) => [dimension, `a ${dimension}`]));
    const clicks = Array.from({ length: 40 }, (_, second) => clickOf(link, seconds(second), second % 2 === 0 ? {} : visitor));
    await countClicks(clicks);
    expect((await list()).body).toEqual({ clicks: clicks.map(shown).toReversed(), nextCursor: null });
  });

  test('CSV has the same rows as JSON, and `Link` leads from page to page, with the same range and filters.', async () => {
    const { link, list } = await arrange(name);
    const campaigns = ['a, b', 'Größe & more', 'other'];
    await countClicks(
      Array.from({ length: 33 }, (_, second) => clickOf(link, seconds(second), { utmCampaign: campaigns[second % 3] })),
    );
    const query = { from: iso(2), to: iso(32), utmCampaign: 'a\\, b,größe & more', limit: '8' };
    const rows: string[] = [];
    let address: URL | undefined = new URL(`https://api.example/clicks?${new URLSearchParams(query)}`);
    const sizes: number[] = [];
    while (address) {
      const { status, headers, body } = await list(Object.fromEntries(address.searchParams), { Accept: 'text/csv' });
      expect([status, headers['Content-Type']]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
      expect(body.endsWith('\r\n')).toBe(true);
      const [first, ...page] = body.slice(0, -2).split('\r\n');
      expect(first).toBe(header);
      rows.push(...page);
      sizes.push(page.length);
      const next: string | undefined = /^<(.+)>; rel="next"$/.exec(String(headers.Link ?? ''))?.[1];
      address = next === undefined ? undefined : new URL(next, address);
    }
    expect(sizes).toEqual([8, 2]);
    const { body } = await list({ ...query, limit: '1000' });
    expect(rows).toEqual(
      body.clicks.map((click: Record<string, string>) =>
        Object.values(click)
          .map((value) => (value?.includes(',') ? `"${value}"` : value))
          .join(),
      ),
    );
  });

  test('A list without clicks has only the names of the fields.', async () => {
    const { list } = await arrange(name);
    const { body, headers } = await list({}, { Accept: 'text/csv' });
    expect([body, headers.Link]).toEqual([`${header}\r\n`, undefined]);
  });

  test('A cursor of another list, range, filter or workspace is refused, and so is one outside of its range.', async () => {
    const { workspaceId, link, list } = await arrange(name);
    const other = await arrange(name);
    const [from, to] = [iso(10), iso(40)];
    for (const one of [link, other.link]) {
      await countClicks(Array.from({ length: 50 }, (_, second) => clickOf(one, seconds(second))));
    }
    const plain = (await list({ limit: '1' })).body.nextCursor;
    const foreign = (await other.list({ limit: '1' })).body.nextCursor;
    const own = name === 'list-clicks' ? [workspaceId, link.id] : [workspaceId, undefined, undefined, undefined, undefined];
    const made = (position: string) => makeCursor([...own, 'clicks', from, to, {}], position);
    const tries: Query[] = [
      { cursor: '' },
      { cursor: 'made up' },
      { cursor: 'x'.repeat(5_000) },
      { cursor: foreign },
      { from, cursor: plain },
      { to, cursor: plain },
      { country: 'DE', cursor: plain },
      { cursor: `${plain}A` },
      // Knowing how cursors are made does not help.
      ...[
        '',
        '#',
        'x',
        `${seconds(9)}##0#`,
        `${seconds(41)}##0#`,
        `${seconds(20)}#lnk_#1#`,
        `${seconds(20)}##1e3#`,
        `${seconds(20)}##-1#`,
      ].map((position) => ({ from, to, cursor: made(position) })),
      { from, to, cursor: made(`${seconds(20)}#${link.id}#1#'; DROP TABLE`) },
    ];
    for (const query of tries) {
      const response = await list(query);
      expectProblem(response, 422, 'validation_failed');
      expect(response.body.errors).toMatchObject([{ path: '', code: 'invalid_cursor' }]);
    }
    expect((await list({ limit: '100', cursor: plain })).body.clicks).toHaveLength(49);
    for (const [position, count] of [
      [`${seconds(20)}##0#`, 10],
      [`${seconds(20)}#${link.id}#2#`, 11],
      [`${seconds(20)}#${link.id}#999999999999#${'z'.repeat(22)}`, 11],
    ] as const) {
      const { status, body } = await list({ from, to, cursor: made(position) });
      expect([position, status, body.clicks?.length]).toEqual([position, 200, count]);
    }
  });

  test.for<[Query, string, string]>([
    [{ limit: '0' }, 'limit', 'out_of_range'],
    [{ limit: '1001' }, 'limit', 'out_of_range'],
    [{ limit: 'ten' }, 'limit', 'out_of_range'],
    [{ from: '2030-01-02' }, 'from', 'invalid_timestamp'],
    [{ to: 'now' }, 'to', 'invalid_timestamp'],
    [{ from: '2030-01-03T00:00Z', to: '2030-01-02T00:00Z' }, 'from', 'out_of_range'],
    [{ from: '2030-01-02T00:00Z', to: '2030-01-02T00:00Z' }, 'from', 'out_of_range'],
    [{ country: 'XX' }, 'country', 'unknown_country'],
    [{ utmSource: '' }, 'utmSource', 'invalid_value'],
    [{ groupBy: 'country' }, 'groupBy', 'unknown_parameter'],
    [{ limit: ['1', '2'] }, 'limit', 'repeated_parameter'],
  ])('%j is refused, naming "%s" and the rule %s.', async ([query, parameter, code]) => {
    const { list } = await arrange(name);
    const response = await list(query);
    expectProblem(response, 422, 'validation_failed');
    expect(response.body.errors).toEqual([
      { path: '', code, message: expect.stringContaining(`the query parameter "${parameter}" `) },
    ]);
  });

  test.for<Query>([
    { from: '0000-01-01T00:00Z' },
    { to: '0000-01-01T00:00Z' },
    { from: '9999-12-31T23:59:59.999Z' },
    { to: '9999-12-31T23:59:59.999Z' },
    { from: `${year}-01-02T00:00:00.001Z`, to: `${year}-01-02T00:00:00.002Z` },
    { path: "'); DROP TABLE clicks; --", utmSource: '\u0000', slug: '%' },
  ])('%j has no clicks, and is not an error.', async (query) => {
    const { link, list } = await arrange(name);
    await countClicks([clickOf(link, start)]);
    const { status, body } = await list({ ...query, country: 'DE' });
    expect([status, body]).toEqual([200, { clicks: [], nextCursor: null }]);
  });
});

describe('as CSV', () => {
  const csv = { Accept: 'text/csv' };

  test.for([
    ['=HYPERLINK("http://evil.example")', `"'=HYPERLINK(""http://evil.example"")"`],
    ['+1', "'+1"],
    ['-1+1', "'-1+1"],
    ['@SUM(A1)', "'@SUM(A1)"],
    ['＝1', "'＝1"],
    ['a,b', '"a,b"'],
    ['a"b', '"a""b"'],
    ['a;=1', `"a;'=1"`],
    ['a\n=1', `"a\n'=1"`],
    ['a=1', 'a=1'],
  ])('The campaign %j becomes %j, which no spreadsheet takes for a formula.', async ([utmCampaign, cell]) => {
    const { link, list } = await arrange();
    const click = clickOf(link, start, { utmCampaign });
    await countClicks([click]);
    const { body } = await list({}, csv);
    const values = rowDimensions.map((dimension) => (dimension === 'utmCampaign' ? cell : 'unknown'));
    expect(body).toBe(`${header}\r\n${[click.id, click.at, link.id, ...values, link.domain, ''].join()}\r\n`);
  });

  test.for<[string, string]>([
    ['text/csv', 'text/csv'],
    ['TEXT/CSV; charset=utf-8', 'text/csv'],
    ['text/csv, application/json', 'text/csv'],
    ['text/csv;q=0.9, */*;q=0.1', 'text/csv'],
    ['text/html, text/csv', 'text/csv'],
    ['application/json, text/csv', 'application/json'],
    ['application/json', 'application/json'],
    ['*/*', 'application/json'],
    ['*/*, text/csv', 'application/json'],
    ['text/html', 'application/json'],
    ['application/xml', 'application/json'],
  ])('`Accept: %s` is answered with %s.', async ([Accept, type]) => {
    const { list } = await arrange();
    const { status, headers } = await list({}, { Accept });
    expect([status, String(headers['Content-Type']).split(';')[0]]).toEqual([200, type]);
  });

  test('A refusal is a problem document, whatever `Accept` says.', async () => {
    const { list } = await arrange();
    expectProblem(await list({ limit: '0' }, csv), 422, 'validation_failed');
  });
});

test('Clicks say whether they are unique if the stage counts unique clicks.', async () => {
  vi.stubEnv('UNIQUE_CLICKS', 'daily');
  const { link, list } = await arrange();
  await countClicks([1, 2].map((second) => clickOf(link, seconds(second), { visitor: 'v'.repeat(22) })));
  expect((await list()).body.clicks.map(({ isUnique }: { isUnique: boolean }) => isUnique)).toEqual([false, true]);
  vi.unstubAllEnvs();
});

test('If a file of clicks is missing or damaged, the service is unavailable.', async () => {
  const { workspaceId, list } = await arrange();
  for (const number of [2, 1]) {
    const key = `clicks/workspace=${workspaceId}/month=${year}-01/00000${number}-00000${number}-0.parquet`;
    bucket.files.set(key, { content: Buffer.from('no parquet'), modifiedAt: Date.now() });
    expectProblem(await list(), 503, 'temporarily_unavailable');
  }
});

test("An unknown link, another workspace's, a deleted one and a malformed id are all not found.", async () => {
  const [own, foreign, gone] = [await arrange(), await arrange(), await arrange()];
  await callEndpoint('delete-link', { workspaceId: gone.workspaceId, id: gone.link.id });
  const tries = [
    [own.workspaceId, unknownLink],
    [own.workspaceId, foreign.link.id],
    [own.workspaceId, 'nonsense'],
    [gone.workspaceId, gone.link.id],
  ] as const;
  for (const [workspaceId, id] of tries) {
    expectProblem(await callEndpoint('list-clicks', { workspaceId, id }), 404, 'not_found');
  }
});
