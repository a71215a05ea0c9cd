import { afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { RowDimension } from '../../../../lambdas/core/click/click.ts';
import type { fakeBucket } from '../../../support/clicks/fake-bucket.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { clickOf, countClicks } from '../../../support/things/clicks.ts';
import { unknownLink } from '../../../support/things/links.ts';

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
  vi.restoreAllMocks();
});

type Query = Readonly<Record<string, string>>;

async function arrange() {
  const workspace = await store.newWorkspace();
  const { workspaceId } = workspace;
  const [found] = await store.newLinks(workspace, 1);
  if (!found) throw new Error('no link');
  const { link } = found;
  const stats = (query: Query = {}, receivedAt?: number) =>
    callEndpoint('get-link-stats', { workspaceId, id: link.id, query, ...(receivedAt !== undefined && { receivedAt }) });
  return { workspace, workspaceId, link, stats };
}

test("The default range ends at the gateway's time, whatever the function's clock says.", async () => {
  const { workspaceId, link } = await arrange();
  const receivedAt = Date.parse('2030-06-01T00:07Z');
  for (const { name, ...of } of [
    { name: 'get-link-stats', id: link.id, query: { country: 'DE' } },
    { name: 'get-stats', query: {} },
    { name: 'get-top-links', query: { from: '2030-05-30T00:00Z' } },
  ] as const) {
    const { body } = await callEndpoint(name, { workspaceId, receivedAt, ...of });
    expect([name, body.to]).toEqual([name, '2030-06-01T00:15:00.000Z']);
  }
});

test('A link without clicks has a series of zeros, without gaps.', async () => {
  const { stats } = await arrange();
  const { status, body } = await stats({ from: '2030-01-01T00:00Z', to: '2030-01-04T00:00Z', interval: 'day', groupBy: 'os' });
  expect(status).toBe(200);
  expect(body).toEqual({
    from: '2030-01-01T00:00:00.000Z',
    to: '2030-01-04T00:00:00.000Z',
    total: 0,
    uniqueClicks: null,
    readAt: expect.stringMatching(/Z$/),
    series: ['01', '02', '03'].map((day) => ({ start: `2030-01-${day}T00:00:00.000Z`, clicks: 0, uniqueClicks: null })),
    groups: { os: [] },
    rest: { os: { values: 0, clicks: 0, uniqueClicks: null } },
  });
});

test.for<[string, Query, string, string, number]>([
  ['30 days in UTC up to the end of the present quarter of an hour', {}, '2030-03-02T00:00', '2030-03-31T00:00', 30],
  ['30 days in the time zone', { timezone: 'Europe/Berlin' }, '2030-03-01T23:00', '2030-03-30T23:00', 30],
  ['the same with dimensions', { timezone: 'Europe/Berlin', groupBy: 'os' }, '2030-03-01T23:00', '2030-03-30T23:00', 30],
  ['30 days before the end', { to: '2030-03-03T00:00Z' }, '2030-02-01T00:00', '2030-03-02T00:00', 30],
  ['hours for up to 4 days', { from: '2030-03-28T00:00Z', to: '2030-04-01T00:00Z' }, '2030-03-28T00:00', '2030-03-31T23:00', 96],
  ['days for up to 100', { from: '2030-03-31T00:00Z', to: '2030-07-09T00:00Z' }, '2030-03-31T00:00', '2030-07-08T00:00', 100],
  ['weeks for up to 370', { from: '2030-01-01T00:00Z', to: '2031-01-01T00:00Z' }, '2030-01-01T00:00', '2030-12-30T00:00', 53],
  ['whole seconds', { from: '2030-03-31T00:00:01Z', to: '2030-03-31T02:00:00Z' }, '2030-03-31T00:00', '2030-03-31T01:00', 2],
  ['months for more', { from: '2030-01-15T00:00Z', to: '2032-01-15T00:00Z' }, '2030-01-15T00:00', '2032-01-01T00:00', 25],
])('The defaults are %s.', async ([, query, first, last, points]) => {
  const { link, stats } = await arrange();
  await countClicks([clickOf(link, '2030-03-31T10:16Z'), clickOf(link, '2030-03-31T10:31Z')]);
  const now = Date.parse('2030-03-31T10:20:30.456Z');
  vi.spyOn(Date, 'now').mockImplementation(() => now);
  const { body } = await stats(query);
  expect([body.series[0].start, body.series.at(-1).start, body.series.length]).toEqual([
    expect.stringContaining(first),
    `${last}:00.000Z`,
    points,
  ]);
  expect(body.readAt).toBe('2030-03-31T10:20:30.456Z');
  // A click with a future time is in no range that ends now.
  if (Object.keys(query).length === 0) expect(body.total).toBe(1);
});

