import { expect, test } from 'vitest';
import { type Domain, domainDefaults } from '../../../../lambdas/core/domain/domain.ts';
import { isPending } from '../../../../lambdas/core/link/link.ts';
import { sampleLink as link } from '../../../support/things/sample-link.ts';

test.for([
  ['serves', false, {}],
  ['is not serving yet', true, { status: 'PENDING_DNS' }],
  ['changed hands since', true, { domainId: 'dom_b' }],
] as const)('A link on a domain that %s is pending: %j.', ([, pending, change]) => {
  const domain: Domain = {
    host: 'go.example.com',
    domainId: 'dom_a',
    workspaceId: 'ws_a',
    createdAt: '',
    verifiedAt: '',
    token: null,
    wantsClicks: false,
    hooksVersion: 0,
    ...domainDefaults,
    revision: 0,
    status: 'ACTIVE',
    ...change,
  };
  expect(isPending(link, domain)).toBe(pending);
});

test('A link whose domain is gone is pending.', () => {
  expect(isPending(link, undefined)).toBe(true);
});
