import { expect, test } from 'vitest';
import { withParts } from './written-part.ts';

const page = (one: string, two: string) =>
  `# A page\n\n<!-- npm run docs writes: one -->\n\n${one}\n\n<!-- end -->\n\nbetween\n\n<!-- npm run docs writes: two -->\n\n${two}\n\n<!-- end -->\n\nafter\n`;

test('All stale parts of a page are written at once, and everything else stays.', () => {
  expect(withParts(page('stale', 'a\n\nstale $& table'), { one: 'new $1', two: 'newer' })).toBe(page('new $1', 'newer'));
});

test('A page that lacks a part, or has an unknown one, or one twice, is refused.', () => {
  const wrong: Record<string, string>[] = [{ one: '' }, { one: '', two: '', three: '' }, { one: '', other: '' }];
  for (const parts of wrong) expect(() => withParts(page('', ''), parts)).toThrow('the page has the parts one, two instead of');
  expect(() => withParts(page('', '').replace('two', 'one'), { one: '' })).toThrow('the page has the parts one, one');
});
