import { expect, test } from 'vitest';
import type { Plan } from '../../../clients/links-as-code/plan.ts';
import { readManifest } from '../../../clients/links-as-code/read.ts';
import { tableOf } from '../../../clients/links-as-code/render.ts';
import type { Seen } from '../../../clients/links-as-code/settings.ts';

const [domain, managedBy] = ['go.example.com', 'marketing@go.example.com'];
const seen = { slug: 'old', url: 'https://example.org/old' } as Seen;

test('A plan shows what is created, changed field by field and deleted, and counts it in the last line.', () => {
  const [link] = readManifest(
    `{ owner: marketing, domain: ${domain}, links: [{ slug: new, url: 'https://example.org/', tags: [a], isActive: false }] }`,
  ).links;
  if (!link) throw new Error('no link');
  const plan: Plan = {
    domain,
    managedBy,
    steps: [
      { level: 0, action: 'create-tag', name: 'a', color: '#123456' },
      { level: 1, action: 'create', slug: 'new', wanted: link.wanted },
      {
        level: 1,
        action: 'update',
        slug: 'renamed',
        id: 'lnk_1',
        seen,
        changes: { slug: { from: 'old', to: 'renamed' }, title: { from: null, to: 'A "title"\u001b[31m\u009b\u202e' } },
      },
      { level: 2, action: 'delete', slug: 'gone', id: 'lnk_2', seen },
    ],
  };
  expect(tableOf(plan).split('\n')).toEqual([
    'Links on go.example.com, managed by marketing@go.example.com:',
    '',
    '  + tag a',
    '      + color: "#123456"',
    '',
    '  + new',
    '      + url: "https://example.org/"',
    '      + tags: ["a"]',
    '      + isActive: false',
    '',
    '  ~ old',
    '      ~ slug:  "old" -> "renamed"',
    '      ~ title: null -> "A \\"title\\"\\u001b[31m\\u009b\\u202e"',
    '',
    '  - gone',
    '      - url: "https://example.org/old"',
    '',
    'Plan: 1 to create (and 1 tag), 1 to change, 1 to delete.',
  ]);
});

test('A plan without steps says so.', () => {
  expect(tableOf({ domain, managedBy, steps: [] })).toBe('No changes: the links of marketing@go.example.com match the manifest.');
});
