import fc from 'fast-check';
import { beforeAll, describe, expect, test, vi } from 'vitest';
import { rowDimensions } from '../../../../lambdas/core/click/click.ts';
import type { fakeBucket } from '../../../support/clicks/fake-bucket.ts';
import { callEndpoint } from '../../../support/http/invoke.ts';
import { expectProblem } from '../../../support/http/problem.ts';
import { runs } from '../../../support/run/proof.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

// The query parameters of get-link-stats and get-stats.

const bucket = vi.hoisted(() => ({}) as ReturnType<typeof fakeBucket>);
vi.mock('../../../../lambdas/outbound/click-files.ts', async () => {
  const { fakeBucket } = await import('../../../support/clicks/fake-bucket.ts');
  return Object.assign(bucket, fakeBucket()).module;
});

let store: Store;
let workspaceId: string;
let id: string;
beforeAll(async () => {
  store = await useStore();
  const workspace = await store.newWorkspace();
  workspaceId = workspace.workspaceId;
  id = (await store.newLinks(workspace, 1))[0]?.link.id ?? '';
});

type Query = Readonly<Record<string, string | readonly string[]>>;
const day = (text: string) => `2030-01-${text}T00:00Z`;

/** A query, the parameter that the response names, and the rule that it breaks. */
const refused: [Query, string, string][] = [
  [{ timezone: 'Europe/Atlantis' }, 'timezone', 'unknown_time_zone'],
  [{ timezone: '+05:37' }, 'timezone', 'unknown_time_zone'],
  [{ timezone: '' }, 'timezone', 'unknown_time_zone'],
  [{ groupBy: 'colour' }, 'groupBy', 'unknown_dimension'],
  [{ groupBy: 'country,colour' }, 'groupBy', 'unknown_dimension'],
  [{ groupBy: 'country,' }, 'groupBy', 'unknown_dimension'],
  [{ groupBy: 'Country' }, 'groupBy', 'unknown_dimension'],
  [{ groupBy: '__proto__' }, 'groupBy', 'unknown_dimension'],
  [{ groupBy: '' }, 'groupBy', 'unknown_dimension'],
  [{ from: day('02'), to: day('01') }, 'from', 'out_of_range'],
  [{ from: day('02'), to: day('02') }, 'from', 'out_of_range'],
  [{ from: '9999-01-01T00:00Z' }, 'from', 'out_of_range'],
  [{ groupLimit: '0' }, 'groupLimit', 'out_of_range'],
  [{ groupLimit: '1001' }, 'groupLimit', 'out_of_range'],
  [{ from: '2030-01-01T00:00Z', to: '2030-01-17T16:15Z', interval: 'hour' }, 'interval', 'too_many_points'],
  [{ from: '2030-01-01T00:00Z', to: '2031-02-06T00:00Z', interval: 'day' }, 'interval', 'too_many_points'],
  [{ from: day('01'), to: '2030-01-02T00:00:00.5Z' }, 'to', 'not_on_second'],
  [{ from: '2030-01-01T00:00:00.001Z', to: day('02') }, 'from', 'not_on_second'],
  [{ from: '2030-01-01' }, 'from', 'invalid_timestamp'],
  [{ to: 'yesterday' }, 'to', 'invalid_timestamp'],
  [{ to: '2030-02-30T00:00Z' }, 'to', 'invalid_timestamp'],
  [{ to: '0000-01-15T00:00Z' }, 'to', 'out_of_range'],
  [{ from: '1999-12-31T23:45Z', to: '2000-01-02T00:00Z' }, 'from', 'out_of_range'],
  [{ from: '9999-12-31T00:00Z', to: '9999-12-31T00:15Z' }, 'to', 'out_of_range'],
  [{ interval: 'minute' }, 'interval', 'invalid_value'],
  [{ limit: '5' }, 'limit', 'unknown_parameter'],
  [{ timeZone: 'UTC' }, 'timeZone', 'unknown_parameter'],
  [{ from: [day('01'), day('02')] }, 'from', 'repeated_parameter'],
  [{ groupBy: ['country', 'device'] }, 'groupBy', 'repeated_parameter'],
];

