import { expect, test } from 'vitest';
import { domainDefaults } from '../../../lambdas/core/domain/domain.ts';
import { domainView, fullDomainView } from '../../../lambdas/views/domain.ts';

const domain = {
  host: 'go.example.com',
  domainId: 'dom_a',
  workspaceId: 'ws_a',
  status: 'ACTIVE',
  createdAt: '2030-01-01T00:00:00.000Z',
  verifiedAt: '2030-01-02T00:00:00.000Z',
  lastCheck: null,
  token: 'abc',
  wantsClicks: false,
  hooksVersion: 0,
  ...domainDefaults,
  rootUrl: 'https://example.com/',
  revision: 3,
} as const;
const target = 'links.example.net';
const stage = { target, isManaging: false, served: ['*.example.com'] };

test('A domain has exactly thirteen keys in a response.', () => {
  expect(domainView(domain, stage)).toEqual({
    domain: 'go.example.com',
    status: 'ACTIVE',
    covered: true,
    records: [
      { type: 'TXT', name: '_links.go.example.com', value: 'links-verification=abc' },
      { type: 'CNAME', name: 'go.example.com', value: target },
    ],
    certificate: null,
    rootUrl: 'https://example.com/',
    notFoundUrl: null,
    expiredUrl: null,
    publicQr: false,
    allowIndexing: false,
    accentColor: null,
    logoUrl: null,
    createdAt: domain.createdAt,
    verifiedAt: domain.verifiedAt,
    lastCheck: null,
  });
});

test('A claim has the settings with which a domain starts.', () => {
  const claim = {
    host: domain.host,
    status: 'PENDING_OWNERSHIP',
    createdAt: '',
    verifiedAt: null,
    token: 'abc',
    lastCheck: null,
  } as const;
  expect(fullDomainView(claim, stage)).toMatchObject(domainDefaults);
});

test('A domain that the operator added has no TXT record to set.', () => {
  expect(domainView({ ...domain, token: null }, stage).records.map(({ type }) => type)).toEqual(['CNAME']);
});

test('A domain that is itself the target gets no record that points at itself.', () => {
  expect(domainView({ ...domain, token: null }, { ...stage, target: domain.host }).records).toEqual([]);
});

test('Any domain or claim says whether a custom domain of the stage covers it, whatever its status.', () => {
  const pending = { ...domain, status: 'PENDING_DNS' } as const;
  for (const one of [domain, pending]) {
    expect(domainView(one, stage).covered).toBe(true);
    expect(domainView(one, { target, isManaging: false, served: ['go.example.net'] }).covered).toBe(false);
  }
});
