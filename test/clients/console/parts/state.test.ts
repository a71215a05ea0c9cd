import { expect, test } from 'vitest';
import { scanWarning, stateMeanings, stateOf } from '../../../../clients/console/parts/link/state.ts';
import { count, counted, localValue, shortTime, sinceTime, timeOfLocal } from '../../../../clients/console/parts/time.ts';
import { linkStates } from '../../../../clients/console/service/address.ts';

const now = Date.parse('2026-11-24T12:00:00Z');
const none = { startsAt: null, expiresAt: null, maxClicks: null };

test.for([
  ['active', {}, 'Active', ''],
  ['inactive', {}, 'Off', ''],
  ['scheduled', { startsAt: '2026-11-26T13:00:00Z' }, 'Scheduled', 'starts in 2 days'],
  ['expired', { expiresAt: '2026-11-21T11:00:00Z' }, 'Expired', '3 days ago'],
  ['used_up', { maxClicks: 1_000 }, 'Click limit reached', '1,000 of 1,000'],
  ['pending', {}, 'Domain not ready', ''],
  ['disabled', {}, 'Stopped by the operator', ''],
  ['blocked', {}, 'Blocked', 'its destination'],
] as const)('A link that is %s says so, and why.', ([state, more, word, reason]) => {
  expect(stateOf({ ...none, ...more, state }, now)).toMatchObject({ word, reason });
});

test('Each state but `active` has an explanation.', () => {
  expect(linkStates.filter((state) => stateMeanings[state] === undefined)).toEqual(['active']);
});

test('A QR code warns exactly if scanning it does not lead to the destination, and says why.', () => {
  const warned = linkStates.filter((state) => scanWarning({ state }) !== undefined);
  expect(warned).toEqual(linkStates.filter((state) => state !== 'active'));
  expect(scanWarning({ state: 'inactive' })).toContain('the link is switched off');
  expect(new Set(warned.map((state) => scanWarning({ state }))).size).toBe(warned.length);
});

test('Times are relative for 7 days, and then dates.', () => {
  const at = (ms: number) => shortTime(new Date(now + ms).toISOString(), now);
  const hour = 60 * 60_000;
  expect([at(-1), at(1), at(-61_000), at(3 * hour), at(-7 * 24 * hour)]).toEqual([
    'just now',
    'in a moment',
    '1 minute ago',
    'in 3 hours',
    '7 days ago',
  ]);
  expect(at(-8 * 24 * hour)).toBe('16 Nov 2026');
});

test('A start today is shown as a time, and an earlier one with its day.', () => {
  const local = (day: number, year = 2026) => new Date(year, 10, day, 9, 12).toISOString();
  expect(sinceTime(local(24), now)).toBe('09:12');
  expect([sinceTime(local(20), now), sinceTime(local(20, 2025), now)]).toEqual(['20 Nov, 09:12', '20 Nov 2025, 09:12']);
});

test('Counts are shown in full.', () => {
  expect([count(1_234_567), counted(1, 'link'), counted(0, 'click')]).toEqual(['1,234,567', '1 link', '0 clicks']);
});

test('A time survives its way through a field for local times.', () => {
  for (const at of ['2026-01-01T00:00:00.000Z', '2026-07-01T23:59:00.000Z']) expect(timeOfLocal(localValue(at))).toBe(at);
  expect([localValue(null), timeOfLocal('')]).toEqual(['', null]);
  const tooLate = '20266-01-01T00:00';
  expect([localValue(tooLate), timeOfLocal(tooLate)]).toEqual([tooLate, tooLate]);
});
