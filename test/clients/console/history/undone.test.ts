import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  deletedAt,
  isLeft,
  keyOf,
  laterOf,
  undidAt,
  undidText,
  undoneAt,
  undoneBy,
  undoneText,
} from '../../../../clients/console/history/undone.ts';
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

test('Undo has something left to do unless a change was undone, or its link was deleted.', () => {
  const off = { isActive: { from: true, to: false } };
  const on = { isActive: { from: false, to: true } };
  const [first, second, third] = [change(1, off, 'lnk_1'), change(1, off, 'lnk_2'), change(1, off, 'lnk_3')];
  const deleted = change(4, {}, 'lnk_3', { action: 'link.deleted' });
  const since = [change(2, on, 'lnk_1'), change(3, off, 'lnk_1'), deleted];
  const later = laterOf([...since.toReversed(), third, second, first], new Map());
  expect([first, second, third, deleted].map((entry) => isLeft(entry, later))).toEqual([false, true, false, true]);
  expect(isLeft({ ...deleted, restoredAs: 'lnk_4' }, later)).toBe(false);
});

test('Tags are back whatever their order.', () => {
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

/** Each change that undid another one, with the time of the other. @param entries oldest first */
const undid = (...entries: Entry[]) => Object.fromEntries(undidAt(entries.toReversed()));

test('A change says which earlier one it undid: the newest of the same link whose fields, and only these, are back.', () => {
  const [there, back] = [title('a', 'b'), title('b', 'a')];
  expect(undid(change(1, there), change(2, back))).toEqual({ 'lnk_1 his_2': at(1) });
  expect(undid(change(1, there), change(2, back), change(3, there))).toEqual({ 'lnk_1 his_2': at(1), 'lnk_1 his_3': at(2) });
  expect(undid(change(1, there), change(2, back), change(3, there), change(4, back))).toMatchObject({ 'lnk_1 his_4': at(3) });
  expect(undid(change(1, there), change(2, back, 'lnk_2'))).toEqual({});
  expect(undid(change(1, there), change(2, title('c', 'a')))).toEqual({});
  const more = { notes: { from: 'x', to: 'y' } };
  expect(undid(change(1, there), change(2, { ...back, ...more }))).toEqual({});
  expect(undid(change(1, { ...there, ...more }), change(2, back))).toEqual({});
  const password = { password: { from: null, to: 'changed' } };
  expect(undid(change(1, { ...there, ...password }), change(2, back))).toEqual({ 'lnk_1 his_2': at(1) });
  expect(undid(change(1, password), change(2, password))).toEqual({});
  const now = new Date(2026, 10, 24, 12).getTime();
  expect(undidText(new Date(2026, 10, 24, 11, 5).toISOString(), now)).toBe('undid the change from 11:05');
  expect(undidText(new Date(2026, 10, 20, 11, 5).toISOString(), now)).toBe('undid the change from 20 Nov, 11:05');
});

test('A change that the page has undone counts as undone at once by the answer, and later by the history.', () => {
  const link = { id: 'lnk_new', updatedAt: at(5) };
  const changed = change(1, title('a', 'b'));
  const deleted = change(2, {}, 'lnk_2', { action: 'link.deleted' });
  const answers = new Map([changed, deleted].map((entry) => [keyOf(entry), undoneBy(entry, link)]));
  const before = laterOf([deleted, changed], answers);
  expect([before.undone.get(keyOf(changed)), before.undone.get(keyOf(deleted))]).toEqual([
    { at: at(5) },
    { at: at(5), restoredAs: 'lnk_new' },
  ]);
  const after = laterOf([change(6, title('b', 'a')), deleted, changed], answers);
  expect(after.undone.get(keyOf(changed))).toEqual({ at: at(6) });
  expect(undoneBy(changed, undefined, Date.parse(at(7)))).toEqual({ at: at(7) });
});

test('A link that was deleted says when, whatever was done to it before.', () => {
  const entries = [change(3, {}, 'lnk_2', { action: 'link.deleted' }), change(2, {}, 'lnk_2'), change(1, {})];
  expect([...deletedAt(entries)]).toEqual([['lnk_2', at(3)]]);
});

test('An undone change says when it was undone, with the day unless that is today.', () => {
  const now = new Date(2026, 10, 24, 12).getTime();
  expect(undoneText(new Date(2026, 10, 24, 11, 5).toISOString(), now)).toBe('Undone at 11:05.');
  expect(undoneText(new Date(2026, 10, 20, 11, 5).toISOString(), now)).toBe('Undone on 20 Nov, 11:05.');
});
