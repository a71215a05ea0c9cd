import { expect, test } from 'vitest';
import { askedOf } from '../../../../clients/console/links/asked.ts';
import { listQuery, noFilter } from '../../../../clients/console/service/address.ts';

const asked = (filter: Partial<typeof noFilter>, now: string, zone: string) =>
  askedOf(listQuery({ ...noFilter, ...filter }), Date.parse(now), zone);

test("The filter for links that expire soon finds active links that end by the reader's midnight after the last day.", () => {
  // The clocks go forward on 29 March.
  expect(asked({ expiring: '7d' }, '2026-03-25T22:30:00Z', 'Europe/Berlin')).toMatchObject({
    state: 'active',
    expiresBefore: '2026-04-01T22:00:00.000Z',
  });
  expect(asked({ expiring: '7d', state: 'scheduled' }, '2026-03-25T22:30:00Z', 'Europe/Berlin')).toMatchObject({
    state: 'scheduled',
  });
  expect(asked({ expiring: '1d' }, '2026-03-25T23:30:00Z', 'Europe/Berlin')).toMatchObject({
    expiresBefore: '2026-03-27T23:00:00.000Z',
  });
});

test('Clicks of last month are counted from midnight to midnight of the reader; clicks of the last days have no end.', () => {
  const sorted = { sort: 'clicks', range: 'last-month' } as const;
  expect(asked(sorted, '2026-04-10T12:00:00Z', 'Europe/Berlin')).toMatchObject({
    from: '2026-02-28T23:00:00.000Z',
    to: '2026-03-31T22:00:00.000Z',
  });
  const running = asked({ ...sorted, range: '7d' }, '2026-04-10T12:00:00Z', 'Europe/Berlin');
  expect(running).toMatchObject({ from: '2026-04-03T22:00:00.000Z' });
  expect(running).not.toHaveProperty('to');
});
