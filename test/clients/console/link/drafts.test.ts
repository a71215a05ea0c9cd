import { expect, test } from 'vitest';
import { readDraft, writeDraft } from '../../../../clients/console/link/drafts.ts';

function storage() {
  const kept = new Map<string, string>();
  return {
    kept,
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    removeItem: (name: string) => void kept.delete(name),
  };
}
const day = 24 * 60 * 60_000;

test('Unsaved changes are kept for 7 days, and only for their link.', () => {
  const place = storage();
  writeDraft(place, 'lnk_1', { title: 'New', url: 'https://example.com/' }, ['title'], {}, 0);
  expect(readDraft(place, 'lnk_1', 7 * day - 1)?.changed).toEqual({ title: 'New' });
  expect(readDraft(place, 'lnk_2', 0)).toBeUndefined();
  expect(readDraft(place, 'lnk_1', 7 * day)).toBeUndefined();
  expect(place.kept.size).toBe(0);
});

test('A password is never kept.', () => {
  const place = storage();
  writeDraft(place, 'lnk_1', { password: 'open sesame', title: 'New' }, ['password', 'title'], {
    password: 'earlier',
    title: 'Old',
  });
  expect([...place.kept.values()].join()).not.toMatch(/sesame|earlier/);
  writeDraft(place, 'lnk_1', { password: 'open sesame' }, ['password'], {});
  expect(place.kept.size).toBe(0);
});

test('A draft that cannot be read, or a full storage, causes no error.', () => {
  const place = storage();
  for (const text of ['{', 'null', '1', '{"at":"x"}', '{"at":1,"changed":{}}']) {
    place.setItem('links-draft:lnk_1', text);
    expect(readDraft(place, 'lnk_1')).toBeUndefined();
  }
  const full = {
    ...place,
    setItem: () => {
      throw new Error('QuotaExceededError');
    },
  };
  writeDraft(full, 'lnk_1', { title: 'New' }, ['title'], {});
});
