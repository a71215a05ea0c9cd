import { expect, test } from 'vitest';
import { after, type Change, inParts, undoOf } from '../../../../clients/console/links/bulk.ts';
import type { Selected } from '../../../../clients/console/links/selection.ts';
import { fewAtATime } from '../../../../clients/console/service/patience.ts';
import { ProblemError } from '../../../../clients/typescript/problem.ts';

const link = (n: number, more: Partial<Selected> = {}): Selected => ({
  id: `lnk_${n}`,
  shortUrl: `https://go.example.com/${n}`,
  hasPassword: false,
  isActive: true,
  tagIds: [],
  ...more,
});
const links = (length: number) => Array.from({ length }, (_, n) => link(n));
const refused = (status: number, retryAfter?: number) => new ProblemError(status, '{}', false, retryAfter);
const noWait = async () => {};

test('Many links are changed 1,000 a request; who is refused is named, and limits are waited for as long as it takes.', async () => {
  const sizes: number[] = [];
  const progress: number[] = [];
  const said = new Set<string>();
  let refusals = 8;
  const outcome = await inParts(
    links(2_500),
    async (ids) => {
      if (refusals-- > 0) throw refused(429, 1);
      sizes.push(ids.length);
      return { failed: ids.includes('lnk_1500') ? [{ id: 'lnk_1500', message: 'does not exist' }] : [] };
    },
    (tried) => progress.push(tried),
    (text) => said.add(text),
    noWait,
  );
  expect(sizes).toEqual([1_000, 1_000, 500]);
  expect(progress).toEqual([1_000, 2_000, 2_500]);
  expect(said).toContain('Too many requests. Next try in 1 s.');
  expect([outcome.done.length, outcome.failed]).toEqual([2_499, [{ link: link(1_500), message: 'does not exist' }]]);
});

test('What was done before the service stopped answering is not forgotten.', async () => {
  let sent = 0;
  const send = async () => {
    if (++sent > 1) throw refused(503);
    return { failed: [] };
  };
  const outcome = await inParts(
    links(1_500),
    send,
    () => {},
    () => {},
    noWait,
  );
  expect(outcome.done.length).toBe(1_000);
  expect(outcome.error).toBeDefined();
});

test('A request whose answer is lost is sent again, and counts once.', async () => {
  let sent = 0;
  const send = async () => {
    if (++sent === 1) throw new TypeError('Failed to fetch');
    return { failed: [] };
  };
  const outcome = await inParts(
    links(3),
    send,
    () => {},
    () => {},
    noWait,
  );
  expect([sent, outcome.done.length, outcome.error]).toEqual([2, 3, undefined]);
});

test.for<[string, Change]>([
  ['adding tags', { addTagIds: ['tag_a', 'tag_b'] }],
  ['removing tags', { removeTagIds: ['tag_a', 'tag_b'] }],
  ['switching off', { isActive: false }],
  ['switching on', { isActive: true }],
])('Undo of %s gives each link back what it had, and touches no other.', ([, change]) => {
  const before = [
    link(1, { tagIds: ['tag_a'] }),
    link(2, { tagIds: ['tag_a', 'tag_b'], isActive: false }),
    link(3, { tagIds: ['tag_c'] }),
    link(4, { isActive: false }),
  ];
  const undone = new Map(before.map((one) => [one.id, after(one, change)]));
  const groups = undoOf(before, change);
  for (const group of groups) {
    for (const { id } of group.links) {
      const now = undone.get(id);
      if (now) undone.set(id, after(now, group.change));
    }
  }
  const sorted = (one: Selected | undefined) => ({ ...one, tagIds: one?.tagIds.toSorted() });
  expect([...undone.values()].map(sorted)).toEqual(before.map(sorted));
  for (const group of groups) {
    for (const one of group.links) expect(after(after(one, change), group.change)).not.toEqual(after(one, change));
  }
});

test('Few links are restored at a time, and none after somebody has stopped it.', async () => {
  let under = 0;
  let most = 0;
  const seen: number[] = [];
  const each = async (n: number) => {
    most = Math.max(most, ++under);
    await Promise.resolve();
    seen.push(n);
    under--;
  };
  await fewAtATime([1, 2, 3, 4, 5, 6, 7, 8, 9], 4, each, () => seen.length >= 4);
  expect(most).toBe(4);
  expect(seen.length).toBeLessThan(9);
});