test("An unknown link, another workspace's, a deleted one and a malformed id are all not found.", async () => {
  const [own, foreign, gone] = [await arrange(), await arrange(), await arrange()];
  await callEndpoint('delete-link', { workspaceId: gone.workspaceId, id: gone.link.id });
  const workspaceIds = [own.workspaceId, own.workspaceId, own.workspaceId, gone.workspaceId];
  const answers = await Promise.all(
    [unknownLink, foreign.link.id, 'nonsense', gone.link.id].map((id, index) =>
      callEndpoint('get-link-stats', { workspaceId: workspaceIds[index] ?? '', id }),
    ),
  );
  for (const answer of answers) {
    expectProblem(answer, 404, 'not_found');
    expect({ ...answer.body, requestId: '' }).toEqual({ ...answers[0]?.body, requestId: '' });
  }
});

test('Dimensions are returned once each, in the order of the request.', async () => {
  const { stats } = await arrange();
  const { body } = await stats({ groupBy: 'os,country,os' satisfies `${RowDimension},${RowDimension},${RowDimension}` });
  expect(Object.keys(body.groups)).toEqual(['os', 'country']);
});

test.for<[Query, string, string]>([
  [{ country: 'XX,DE' }, 'country', 'unknown_country'],
  [{ country: '' }, 'country', 'unknown_country'],
  [{ device: 'fridge' }, 'device', 'invalid_value'],
  [{ source: 'link,email' }, 'source', 'invalid_value'],
  [{ referrer: 'a b' }, 'referrer', 'invalid_value'],
  [{ slug: '' }, 'slug', 'invalid_value'],
  [{ path: ' ' }, 'path', 'invalid_value'],
  [{ utmSource: 'a,,b' }, 'utmSource', 'invalid_value'],
  [{ utmCampaign: Array.from({ length: 51 }, (_, value) => value).join() }, 'utmCampaign', 'too_many'],
])('The filter %j is refused, naming "%s" and the rule %s.', async ([query, parameter, code]) => {
  const { stats } = await arrange();
  const response = await stats(query);
  expectProblem(response, 422, 'validation_failed');
  expect(response.body.errors).toEqual([
    { path: '', code, message: expect.stringContaining(`the query parameter "${parameter}" `) },
  ]);
});

test('A filter is accepted in any case, with escaped commas and backslashes within a value.', async () => {
  const { link, stats } = await arrange();
  const visitor = { country: 'DE', path: 'a, b/c\\d', utmSource: 'newsletter', referrer: 'facebook.com' };
  await countClicks([clickOf(link, '2026-01-02T03:04Z', visitor), clickOf(link, '2026-01-02T03:04Z')]);
  const range = { from: '2026-01-01T00:00Z', to: '2026-02-01T00:00Z' };
  const filters: Query[] = [
    { country: 'de' },
    { path: 'x,/a\\, b/c\\\\d/' },
    { utmSource: 'NewsLetter' },
    { referrer: 'l.facebook.com' },
    { country: 'DE,FR', utmSource: 'newsletter,none' },
  ];
  for (const filter of filters) expect([filter, (await stats({ ...range, ...filter })).body.total]).toEqual([filter, 1]);
});
