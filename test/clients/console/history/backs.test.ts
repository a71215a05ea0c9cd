import fc from 'fast-check';
import { expect, test } from 'vitest';
import { backsOf, isChangedAgain } from '../../../../clients/console/history/backs.ts';
import type { Entry } from '../../../../clients/console/history/words.ts';

const change = (link: string, changes: Entry['changes'], action: Entry['action'] = 'link.updated') =>
  ({ id: 'his_1', action, subject: { type: 'link', id: link }, changes }) as Entry;
const tags = (from: readonly string[], to: readonly string[]) => ({ tagIds: { from, to } });
const shape = (entries: readonly Entry[]) =>
  backsOf(entries)?.map(({ back, entries: some }) => [some.map(({ subject }) => subject.id).join(''), back]);

test('A change of many links is undone with one request for all links that need the same.', () => {
  const off = { isActive: { from: true, to: false } };
  expect(shape([change('a', off), change('b', off)])).toEqual([['ab', { isActive: true }]]);
  expect(
    shape([change('a', tags(['x'], ['x', 'y', 'z'])), change('b', tags([], ['z', 'y'])), change('c', tags(['z'], ['z', 'y']))]),
  ).toEqual([
    ['ab', { removeTagIds: ['y', 'z'] }],
    ['c', { removeTagIds: ['y'] }],
  ]);
  expect(shape([change('a', tags(['x', 'y'], ['y', 'z']))])).toEqual([['a', { addTagIds: ['x'], removeTagIds: ['z'] }]]);
});

test.for([
  ['of another field', change('b', { title: { from: 'a', to: 'b' } })],
  ['of several fields', change('b', { isActive: { from: true, to: false }, title: { from: 'a', to: 'b' } })],
  ['that only changed the order of tags', change('b', tags(['x', 'y'], ['y', 'x']))],
  ['of a deletion', change('b', { isActive: { from: false, to: null } }, 'link.deleted')],
] as const)('If one entry is %s, each link is undone by itself.', ([, other]) => {
  expect(backsOf([change('a', { isActive: { from: true, to: false } }), other])).toBeUndefined();
});

test('If links need many different changes, each is undone by itself.', () => {
  const different = (many: number) => Array.from({ length: many }, (_, n) => change(`l${n}`, tags([], [`tag_${n}`])));
  expect(backsOf(different(5))).toHaveLength(5);
  expect(backsOf(different(6))).toBeUndefined();
});

test('Whatever tags a request set, its undo brings back the former ones, and keeps those that others added since.', () => {
  const some = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'));
  fc.assert(
    fc.property(some, some, (from, to) => {
      const back = backsOf([change('l', tags(from, to))])?.[0]?.back;
      const isSame = from.toSorted().join() === to.toSorted().join();
      expect(back === undefined).toBe(isSame);
      if (!back || 'isActive' in back || 'isArchived' in back) return;
      const now = new Set([...to, 'new']);
      for (const id of back.removeTagIds ?? []) now.delete(id);
      for (const id of back.addTagIds ?? []) now.add(id);
      expect([...now].sort()).toEqual([...from, 'new'].sort());
    }),
  );
});

test('A field counts as changed again only if a later entry has changed the same switch or tag, even back to its value.', () => {
  const at = (id: string, changes: Entry['changes'], link = 'a') => ({ ...change(link, changes), id });
  const off = at('his_2', { isActive: { from: true, to: false } });
  const tag = at('his_2', tags(['x'], ['x', 'y']));
  const [on, offAgain] = [at('his_3', { isActive: { from: false, to: true } }), at('his_4', off.changes)];
  expect(isChangedAgain(off, [offAgain, on, off])).toBe(true);
  expect(isChangedAgain(off, [off, at('his_1', on.changes)])).toBe(false);
  expect(isChangedAgain(off, [at('his_3', on.changes, 'b'), at('his_3', { title: { from: null, to: 'b' } }), off])).toBe(false);
  expect(isChangedAgain(tag, [at('his_3', tags(['x', 'y'], ['x', 'y', 'z'])), tag])).toBe(false);
  expect(isChangedAgain(tag, [at('his_4', tags(['x'], ['x', 'y'])), at('his_3', tags(['x', 'y'], ['x'])), tag])).toBe(true);
  // The history of the workspace may show the change a moment later than the history of the link.
  expect(isChangedAgain(off, [on])).toBe(true);
});
