import { expect, test } from 'vitest';
import { changesOf, valuesOf } from '../../../../clients/console/domains/fields.ts';
import { seenText } from '../../../../clients/console/domains/status.ts';
import type { DomainDetails } from '../../../../clients/console/service/types.ts';

const domain = {
  rootUrl: 'https://example.com/',
  notFoundUrl: null,
  expiredUrl: null,
  accentColor: '#1a2b3c',
  logoUrl: null,
  appleAppSiteAssociation: { applinks: { details: [] } },
  assetLinks: null,
  publicQr: false,
  allowIndexing: false,
} as unknown as DomainDetails;

test('Only fields that somebody has changed are sent; emptied ones as null, addresses with https://, and files as JSON.', () => {
  const values = valuesOf(domain);
  expect(changesOf(values, domain)).toEqual({ changes: {}, malformed: [] });
  const edited = {
    ...values,
    rootUrl: ' ',
    notFoundUrl: 'example.com/lost',
    expiredUrl: ' \u200bhttps://example.com/over\u202c ',
    assetLinks: '[{"a":1}]',
    publicQr: true,
    allowIndexing: true,
  };
  expect(changesOf(edited, domain)).toEqual({
    changes: {
      rootUrl: null,
      notFoundUrl: 'https://example.com/lost',
      expiredUrl: 'https://example.com/over',
      assetLinks: [{ a: 1 }],
      publicQr: true,
      allowIndexing: true,
    },
    malformed: [],
  });
});

test('A file that is not JSON is named.', () => {
  expect(changesOf({ ...valuesOf(domain), assetLinks: '[{' }, domain).malformed).toEqual(['assetLinks']);
});

test('The result of a DNS check is shown in words.', () => {
  const wanted = { type: 'CNAME', name: 'go.acme.com', value: 'links.example' } as const;
  const at = '2030-01-01T00:00:00.000Z';
  expect(seenText({ at, wanted, seen: null })).toBe('the DNS did not answer');
  expect(seenText({ at, wanted, seen: [] })).toBe('no CNAME record was found');
  expect(seenText({ at, wanted, seen: ['a.example', 'b.example'] })).toBe('found a.example, b.example');
});
