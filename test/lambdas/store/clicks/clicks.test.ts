import { beforeAll, expect, test } from 'vitest';
import { randomBase62 } from '../../../../lambdas/core/base62.ts';
import { nothingKnown } from '../../../../lambdas/core/click/click.ts';
import { newClickId } from '../../../../lambdas/core/ids.ts';
import { toKey } from '../../../../lambdas/store/table/keys.ts';
import { type Store, useStore } from '../../../support/store/store.ts';

let store: Store;
beforeAll(async () => {
  store = await useStore();
});

const newClick = (linkId: string, second: number) => ({
  ...nothingKnown,
  id: newClickId(),
  linkId,
  workspaceId: 'ws_1',
  host: 'go.example.com',
  at: new Date(Date.UTC(2030, 0, 1, 0, 0, second)).toISOString(),
  epoch: 0,
});

/** The items of the 16 partitions of a link's clicks, each in its own order. */
const clicksOf = (linkId: string) =>
  Promise.all(
    Array.from({ length: 16 }, (_, partition) =>
      Array.fromAsync(store.query({ pk: `CLICK#${linkId}#${partition}`, skPrefix: '2030' })),
    ),
  );

test('The clicks of a link are found by its id, in order of time, and can be erased, without those of other links.', async () => {
  const [linkId, other] = [`lnk_${randomBase62(28)}`, `lnk_${randomBase62(28)}`];
  const clicks = Array.from({ length: 100 }, (_, second) => newClick(linkId, second));
  const others = [newClick(other, 1), newClick(other, 2)];
  await Promise.all([...clicks, ...others].toReversed().map(store.recordClick));

  const found = await clicksOf(linkId);
  for (const partition of found) expect(partition.map(({ sk }) => sk)).toEqual(partition.map(({ sk }) => sk).sort());
  expect(
    found
      .flat()
      .map(({ sk }) => String(sk))
      .sort(),
  ).toEqual(clicks.map(({ at, id }) => `${at}#${id}`));

  for (const item of found.flat()) await store.deleteItem(toKey(item));
  expect((await clicksOf(linkId)).flat()).toEqual([]);
  expect((await clicksOf(other)).flat()).toHaveLength(2);
});

test("A click that is written again is one item, with the click's values and its expiry.", async () => {
  const linkId = `lnk_${randomBase62(28)}`;
  const click = { ...newClick(linkId, 7), country: 'DE', source: 'qr' };
  await store.recordClick(click);
  await store.recordClick(click);
  expect((await clicksOf(linkId)).flat()).toEqual([
    {
      pk: expect.stringMatching(`^CLICK#${linkId}#`),
      sk: `2030-01-01T00:00:07.000Z#${click.id}`,
      workspaceId: 'ws_1',
      host: 'go.example.com',
      country: 'DE',
      referrer: 'unknown',
      device: 'unknown',
      browser: 'unknown',
      os: 'unknown',
      language: 'unknown',
      source: 'qr',
      variant: 'unknown',
      slug: 'unknown',
      path: 'unknown',
      utmSource: 'unknown',
      utmMedium: 'unknown',
      utmCampaign: 'unknown',
      ttl: Date.UTC(2030, 0, 18, 0, 0, 7) / 1_000,
    },
  ]);
});

test('A click has the epoch of its link, unless its clicks were never erased.', async () => {
  const linkId = `lnk_${randomBase62(28)}`;
  await store.recordClick({ ...newClick(linkId, 7), epoch: 3 });
  expect((await clicksOf(linkId)).flat()).toEqual([expect.objectContaining({ epoch: 3 })]);
});
