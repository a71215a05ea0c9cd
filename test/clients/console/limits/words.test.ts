import { expect, test } from 'vitest';
import { nextSeconds, usedLimits } from '../../../../clients/console/limits/words.ts';
import type { Me } from '../../../../clients/console/service/types.ts';

const things = (remaining: number, limit = 100) => ({ limit, remaining });
const requests = (remaining: number, resetSeconds: number, limit = 30, windowSeconds = 60) => ({
  limit,
  remaining,
  windowSeconds,
  resetSeconds,
});
const limits = (more: Partial<Me['limits']> = {}) =>
  ({
    tags: things(100),
    templates: things(100),
    domains: things(100),
    webhooks: things(20, 20),
    keys: things(200, 200),
    bulkRequests: requests(3, 0, 3),
    bulkChanges: requests(30, 0),
    metadataRequests: requests(30, 0),
    framingLookUps: requests(1_000, 0, 1_000, 3_600),
    ...more,
  }) as Me['limits'];
const said = (name: string, more: Partial<Me['limits']>) => {
  const { level, word, when, advice } = usedLimits(limits(more)).find((one) => one.name === name) ?? {};
  return [level, word, when, advice];
};

test.for([
  [21, ['none', '', '', '']],
  [20, ['near', 'Nearly used up', '', '20 left.']],
  [1, ['near', 'Nearly used up', '', '1 left.']],
  [0, ['full', 'Limit reached', '', 'No more can be added until you delete one.']],
  // The operator may have lowered the limit.
  [-5, ['full', 'Limit reached', '', 'No more can be added until you delete one.']],
] as const)('With %i of 100 tags left, the page says so.', ([left, words]) => {
  expect(said('Tags', { tags: things(left) })).toEqual(words);
});

test('A limit of requests says how long its window is, how many are left, and when there are more.', () => {
  const name = 'Bulk changes and deletions';
  expect(said(name, {})).toEqual(['none', '', 'per minute', '']);
  expect(said(name, { bulkChanges: requests(5, 12) })).toEqual(['near', 'Nearly used up', 'per minute; more in 12 s', '5 left.']);
  expect(said(name, { bulkChanges: requests(0, 34) })).toEqual([
    'full',
    'Limit reached',
    'per minute; more in 34 s',
    'Further requests wait until then.',
  ]);
});

test('A page that shows the limits knows when the next of them changes by itself.', () => {
  expect(nextSeconds(limits())).toBeUndefined();
  expect(nextSeconds(limits({ bulkChanges: requests(0, 34), metadataRequests: requests(5, 3) }))).toBe(3);
});
