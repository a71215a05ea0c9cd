import { type Link, linkDefaults } from '../../../lambdas/core/link/link.ts';

/** A link with no settings but its destination. Values that must never be shown contain `secret`. */
export const sampleLink: Link = {
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
