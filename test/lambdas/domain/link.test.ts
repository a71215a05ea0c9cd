import { expect, test } from 'vitest';
import type { Domain } from '../../../lambdas/domain/domain.ts';
import { isPending, type Link, linkDefaults } from '../../../lambdas/domain/link.ts';

const link: Link = {
  ...linkDefaults,
  id: 'lnk_a',
  workspaceId: 'ws_secret',
  domain: 'go.example.com',
  domainId: 'dom_a',
  shortCode: 'Launch',
  url: 'https://example.org/',
  creationMark: 'req_secret#0',
  createdAt: '2030-01-01T00:00:00.000Z',
  updatedAt: '2030-01-02T00:00:00.000Z',
};

test.for([
  ['serves', {}, false],
  ['is not serving yet', { status: 'PENDING_DNS' }, true],
  ['changed hands since', { domainId: 'dom_b' }, true],
] as const)('Whether a link is pending follows its domain, which %s.', ([, change, pending]) => {
  const domain: Domain = {
    host: 'go.example.com',
    domainId: 'dom_a',
    workspaceId: 'ws_a',
    createdAt: '',
    verifiedAt: '',
    token: null,
    status: 'ACTIVE',
    ...change,
  };
  expect(isPending(link, domain)).toBe(pending);
});

test('A link whose domain is gone is pending.', () => {
  expect(isPending(link, undefined)).toBe(true);
});
