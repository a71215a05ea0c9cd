import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Click, type Dimension, dimensions } from '../../../../lambdas/core/click/click.ts';
import { makeCursor } from '../../../../lambdas/core/cursor.ts';
import { underFaults } from '../../../support/faults/faults.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { clickOf, laterEpoch, recordClicks } from '../../../support/things/clicks.ts';
import { unknownLink } from '../../../support/things/links.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

type Query = Readonly<Record<string, string | readonly string[]>>;
type Listed = { readonly id: string; readonly at: string };

async function arrange() {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = found;
  const list = (query: Query = {}, headers: Record<string, string> = {}) =>
    callEndpoint('list-clicks', { workspaceId, id: link.id, query, headers });
  return { workspace, workspaceId, link, list };
}

const start = Date.parse('2030-01-02T00:00Z');
const seconds = (count: number) => start + 1_000 * count;

/** A click as it is listed. */
const shown = ({ id, at, linkId, ...click }: Click) => ({
  id,
  at,
  linkId,
  ...Object.fromEntries(dimensions.map((dimension) => [dimension, click[dimension]])),
});

/** By time, the newest first. Clicks of the same millisecond may be in any order, which stays the same. */
const newestFirst = (clicks: readonly Listed[]) =>
  clicks
    .map(({ at, id }) => `${at}#${id}`)
    .toSorted()
    .toReversed();
const places = (clicks: readonly Listed[]) => clicks.map(({ at, id }) => `${at}#${id}`);

test('All clicks of a link are listed, newest first, each with all that was recorded of it.', async () => {
  const { link, list } = await arrange();
  const visitor = Object.fromEntries(dimensions.map((dimension) => [dimension, `a ${dimension}`]));
  const clicks = Array.from({ length: 40 }, (_, second) => clickOf(link, seconds(second), second % 2 === 0 ? {} : visitor));
  await recordClicks(clicks);
  expect((await list()).body).toEqual({ clicks: clicks.map(shown).toReversed(), nextCursor: null });
});

test('Page after page has each click once, newest first, while others come, whatever the range and the limit.', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.nat(30), { maxLength: 60 }),
      fc.array(fc.nat(40), { maxLength: 20 }),
      fc.integer({ min: 3, max: 25 }),
      fc.option(fc.nat(20), { nil: undefined }),
      fc.option(fc.integer({ min: 21, max: 31 }), { nil: undefined }),
      async (times, later, limit, first, end) => {
        const { link, list } = await arrange();
        const before = times.map((second) => clickOf(link, seconds(second)));
        await recordClicks(before);
        const range = {
          ...(first !== undefined && { from: new Date(seconds(first)).toISOString() }),
          ...(end !== undefined && { to: new Date(seconds(end)).toISOString() }),
        };
        const listed: Listed[] = [];
        const coming = later.map((second) => clickOf(link, seconds(second)));
        for (let cursor: string | null = ''; cursor !== null; ) {
          const { status, body } = await list({ ...range, limit: String(limit), ...(cursor && { cursor }) });
          expect(status).toBe(200);
          if (body.nextCursor !== null) expect(body.clicks).toHaveLength(limit);
          listed.push(...body.clicks);
          cursor = body.nextCursor;
          await recordClicks(coming.splice(0, 3));
        }
        expect(places(listed)).toEqual(newestFirst(listed));
        expect(new Set(places(listed)).size).toBe(listed.length);
        const wanted = before.filter(({ at }) => (range.from ?? '') <= at && at < (range.to ?? '~'));
        const known = new Set(before.map(({ id }) => id));
        expect(places(listed.filter(({ id }) => known.has(id)))).toEqual(newestFirst(wanted));
      },
    ),
    { numRuns: runs(5) },
  );
});

test('A page of 50 clicks costs one read unit for the link and half of one for each partition of clicks.', async () => {
  const { link, list } = await arrange();
  await recordClicks(Array.from({ length: 200 }, (_, second) => clickOf(link, seconds(second))));
  const { result, units } = await underFaults(
    () => undefined,
    () => list(),
  );
  expect(result.body.clicks).toHaveLength(50);
  expect(units.read).toBeGreaterThanOrEqual(1 + 16 / 2);
  expect(units.read).toBeLessThanOrEqual(1 + 16);
});

