import fc from 'fast-check';
import { expect, test } from 'vitest';
import { grouped, isOfGroup, mayHaveMore } from '../../../../clients/console/history/groups.ts';
import type { Entry } from '../../../../clients/console/history/words.ts';

const start = Date.parse('2026-11-24T10:00:00.000Z');
const change = (link: string, more: Partial<Entry> & { readonly secondsAgo?: number } = {}) =>
  ({
    id: 'his_1',
    at: new Date(start - (more.secondsAgo ?? 0) * 1_000).toISOString(),
    actor: { type: 'key', id: 'key_1', name: 'Ada' },
    requestId: 'req_1',
    action: 'link.updated',
    subject: { type: 'link', id: link },
    changes: {},
    shortUrl: null,
    ...more,
  }) as Entry;
const shape = (entries: readonly Entry[]) => grouped(entries).map((group) => group.map(({ subject }) => subject.id).join(''));

test('Changes of several links by one request are one row, at the place of the newest.', () => {
  const other = change('x', { requestId: 'req_2' });
  expect(shape([change('a'), other, change('b'), change('c', { secondsAgo: 20 })])).toEqual(['abc', 'x']);
});

test.for([
  ['without a request', { requestId: null }],
  ['of another actor', { actor: { type: 'operator', id: null, name: 'x' } }],
  ['with another action', { action: 'link.deleted' }],
  ['from long before, whose request id a client has reused', { secondsAgo: 61 }],
  ['of the same link', { subject: { type: 'link', id: 'a' } }],
] as const)('A change %s stands by itself.', ([, more]) => {
  expect(grouped([change('a'), change('b', more as Partial<Entry>)])).toHaveLength(2);
});

test('Only links are in groups: each tag, domain, key and member has its own row.', () => {
  const tag = (id: string) => change(id, { action: 'tag.updated', subject: { type: 'tag', id } });
  expect(grouped([tag('a'), tag('b')])).toHaveLength(2);
});

test('However entries are mixed, each is in exactly one row, rows and their entries stay in order, and no row has a link twice.', () => {
  const some = fc.record({
    link: fc.constantFrom('a', 'b', 'c', 'd'),
    requestId: fc.constantFrom('req_1', 'req_2', null),
    action: fc.constantFrom('link.updated', 'link.deleted'),
    pause: fc.nat(40),
  });
  fc.assert(
    fc.property(fc.array(some), (wanted) => {
      let secondsAgo = 0;
      const entries = wanted.map(({ link, pause, ...more }, n) => {
        secondsAgo += pause;
        return change(link, { ...more, id: `his_${n}`, secondsAgo } as Partial<Entry>);
      });
      const groups = grouped(entries);
      expect(groups.flat().toSorted((one, other) => entries.indexOf(one) - entries.indexOf(other))).toEqual(entries);
      expect(groups.map(([newest]) => entries.indexOf(newest))).toEqual(
        groups.map(([newest]) => entries.indexOf(newest)).toSorted((one, other) => one - other),
      );
      for (const group of groups) {
        expect(new Set(group.map(({ subject }) => subject.id)).size).toBe(group.length);
        const [newest, ...others] = group;
        expect(others.every((entry) => isOfGroup(entry, newest))).toBe(true);
      }
    }),
  );
});

test('A group may have more links only while older entries near it are not loaded.', () => {
  const [newest, near, far] = [change('a'), change('b', { secondsAgo: 30 }), change('c', { secondsAgo: 90 })];
  expect(mayHaveMore([newest], near, true)).toBe(true);
  expect(mayHaveMore([newest], near, false)).toBe(false);
  expect(mayHaveMore([newest], far, true)).toBe(false);
  expect(mayHaveMore([change('a', { requestId: null })], near, true)).toBe(false);
});
