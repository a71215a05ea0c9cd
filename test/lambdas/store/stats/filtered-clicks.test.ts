import { beforeAll, expect, test } from 'vitest';
import { underFaults } from '../../../support/faults/faults.ts';
import { type Store, useStore } from '../../../support/store/store.ts';
import { clickOf, recordClicks } from '../../../support/things/clicks.ts';

let store: Store;
let filteredDaysOfLink: typeof import('../../../../lambdas/store/stats/filtered-clicks.ts').filteredDaysOfLink;
beforeAll(async () => {
  store = await useStore();
  ({ filteredDaysOfLink } = await import('../../../../lambdas/store/stats/filtered-clicks.ts'));
});

const range = { from: Date.parse('2030-01-02T00:00Z'), to: Date.parse('2030-01-03T00:00Z') };

test('No more records are read than a request may read, even if the days do not know them yet.', async () => {
  const [found] = await store.newLinks(await store.newWorkspace(), 1);
  if (!found) throw new Error('no link');
  const { link } = found;
  const atNoon = Array.from({ length: 20 }, () => clickOf(link, '2030-01-02T12:00Z', { country: 'DE' }));
  await recordClicks([...atNoon, clickOf(link, range.from - 1), clickOf(link, range.to)]);
  const filter = { country: ['DE'] };
  const { days } = await filteredDaysOfLink(link, range, filter, 20);
  expect(days).toMatchObject([{ day: '2030-01-02', total: 20 }]);
  const { result, commands } = await underFaults(
    () => undefined,
    () => filteredDaysOfLink(link, range, filter, 19).catch((error: unknown) => error),
  );
  expect(result).toMatchObject({ code: 'too_much_to_read' });
  expect(commands).toHaveLength(16);
});
