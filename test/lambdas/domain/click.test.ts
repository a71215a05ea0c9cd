import { expect, test } from 'vitest';
import { dimensions, newClick, nothingKnown, unknown } from '../../../lambdas/domain/click.ts';

test('A click has an id of its own, and says its link, its workspace, its time and after how many erasures it was made.', () => {
  const link = { id: 'lnk_a', workspaceId: 'ws_a', clickEpoch: 2 };
  const now = Date.UTC(2030, 0, 2, 3, 4, 5, 678);
  const [one, other] = [newClick(link, now, { ...nothingKnown, os: 'linux' }), newClick(link, now, nothingKnown)];
  expect(one).toEqual({
    ...nothingKnown,
    os: 'linux',
    id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
    linkId: 'lnk_a',
    workspaceId: 'ws_a',
    at: '2030-01-02T03:04:05.678Z',
    epoch: 2,
  });
  expect(one.id).not.toBe(other.id);
});

test('If nothing is known of a visitor, each dimension is unknown.', () => {
  expect(nothingKnown).toEqual(Object.fromEntries(dimensions.map((dimension) => [dimension, unknown])));
});
