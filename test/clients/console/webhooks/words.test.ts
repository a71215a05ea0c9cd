import { expect, test } from 'vitest';
import { isBehind, isLate, lastAttemptOf, nextText, wordsOf } from '../../../../clients/console/webhooks/words.ts';

const now = Date.parse('2026-11-24T12:00:00Z');
const at = (seconds: number) => new Date(now + seconds * 1_000).toISOString();

test('A delivery says when it is sent next; one that has been due for over a minute waits its turn.', () => {
  expect([300, 59, 0, -60, -61].map((seconds) => nextText(at(seconds), now))).toEqual([
    'next in 5 minutes',
    'next in a moment',
    'next in a moment',
    'next in a moment',
    'due, waiting its turn',
  ]);
});

test('Only a pending delivery can be late.', () => {
  expect(isLate({ state: 'pending', nextAttemptAt: at(-61) }, now)).toBe(true);
  expect(isLate({ state: 'pending', nextAttemptAt: at(-60) }, now)).toBe(false);
  expect(isLate({ state: 'paused', nextAttemptAt: at(-3_600) }, now)).toBe(false);
  expect(isLate({ state: 'succeeded', nextAttemptAt: null }, now)).toBe(false);
});

type Webhook = Parameters<typeof wordsOf>[0];
const hour = 3_600;
const webhook = (state: Webhook['status']['state'], since: string | null = null, more: Partial<Webhook> = {}): Webhook => ({
  active: true,
  createdAt: at(-hour),
  status: { state, since, error: null, redirectsTo: null, backlog: null },
  ...more,
});
const failed = { at: at(-5), isSuccess: false };
const delivered = { at: at(-5), isSuccess: true };

test.for([
  ['is not said to work before anything was sent', webhook('ok'), null, 'quiet', /^Nothing sent yet$/],
  [
    'that is older than the kept deliveries says how long they are kept',
    webhook('ok', null, { createdAt: at(-15 * 24 * hour) }),
    null,
    'quiet',
    /14 days$/,
  ],
  ['works while its deliveries are not loaded', webhook('ok'), undefined, 'good', /^Working$/],
  ['works after a delivery', webhook('ok'), delivered, 'good', /^Working$/],
  ['has failed as soon as an attempt has', webhook('ok'), failed, 'bad', /^The last attempt failed, at /],
  ['fails since its status says so', webhook('failing', at(-60)), failed, 'bad', /^Failing since /],
  ['works again as soon as an attempt has succeeded', webhook('failing', at(-60)), delivered, 'good', /^Working$/],
  ['fails if its status has changed after the last delivery', webhook('failing', at(-1)), delivered, 'bad', /^Failing since /],
  ['lacks a secret, whatever was sent before', webhook('no_secret'), delivered, 'bad', /^No secret/],
  ['is off if it is switched off, whatever was sent before', webhook('ok', null, { active: false }), failed, 'quiet', /^Off/],
] as const)('A webhook %s.', ([, one, last, tone, word]) => {
  expect(wordsOf(one, last, now)).toMatchObject({ tone, word: expect.stringMatching(word) });
});

test('The page polls exactly while the status contradicts the last attempt.', () => {
  const states = [webhook('ok'), webhook('failing', at(-60)), webhook('paused', at(-60)), webhook('no_secret')];
  const behind = (last: Parameters<typeof isBehind>[1]) => states.map((one) => isBehind(one, last));
  expect(behind(failed)).toEqual([true, false, false, false]);
  expect(behind(delivered)).toEqual([false, true, true, false]);
  expect([...behind(null), ...behind(undefined)]).not.toContain(true);
});

test('The last attempt is the newest one of all deliveries, whose order is that of their events.', () => {
  const attempt = (seconds: number, error: string | null) => ({
    at: at(seconds),
    status: null,
    ms: 1,
    error,
    response: null,
    redirectsTo: null,
  });
  expect(lastAttemptOf([])).toBeNull();
  expect(lastAttemptOf([{ attempts: [] }])).toBeNull();
  const deliveries = [{ attempts: [attempt(-20, null), attempt(-3, 'timeout')] }, { attempts: [attempt(-9, null)] }];
  expect(lastAttemptOf(deliveries)).toEqual({ at: at(-3), isSuccess: false });
});
