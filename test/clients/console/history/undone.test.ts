import fc from 'fast-check';
import { expect, test } from 'vitest';
import { keyOf, undoneAt, undoneText } from '../../../../clients/console/history/undone.ts';
import type { Entry } from '../../../../clients/console/history/words.ts';

const at = (minute: number) => `2026-11-24T10:${String(minute).padStart(2, '0')}:00.000Z`;
const change = (minute: number, changes: Entry['changes'], subject = 'lnk_1', more: Partial<Entry> = {}) =>
  ({
    id: `his_${minute}`,
    at: at(minute),
    action: 'link.updated',
    subject: { type: 'link', id: subject },
    changes,
    ...more,
  }) as Entry;
/** The minutes of what was undone, with when. @param entries oldest first */
const undone = (...entries: Entry[]) => {
  const found = undoneAt(entries.toReversed());
  return Object.fromEntries(entries.flatMap((entry) => (found.has(keyOf(entry)) ? [[entry.id, found.get(keyOf(entry))]] : [])));
};
const title = (from: unknown, to: unknown) => ({ title: { from, to } });

test('A change is undone by the later one that brings its values back, and that one is not.', () => {
  expect(undone(change(1, title('a', 'b')), change(2, title('b', 'a')))).toEqual({ his_1: at(2) });
  expect(undone(change(1, title('a', 'b')), change(2, title('b', 'c')))).toEqual({});
  expect(undone(change(1, title('a', 'b')), change(2, title('b', 'a'), 'lnk_2'))).toEqual({});
});

test('Several changes that are undone one after the other are all undone.', () => {
  const all = [change(1, title('a', 'b')), change(2, title('b', 'c')), change(3, title('c', 'b')), change(4, title('b', 'a'))];
  expect(undone(...all)).toEqual({ his_1: at(4), his_2: at(3) });
});

test('A change of several fields is undone once all of them are back; a password, which never is, does not count.', () => {
  const both = change(1, { ...title('a', 'b'), isActive: { from: true, to: false }, password: { from: null, to: 'changed' } });
  const on = { isActive: { from: false, to: true } };
  expect(undone(both, change(2, title('b', 'a')))).toEqual({});
  expect(undone(both, change(2, title('b', 'a')), change(3, on))).toEqual({ his_1: at(3) });
  expect(undone(change(1, { password: { from: null, to: 'changed' } }), change(2, title('b', 'a')))).toEqual({});
});

test('Tags are back in any order.', () => {
  const tags = (from: string[], to: string[]) => ({ tagIds: { from, to } });
  expect(undone(change(1, tags(['a', 'b'], ['a'])), change(2, tags(['a'], ['b', 'a'])))).toEqual({ his_1: at(2) });
});

test('Whatever a field went through, a change counts as undone exactly if a later change has brought its former value.', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'c'), { minLength: 1, maxLength: 12 }), (values) => {
      const entries = values.slice(1).map((to, n) => change(n, title(values[n], to)));
      const expected = entries.flatMap(({ id }, n) => (values.indexOf(values[n] as 'a', n + 2) >= 0 ? [id] : []));
      expect(Object.keys(undone(...entries))).toEqual(expected);
    }),
  );
});

test('It says when, with the day unless that is today.', () => {
  const now = new Date(2026, 10, 24, 12).getTime();
  expect(undoneText(new Date(2026, 10, 24, 11, 5).toISOString(), now)).toBe('Undone at 11:05.');
  expect(undoneText(new Date(2026, 10, 20, 11, 5).toISOString(), now)).toBe('Undone on 20 Nov, 11:05.');
});
