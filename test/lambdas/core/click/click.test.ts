import { expect, test } from 'vitest';
import { nothingKnown, rowDimensions, unknown, webhookFields } from '../../../../lambdas/core/click/click.ts';
import { newClick } from '../../../../lambdas/core/click/new-click.ts';

test('A click has its own id, its link, its workspace, its host, its time and the epoch of its link.', () => {
  const link = { id: 'lnk_a', workspaceId: 'ws_a', domain: 'go.example.com', clickEpoch: 2 };
  const now = Date.UTC(2030, 0, 2, 3, 4, 5, 678);
  const [one, other] = [newClick(link, now, { ...nothingKnown, os: 'linux' }), newClick(link, now, nothingKnown)];
  expect(one).toEqual({
    ...nothingKnown,
    os: 'linux',
    id: expect.stringMatching(/^[0-9A-Za-z]{22}$/),
    linkId: 'lnk_a',
    workspaceId: 'ws_a',
    host: 'go.example.com',
    at: '2030-01-02T03:04:05.678Z',
    epoch: 2,
  });
  expect(one.id).not.toBe(other.id);
});

test('If nothing is known of a visitor, each dimension is unknown.', () => {
  expect(nothingKnown).toEqual(Object.fromEntries(rowDimensions.map((dimension) => [dimension, unknown])));
});

test('A click has fields for webhooks exactly if its link has webhooks or its workspace needs clicks, and only the claim that uses up the cap says so.', () => {
  for (const webhookUrls of [null, 'https://hooks.example.com/']) {
    for (const wantsClicks of [false, true]) {
      for (const [maxClicks, claim, reached] of [
        [null, undefined, undefined],
        [7, 6, undefined],
        [7, 7, '2#7'],
        [7, 8, undefined],
      ] as const) {
        const fields = webhookFields({ webhookUrls, capGeneration: 2, maxClicks }, wantsClicks, claim);
        const hasFields = webhookUrls !== null || wantsClicks;
        expect(fields).toEqual(hasFields ? { hooked: true, ...(reached && { capReached: reached }) } : {});
      }
    }
  }
});
