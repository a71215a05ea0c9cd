import { expect, test } from 'vitest';
import { parseDuration } from '../../../bin/admin/durations.ts';

const second = 1_000;

test.for([
  ['0', 0],
  ['0d', 0],
  ['1s', second],
  ['30m', 30 * 60 * second],
  ['24h', 24 * 3_600 * second],
  ['90d', 90 * 86_400 * second],
  ['99999d', 99_999 * 86_400 * second],
] as const)('%s is %d milliseconds.', ([text, length]) => {
  expect(parseDuration(text)).toBe(length);
});

test.for([
  '',
  ' ',
  '1',
  '90',
  'd',
  '-1d',
  '+1d',
  '1.5h',
  '1 d',
  '1d ',
  '1D',
  '1w',
  '1y',
  'P1D',
  '1h30m',
  '100000d',
  '1e3s',
  '١d',
  'NaNd',
])('%j is not a duration.', (text) => {
  expect(parseDuration(text)).toBeUndefined();
});
