import { expect, test } from 'vitest';
import { doneText, planOf, refusalsIn, whyNot } from '../../../../clients/console/history/undo.ts';
import type { Entry } from '../../../../clients/console/history/words.ts';
import type { Link } from '../../../../clients/console/service/types.ts';
import { ProblemError } from '../../../../clients/typescript/problem.ts';

const names = { tag: (id: string) => id };
const entry = (changes: Entry['changes'], more: Partial<Entry> = {}) =>
  ({ action: 'link.updated', subject: { type: 'link', id: 'lnk_1' }, changes, ...more }) as Entry;
const link = {
  title: 'Winter',
  shortCode: 'spring',
  tags: [{ id: 'tag_2' }, { id: 'tag_1' }],
  rules: [],
  expiresAt: null,
} as unknown as Link;

test('A plan restores the former value of each field that is still as the entry left it.', () => {
  const plan = planOf(
    entry({ title: { from: 'Spring', to: 'Winter' }, tagIds: { from: [], to: ['tag_1', 'tag_2'] } }),
    link,
    names,
  );
  expect(plan.changes.map(({ field, text }) => [field, text])).toEqual([
    ['title', '“Winter” → “Spring”'],
    ['tagIds', '− tag_2, − tag_1'],
  ]);
  expect(plan.clashes).toEqual([]);
});

test('A field that was changed again is a clash that says its value now; a field that is back already is left alone.', () => {
  const changes = { title: { from: 'Spring', to: 'Summer' }, customSlug: { from: 'spring', to: 'other' } };
  const plan = planOf(entry(changes), link, names);
  expect(plan.clashes).toEqual(['Title has been changed again since, and is now “Winter”.']);
  expect(plan.notes).toEqual(['Slug already has its earlier value.']);
  expect(plan.changes).toEqual([]);
});

test('A change that cannot be undone says why.', () => {
  expect(whyNot(entry({ title: { from: null, to: 'x' } }), true)).toBeUndefined();
  expect(whyNot(entry({ title: { from: null, to: 'x' } }), false)).toContain('links:write');
  expect(whyNot(entry({ password: { from: null, to: 'changed' } }), true)).toContain('password');
  expect(whyNot(entry({ aliases: { from: ['x'], to: [] } }), true)).toContain('address');
  expect(whyNot(entry({}, { action: 'link.created' }), true)).toContain('Delete');
  expect(whyNot(entry({}, { action: 'link.clicks_erased' }), true)).toContain('cannot be brought back');
  const template = { action: 'template.deleted', subject: { type: 'template', id: 'x' } } as const;
  expect(whyNot(entry({}, template), true)).toBeUndefined();
  expect(whyNot(entry({}, template), false)).toContain('tags:write');
  for (const type of ['tag', 'template', 'domain', 'key', 'member'] as const)
    expect(whyNot(entry({}, { action: `${type}.updated`, subject: { type, id: 'x' } }), true)).toContain('cannot be undone');
});

test('A change of a link that was deleted since gives no advice that cannot be followed.', () => {
  const at = new Date(new Date().setHours(11, 5)).toISOString();
  for (const action of ['link.created', 'link.updated'] as const)
    expect(whyNot(entry({ title: { from: null, to: 'x' } }, { action }), true, at)).toBe('The link was deleted at 11:05.');
  expect(whyNot(entry({}, { action: 'link.created' }), true, '2020-01-02T12:00:00Z')).toContain('was deleted on 2 Jan 2020, ');
  expect(whyNot(entry({}, { action: 'link.deleted' }), true, at)).toBeUndefined();
  expect(whyNot(entry({}, { action: 'link.clicks_erased' }), true, at)).toContain('cannot be brought back');
});

test('A refusal names each field and what happened to it since.', () => {
  const refused = (errors: readonly object[]) =>
    new ProblemError(409, JSON.stringify({ code: 'revert_refused', detail: 'The change cannot be reverted.', errors }), false);
  expect(refusalsIn(refused([{ path: '/title', code: 'changed_since', message: 'has been changed since' }]))).toEqual([
    'Not undone: Title has been changed again since.',
  ]);
  expect(refusalsIn(refused([]))).toEqual(['Not undone: The change cannot be reverted.']);
  expect(refusalsIn(new Error('lost'))).toEqual([]);
});

test('A deletion that was undone long ago is not said to be undone now.', () => {
  const now = Date.parse('2026-11-24T12:00:00Z');
  const deleted = entry({}, { action: 'link.deleted', shortUrl: 'https://go.acme.com/spring' });
  const text = (createdAt: string) => doneText(deleted, { createdAt }, now);
  expect(text('2026-11-24T11:59:59Z')).toBe('go.acme.com/spring is back, with 0 clicks.');
  expect(text('2026-11-24T11:00:00Z')).toBe('go.acme.com/spring has already been brought back.');
});
