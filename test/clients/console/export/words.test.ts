import { expect, test } from 'vitest';
import { doneText, keptText, progressText } from '../../../../clients/console/export/words.ts';

test('An export says what it has written; an export of clicks also says of how many links and how many days.', () => {
  expect(progressText('links', { count: 1_200, links: 0 })).toBe('1,200 links so far');
  expect(progressText('clicks', { count: 976, links: 1 })).toBe('976 clicks of 1 link so far');
  expect(keptText(30)).toBe('Clicks are kept for 30 days, so the file has no older ones.');
  expect(doneText('links', { count: 1, links: 0 }, 30)).toBe('1 link exported.');
  expect(doneText('clicks', { count: 976, links: 42 }, 7)).toBe('976 clicks of 42 links, from the last 7 days, exported.');
  expect(doneText('clicks', { count: 976, links: 42 }, undefined)).toBe('976 clicks of 42 links exported.');
});
