import { expect, test } from 'vitest';
import { parseManagedBy } from '../../../../lambdas/core/link/managed-by.ts';

test.for([
  ['marketing@go.example.com', 'marketing@go.example.com'],
  [`${'a'.repeat(64)}@GO.Example.COM.`, `${'a'.repeat(64)}@go.example.com`],
  ['team-1@bücher.example', 'team-1@xn--bcher-kva.example'],
] as const)('The managedBy of a link, %s, is stored as %s.', ([text, stored]) => {
  expect(parseManagedBy(text)).toBe(stored);
});

test.for([
  '',
  'marketing',
  '@go.example.com',
  'Marketing@go.example.com',
  'a b@go.example.com',
  'a@',
  'a@b@go.example.com',
  `${'a'.repeat(65)}@go.example.com`,
])('The text %j is refused.', (text) => {
  expect(() => parseManagedBy(text)).toThrow(expect.objectContaining({ code: 'invalid_managed_by' }));
});