/** The largest queries that are accepted. */
const accepted: [Query, number][] = [
  [{ from: '2030-01-01T00:00Z', to: '2030-01-17T16:00Z', interval: 'hour' }, 400],
  [{ from: '2030-01-01T00:00Z', to: '2031-02-05T00:00Z', interval: 'day' }, 400],
  [{ from: '2028-01-01T00:00Z', to: '2030-01-01T00:00Z', interval: 'month' }, 24],
  [{ from: '2000-01-01T00:00Z', to: '2030-01-01T00:00Z', interval: 'month' }, 360],
  [{ from: '2030-01-01T00:00:59Z', to: '2030-01-01T00:01:00Z', groupLimit: '1000' }, 1],
  [{ from: '2030-01-01T00:00Z', to: '2030-01-01T00:15Z', interval: 'month' }, 1],
  [{ from: '2030-01-01T01:00+01:00', to: day('02'), groupBy: 'country', interval: 'day' }, 1],
  [{ from: '2030-01-01T00:15Z', to: '2030-01-02T12:00Z', groupBy: 'country', interval: 'day' }, 2],
  [{ to: '2030-01-02T12:30Z' }, 30],
  [{ to: '2000-01-01T00:00Z' }, 30],
  [{ to: '9999-12-31T00:00Z' }, 30],
];

describe.for(['get-link-stats', 'get-stats'])('%s', (name) => {
  const send = (query: Query) => callEndpoint(name, { workspaceId, ...(name === 'get-link-stats' && { id }), query });

  test.for(refused)('%j is refused, naming "%s" and the rule %s.', async ([query, parameter, code]) => {
    const response = await send(query);
    expectProblem(response, 422, 'validation_failed');
    expect(response.body.errors).toEqual([
      { path: '', code, message: expect.stringContaining(`the query parameter "${parameter}" `) },
    ]);
  });

  test.for(accepted)('%j has %i points.', async ([query, points]) => {
    const { status, body } = await send(query);
    expect([status, body.series?.length]).toEqual([200, points]);
  });
});

test('The statistics of a workspace and of a link have all dimensions.', async () => {
  const groupBy = rowDimensions.join();
  const [ofWorkspace, ofLink] = await Promise.all([
    callEndpoint('get-stats', { workspaceId, query: { groupBy } }),
    callEndpoint('get-link-stats', { workspaceId, id, query: { groupBy } }),
  ]);
  for (const { body } of [ofWorkspace, ofLink]) expect(Object.keys(body.groups)).toEqual([...rowDimensions]);
});

/** Parameters with any values. */
const anything = fc.dictionary(
  fc.constantFrom(
    ...['from', 'to', 'day', 'timezone', 'interval', 'groupBy', 'groupLimit', 'limit', 'cursor', 'domain', 'tagNames', 'match'],
    ...['sort', 'order', 'q', 'state', 'expiresBefore', 'notClickedSince'],
    ...rowDimensions,
  ),
  fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.constantFrom('DE', 'none', '\\\\', '\\', ',', '%', "'", '"; --', '\u0000', '\ud800', '$1', 'country', 'day', 'UTC'),
    fc
      .date({ noInvalidDate: true, min: new Date('1999-01-01'), max: new Date('9999-12-31') })
      .map((date) => `${date.toISOString().slice(0, 19)}Z`),
  ),
  { maxKeys: 4, noNullPrototype: true },
);
const questions = [
  'get-link-stats',
  'get-stats',
  'get-top-links',
  'list-clicks',
  'list-all-clicks',
  'list-ranked-links',
] as const;

test('Any query gets statistics or a refusal.', async () => {
  await fc.assert(
    fc.asyncProperty(anything, fc.constantFrom(...questions), async (query, name) => {
      const isOfLink = name === 'get-link-stats' || name === 'list-clicks';
      const { status } = await callEndpoint(name, { workspaceId, ...(isOfLink && { id }), query });
      expect([200, 404, 422]).toContain(status);
    }),
    { numRuns: runs(150) },
  );
});
