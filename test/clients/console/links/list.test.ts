import { expect, test } from 'vitest';
import { type ListState, linkAt, linkList, rowsIn } from '../../../../clients/console/links/list.ts';
import type { Link } from '../../../../clients/console/service/types.ts';
import { ProblemError } from '../../../../clients/typescript/problem.ts';

const linkNumber = (n: number) => ({ id: `lnk_${n}`, title: null }) as Link;
/** Loads pages of 100 out of so many links. */
const pagesOf =
  (total: number, loaded: string[] = []) =>
  async (cursor: string | undefined) => {
    loaded.push(cursor ?? 'first');
    const from = Number(cursor ?? 0);
    const links = Array.from({ length: Math.min(100, total - from) }, (_, n) => linkNumber(from + n));
    return { links, nextCursor: from + 100 < total ? String(from + 100) : null };
  };

/** Waits until the list does nothing any more. */
const settled = async (list: { state: () => ListState }) => {
  for (let quiet = 0; quiet < 20; quiet = list.state().isLoading ? 0 : quiet + 1) await Promise.resolve();
  return list.state();
};

test('Scrolling through 20,000 links keeps 12 pages of them, and rows that are shown again are fetched again.', async () => {
  const list = linkList(pagesOf(20_000));
  for (let row = 0; row < 20_000; row += 50) {
    list.show(row, row + 20);
    const state = await settled(list);
    expect(state.pages.filter(({ links }) => links).length).toBeLessThanOrEqual(12);
    expect(linkAt(state, row)?.id).toBe(`lnk_${row}`);
  }
  expect(rowsIn(list.state())).toBe(20_000);
  expect(linkAt(list.state(), 5)).toBeUndefined();
  list.show(0, 20);
  expect(linkAt(await settled(list), 5)?.id).toBe('lnk_5');
  expect(rowsIn(list.state())).toBe(20_000);
});

test('Only one request is under way at a time, however fast somebody scrolls.', async () => {
  let under = 0;
  let most = 0;
  const load = pagesOf(5_000);
  const list = linkList(async (cursor) => {
    most = Math.max(most, ++under);
    await Promise.resolve();
    under--;
    return load(cursor);
  });
  for (let row = 0; row < 1_000; row += 10) list.show(row, row + 20);
  await settled(list);
  expect(most).toBe(1);
});

test('A search pauses after five pages without a match, and goes on when somebody says so.', async () => {
  const loaded: string[] = [];
  const list = linkList(async (cursor) => {
    loaded.push(cursor ?? 'first');
    return { links: [], nextCursor: String(loaded.length) };
  });
  list.show(0, 20);
  expect(await settled(list)).toMatchObject({ hasPaused: true, next: '5' });
  list.keepLooking();
  await settled(list);
  expect(loaded.length).toBe(10);
});

test('A refused request is sent again after a second; another error is shown, and can be tried again.', async () => {
  const waits: number[] = [];
  const answers = [new ProblemError(429, '{}', false, 60), new ProblemError(503, '{}', false), undefined];
  const load = pagesOf(5);
  const said = new Set<string>();
  const list = linkList(
    async (cursor) => {
      const error = answers.shift();
      if (error) throw error;
      return load(cursor);
    },
    async (ms) => void waits.push(ms),
  );
  list.subscribe(() => said.add(list.state().waits));
  list.show(0, 20);
  expect((await settled(list)).error).toMatchObject({ status: 503 });
  expect(waits).toEqual([1_000]);
  expect([...said]).toEqual(['', 'Too many requests. Next try in 1 s.']);
  list.retry();
  expect(rowsIn(await settled(list))).toBe(5);
});

test('A change, a deletion and a new link show without another request.', async () => {
  const loaded: string[] = [];
  const list = linkList(pagesOf(150, loaded));
  list.show(0, 120);
  await settled(list);
  list.replace({ ...linkNumber(3), title: 'New' });
  list.remove(new Set(['lnk_0', 'lnk_149']));
  list.add(linkNumber(999));
  list.add(linkNumber(999));
  const state = await settled(list);
  expect([linkAt(state, 0)?.id, linkAt(state, 1)?.id, linkAt(state, 3)?.title]).toEqual(['lnk_999', 'lnk_1', 'New']);
  expect(rowsIn(state)).toBe(149);
  expect(loaded).toEqual(['first', '100']);
});

test('A page that is fetched again after links were made or deleted is followed by what is behind it: no link is lost, or twice.', async () => {
  const newest = { n: 2_000 };
  const load = async (cursor: string | undefined) => {
    const from = Number(cursor ?? newest.n);
    const links = Array.from({ length: Math.min(100, from) }, (_, n) => linkNumber(from - 1 - n));
    return { links, nextCursor: from > 100 ? String(from - 100) : null };
  };
  const list = linkList(load);
  const walk = async () => {
    const seen: (string | undefined)[] = [];
    for (let row = 0; row < rowsIn(list.state()) || list.state().next; row++) {
      list.show(row, row + 20);
      seen.push(linkAt(await settled(list), row)?.id);
    }
    return seen;
  };
  await walk();
  list.show(0, 20);
  await settled(list);
  list.add(linkNumber(newest.n++));
  await walk();
  const seen = await walk();
  expect(seen).toEqual(Array.from({ length: 2_001 }, (_, n) => `lnk_${2_000 - n}`));
});
