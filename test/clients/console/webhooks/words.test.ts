import { expect, test } from 'vitest';
import { isLate, nextText } from '../../../../clients/console/webhooks/words.ts';

const now = Date.parse('2026-11-24T12:00:00Z');
const at = (seconds: number) => new Date(now + seconds * 1_000).toISOString();

test('A delivery says when it is sent next; one that has been due for more than a minute waits its turn.', () => {
  expect([300, 59, 0, -60, -61].map((seconds) => nextText(at(seconds), now))).toEqual([
    'next in 5 minutes',
    'next in a moment',
    'next in a moment',
    'next in a moment',
    'due, waits its turn',
  ]);
});

test('Only what is to be sent can be late.', () => {
  expect(isLate({ state: 'pending', nextAttemptAt: at(-61) }, now)).toBe(true);
  expect(isLate({ state: 'pending', nextAttemptAt: at(-60) }, now)).toBe(false);
  expect(isLate({ state: 'paused', nextAttemptAt: at(-3_600) }, now)).toBe(false);
  expect(isLate({ state: 'succeeded', nextAttemptAt: null }, now)).toBe(false);
});