describe('as CSV', () => {
  const csv = { Accept: 'text/csv' };
  const header = ['id', 'at', 'linkId', ...dimensions].join();

  test('CSV has the same rows as JSON, and `Link` leads from page to page, with the same filter.', async () => {
    const { link, list } = await arrange();
    await recordClicks(Array.from({ length: 23 }, (_, second) => clickOf(link, seconds(second), { os: 'linux' })));
    const query = { from: new Date(seconds(2)).toISOString(), to: new Date(seconds(22)).toISOString(), limit: '8' };
    const rows: string[] = [];
    let address: URL | undefined = new URL(`https://api.example/api/v1/links/${link.id}/clicks?${new URLSearchParams(query)}`);
    const sizes: number[] = [];
    while (address) {
      const { status, headers, body } = await list(Object.fromEntries(address.searchParams), csv);
      expect([status, headers['Content-Type']]).toEqual([200, 'text/csv; charset=utf-8; header=present']);
      expect(body.endsWith('\r\n')).toBe(true);
      const [first, ...page] = body.slice(0, -2).split('\r\n');
      expect(first).toBe(header);
      rows.push(...page);
      sizes.push(page.length);
      const next: string | undefined = /^<(.+)>; rel="next"$/.exec(String(headers.Link ?? ''))?.[1];
      address = next === undefined ? undefined : new URL(next, address);
    }
    expect(sizes).toEqual([8, 8, 4]);
    const { body } = await list({ ...query, limit: '100' });
    expect(rows).toEqual(body.clicks.map((click: Record<string, string>) => Object.values(click).join()));
  });

  test('A link without clicks has only the names of the fields.', async () => {
    const { list } = await arrange();
    const { body, headers } = await list({}, csv);
    expect([body, headers.Link]).toEqual([`${header}\r\n`, undefined]);
  });

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
  ])('A referrer that reads %j becomes %j, which no spreadsheet takes for a formula.', async ([referrer, cell]) => {
    const { link, list } = await arrange();
    const click = clickOf(link, start, { referrer });
    await recordClicks([click]);
    const { body } = await list({}, csv);
    const values = dimensions.map((dimension: Dimension) => (dimension === 'referrer' ? cell : 'unknown'));
    expect(body).toBe(`${header}\r\n${[click.id, click.at, link.id, ...values].join()}\r\n`);
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

test.for<[Query, string, string]>([
  [{ limit: '0' }, 'limit', 'out_of_range'],
  [{ limit: '101' }, 'limit', 'out_of_range'],
  [{ limit: 'ten' }, 'limit', 'out_of_range'],
  [{ from: '2030-01-02' }, 'from', 'invalid_timestamp'],
  [{ to: 'now' }, 'to', 'invalid_timestamp'],
  [{ from: '2030-01-03T00:00Z', to: '2030-01-02T00:00Z' }, 'from', 'out_of_range'],
  [{ from: '2030-01-02T00:00Z', to: '2030-01-02T00:00Z' }, 'from', 'out_of_range'],
  [{ cursor: '' }, 'cursor', 'invalid_cursor'],
  [{ cursor: 'made up' }, 'cursor', 'invalid_cursor'],
  [{ cursor: 'x'.repeat(5_000) }, 'cursor', 'invalid_cursor'],
  [{ groupBy: 'country' }, 'groupBy', 'unknown_parameter'],
  [{ limit: ['1', '2'] }, 'limit', 'repeated_parameter'],
])('%j is refused, naming "%s" and the rule %s.', async ([query, parameter, code]) => {
  const { list } = await arrange();
  const response = await list(query);
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toEqual([
    { path: '', code, message: expect.stringContaining(`the query parameter "${parameter}" `) },
  ]);
});

test('A cursor of another link, another range or another list is refused, and so is one that leads out of its range.', async () => {
  const { workspace, workspaceId, link, list } = await arrange();
  const other = await arrange();
  const from = new Date(seconds(10)).toISOString();
  const to = new Date(seconds(40)).toISOString();
  for (const one of [link, other.link]) {
    await recordClicks(Array.from({ length: 50 }, (_, second) => clickOf(one, seconds(second))));
  }
  await store.newLinks(workspace, 2);
  const plain = (await list({ limit: '1' })).body.nextCursor;
  const foreign = (await other.list({ limit: '1' })).body.nextCursor;
  const links = (await callEndpoint('list-links', { workspaceId, query: { limit: '1' } })).body.nextCursor;
  const scope = [workspaceId, 'clicks', link.id, from, to];
  const at = (second: number) => `${new Date(seconds(second)).toISOString()}#0`;
  const tries: Query[] = [
    { cursor: foreign },
    { cursor: links },
    { from, cursor: plain },
    { to, cursor: plain },
    { cursor: `${plain}A` },
    // Who knows how a cursor is made comes no further.
    { from, to, cursor: makeCursor(scope, at(9)) },
    { from, to, cursor: makeCursor(scope, at(40)) },
    { from, to, cursor: makeCursor(scope, 'x') },
    { from, to, cursor: makeCursor(scope, `${at(20)}#`) },
  ];
  for (const query of tries) {
    const response = await list(query);
    expectProblem(response, 422, 'validation_failed');
    expect(response.body.errors).toMatchObject([{ path: '', code: 'invalid_cursor' }]);
  }
  expect((await list({ limit: '100', cursor: plain })).body.clicks).toHaveLength(49);
  expect((await list({ from, to, cursor: makeCursor(scope, at(20)) })).body.clicks).toHaveLength(10);
});

test('Erased clicks that are still recorded are passed over in bounded steps, and the next pages have those behind them.', async () => {
  const { link, list } = await arrange();
  await recordClicks(Array.from({ length: 30 }, (_, second) => clickOf({ ...link, clickEpoch: laterEpoch }, seconds(second))));
  await recordClicks(Array.from({ length: 1_200 }, (_, second) => clickOf(link, seconds(100 + second))));
  await callEndpoint('delete-clicks', { workspaceId: link.workspaceId, id: link.id });
  const listed: Listed[] = [];
  let pages = 0;
  for (let cursor: string | null = ''; cursor !== null; pages++) {
    const { result, commands } = await underFaults(
      () => undefined,
      () => list({ limit: '20', ...(cursor && { cursor }) }),
    );
    expect(result.status).toBe(200);
    expect(commands.length).toBeLessThan(400);
    listed.push(...result.body.clicks);
    cursor = result.body.nextCursor;
  }
  expect(listed.map(({ at }) => at)).toEqual(
    Array.from({ length: 30 }, (_, index) => new Date(seconds(29 - index)).toISOString()),
  );
  expect(pages).toBe(3);
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
