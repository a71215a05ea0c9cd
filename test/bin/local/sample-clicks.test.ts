import { beforeAll, expect, test } from 'vitest';
import { sampleClicks } from '../../../bin/local/sample/clicks.ts';
import { randomNumbers } from '../../../bin/local/sample/random.ts';
import type { Link } from '../../../lambdas/core/link/link.ts';

const dayMs = 24 * 60 * 60_000;
const now = Date.parse('2030-01-31T15:30:00Z');
/** Links with only those fields that a click records. */
const links = Array.from(
  { length: 40 },
  (_, index) =>
    ({
      id: `lnk_${index}`,
      workspaceId: 'ws_1',
      domain: 'go.example.com',
      createdAt: new Date(now - (120 - 3 * index) * dayMs).toISOString(),
      clickEpoch: 0,
      shortCode: `slug-${index}`,
      aliases: [],
      tagIds: ['tag_1'],
      variants: [],
    }) as unknown as Link,
);
const make = () => sampleClicks(links, { count: 3_000, days: 90, now }, randomNumbers(1));
let clicks: ReturnType<typeof make>;
beforeAll(() => {
  clicks = make();
});

test('Clicks are of the last 90 days, none is later than now, and none is before its link.', () => {
  const times = clicks.map(({ at }) => Date.parse(at));
  expect(clicks).toHaveLength(3_000);
  expect(Math.max(...times)).toBeLessThanOrEqual(now);
  expect(Math.min(...times)).toBeGreaterThan(now - 91 * dayMs);
  const createdAt = new Map(links.map((link) => [link.id, Date.parse(link.createdAt)]));
  expect(clicks.every(({ at, linkId }) => Date.parse(at) > (createdAt.get(linkId) ?? 0))).toBe(true);
});

test('Weekends and nights are quiet, some links are clicked far more than others, and some visitors come back.', () => {
  const share = (isSo: (at: Date) => boolean) => clicks.filter(({ at }) => isSo(new Date(at))).length / clicks.length;
  expect(share((at) => [0, 6].includes(at.getUTCDay()))).toBeLessThan(0.2);
  expect(share((at) => at.getUTCHours() < 6)).toBeLessThan(0.05);
  const counts = [...Map.groupBy(clicks, ({ linkId }) => linkId).values()].map(({ length }) => length).sort((a, b) => b - a);
  expect(counts[0]).toBeGreaterThan(5 * (counts.at(-1) ?? 0));
  const visitors = new Set(clicks.map(({ linkId, at, visitor }) => `${linkId} ${at.slice(0, 10)} ${visitor}`)).size;
  expect(visitors).toBeLessThan(clicks.length);
  expect(visitors).toBeGreaterThan(clicks.length / 2);
});

test('The same seed makes the same clicks, except for their ids.', () => {
  const shown = (some: typeof clicks) => some.map(({ id: _, ...click }) => click);
  expect(shown(make())).toEqual(shown(clicks));
});
