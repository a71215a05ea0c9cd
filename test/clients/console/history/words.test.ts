import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseView, writeView } from '../../../../clients/console/history/view.ts';
import {
  byDay,
  deedOf,
  difference,
  differencesOf,
  type Entry,
  sharedDifferences,
  subjectsText,
  undoneDifference,
  valueText,
} from '../../../../clients/console/history/words.ts';
import { actorName, commandOf } from '../../../../clients/console/parts/actor.ts';

const names = { tag: (id: string) => ({ tag_1: 'launch', tag_2: 'press' })[id] ?? 'a deleted tag' };
const text = (field: string, from: unknown, to: unknown) => difference(field, { from, to }, names).text;
const entry = (action: Entry['action'], changes: Entry['changes'], more: Partial<Entry> = {}): Entry => ({
  id: 'his_1',
  at: '2026-11-24T10:00:00.000Z',
  actor: { type: 'key', id: 'key_1', name: 'Ada' },
  requestId: null,
  action,
  subject: { type: 'link', id: 'lnk_1' },
  changes,
  shortUrl: 'https://go.acme.com/spring',
  ...more,
});

test('A difference has names instead of ids, and says what is empty.', () => {
  expect(text('title', 'Spring', 'Winter')).toBe('“Spring” → “Winter”');
  expect(text('expiresAt', null, '2026-12-31T12:00:00.000Z')).toMatch(/^never → 31 Dec 2026, \d\d:00$/);
  expect(text('maxClicks', null, 20_000)).toBe('no limit → 20,000');
  expect(text('isActive', true, false)).toBe('yes → no');
  expect(text('url', 'https://a.example/x', 'http://b.example/')).toBe('a.example/x → b.example/');
  expect(text('tagIds', ['tag_1', 'tag_9'], ['tag_1', 'tag_2'])).toBe('+ press, − a deleted tag');
  expect(text('password', null, 'changed')).toBe('set');
  expect(text('password', 'changed', null)).toBe('removed');
  expect(text('rules', [], [{ if: { country: ['DE', 'AT'], device: ['mobile'] }, url: 'https://m.example/' }])).toBe(
    'none → country DE or AT and device mobile: m.example/',
  );
  expect(text('permissions', ['links:read'], ['links:read', 'links:write'])).toBe(
    'View links → View links, Create and edit links',
  );
  expect(text('replacedBy', null, 'key_2')).toBe('none → another key');
  expect(text('constructor', null, 'x')).toBe('none → “x”');
});

test('Whatever value a field has, it is shown without JSON braces or names of types.', () => {
  fc.assert(
    fc.property(fc.string({ minLength: 1 }), fc.jsonValue(), (field, value) => {
      const shown = valueText(field, Array.isArray(value) && /rules|variants/.test(field) ? [] : value, names);
      expect(typeof shown).toBe('string');
      expect(shown).not.toMatch(/\[object |^\{/);
    }),
  );
});

test('A member joins the workspace, and a removed member is named, even if the change does not say who.', () => {
  const subject = { type: 'member', id: 'mbr_1', name: 'Olga' } as const;
  const deed = (action: Entry['action']) =>
    deedOf(entry(action, { role: { from: 'member', to: null } }, { subject, shortUrl: null }));
  expect(deed('member.joined')).toEqual({ verb: 'joined', subject: 'the workspace' });
  expect(deed('member.removed')).toEqual({ verb: 'removed', subject: 'the member “Olga”' });
});

test('A deletion says what is lost, without repeating the address.', () => {
  const lost = {
    domain: { from: 'go.acme.com', to: null },
    shortCode: { from: 'spring', to: null },
    title: { from: 'Spring', to: null },
  };
  const deleted = entry('link.deleted', lost);
  expect(deedOf(deleted)).toEqual({ verb: 'deleted', subject: 'go.acme.com/spring' });
  expect(differencesOf(deleted, names)).toEqual([{ field: 'title', name: 'Title', text: '“Spring”' }]);
});

test('Entries stay in their order, grouped by the days of the reader.', () => {
  const groups = ['2026-11-24T12:00:00Z', '2026-11-24T11:00:00Z', '2026-11-20T12:00:00Z'].map(
    (at) => [entry('link.updated', {}, { at })] as const,
  );
  const days = byDay(groups, Date.parse('2026-11-24T13:00:00.000Z'));
  expect(days.map(({ day }) => day)).toEqual(['Today, Tuesday, 24 November 2026', 'Friday, 20 November 2026']);
  expect(days.flatMap(({ groups: some }) => some)).toEqual(groups);
});

test("An actor that isn't a person is named as an API key or as the operator with a command.", () => {
  const named = (actor: Entry['actor']) => [actorName({ actor }), commandOf({ actor })];
  expect(named({ type: 'key', id: 'key_1', name: 'demo' })).toEqual(['demo (API key)', undefined]);
  expect(named({ type: 'key', id: 'key_1', name: null })).toEqual(['Unnamed (API key)', undefined]);
  expect(named({ type: 'member', id: 'mbr_1', name: 'Ada' })).toEqual(['Ada', undefined]);
  expect(named({ type: 'operator', id: null, name: 'start' })).toEqual(['The operator', 'start']);
});

test('A change of several links shows the differences that all have in common, and names some of the links.', () => {
  const at = (slug: string, changes: Entry['changes']) =>
    entry('link.updated', changes, { shortUrl: `https://go.acme.com/${slug}` });
  const off = { isActive: { from: true, to: false } };
  const entries = [at('a', off), at('b', { ...off, title: { from: null, to: 'B' } }), at('c', off), at('d', off)];
  expect(sharedDifferences(entries, names).map(({ text: said }) => said)).toEqual(['yes → no']);
  expect(undoneDifference(entries, 'isActive', names).text).toBe('no → yes');
  expect(subjectsText(entries, false)).toBe('go.acme.com/a, go.acme.com/b, go.acme.com/c and 1 more');
  expect(subjectsText(entries.slice(0, 2), false)).toBe('go.acme.com/a and go.acme.com/b');
  expect(subjectsText(entries.slice(0, 2), true)).toBe('go.acme.com/a, go.acme.com/b and more');
});

test('The address keeps the view without defaults, and invalid parts of it are ignored.', () => {
  for (const view of [
    { linkId: undefined, actor: undefined, span: '30d' },
    { linkId: 'lnk_1', actor: undefined, span: 'all' },
    { linkId: undefined, actor: 'key_a-B_1', span: 'all' },
    { linkId: 'lnk_1', actor: 'operator', span: '7d' },
  ] as const)
    expect(parseView(writeView(view))).toEqual(view);
  expect(writeView(parseView('of=<b>&actor=%20&range=constructor'))).toBe('');
});
