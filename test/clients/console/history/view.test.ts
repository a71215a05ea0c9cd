import { expect, test } from 'vitest';
import { dayOf, parseView, timesOf, writeView } from '../../../../clients/console/history/view.ts';
import { emptyText, spanText } from '../../../../clients/console/history/words.ts';

const days = { from: '2026-10-26', to: '2026-11-24' };

test('A shared address of the history leads to the same person and days.', () => {
  for (const query of ['', 'actor=operator', 'range=7d', 'range=2026-10-26..2026-11-24', 'of=lnk_1&actor=mem_1&range=30d']) {
    expect(decodeURIComponent(writeView(parseView(query)))).toBe(query);
  }
  for (const query of ['range=2026-11-24..2026-10-26', 'range=2026-13-01..2026-13-02', 'range=x']) {
    expect(parseView(query).span).toBe('30d');
  }
});

test("Chosen days begin at the reader's midnight, and include the last one.", () => {
  const { from = 0, to = 0 } = timesOf(days, Date.now());
  expect([dayOf(from - 1), dayOf(from), dayOf(to - 1), dayOf(to)]).toEqual([
    '2026-10-25',
    '2026-10-26',
    '2026-11-24',
    '2026-11-25',
  ]);
});

test('The last days end now, and begin with a whole day.', () => {
  const now = new Date(2026, 10, 24, 12).getTime();
  expect(timesOf('7d', now)).toEqual({ from: new Date(2026, 10, 18).getTime(), to: undefined });
  expect(timesOf('all', now)).toEqual({ from: undefined, to: undefined });
});

test('Days are named with the year where it is needed.', () => {
  expect(spanText(days)).toBe('26 Oct – 24 Nov 2026');
  expect(spanText({ from: '2025-12-31', to: '2026-01-01' })).toBe('31 Dec 2025 – 1 Jan 2026');
  expect(emptyText({ linkId: undefined, actor: 'mem_1', span: days })).toBe('No changes by them: 26 Oct – 24 Nov 2026.');
});
