import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Address, linkStates, noFilter, parseAddress, writeAddress } from '../../../../clients/console/service/address.ts';
import type { Screen } from '../../../../lambdas/core/console/addresses.ts';

const id = (prefix: string) => fc.stringMatching(/^[0-9A-Za-z]{16}$/).map((text) => `${prefix}_${text}`);
const plain: Address = {
  workspaceId: 'ws_1',
  screen: 'links',
  linkId: undefined,
  item: undefined,
  isEditing: false,
  url: undefined,
  from: undefined,
  filter: noFilter,
  query: '',
};

const ofLinks: fc.Arbitrary<Address> = fc.record({
  workspaceId: id('ws'),
  screen: fc.constant('links' as const),
  linkId: fc.option(id('lnk'), { nil: undefined }),
  item: fc.constant(undefined),
  query: fc.constant(''),
  isEditing: fc.constant(false),
  url: fc.constant(undefined),
  from: fc.constant(undefined),
  filter: fc.record({
    q: fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
    domain: fc.option(fc.domain(), { nil: undefined }),
    tags: fc.uniqueArray(id('tag'), { maxLength: 20 }),
    match: fc.constantFrom('any', 'all'),
    state: fc.option(fc.constantFrom(...linkStates), { nil: undefined }),
    isArchived: fc.boolean(),
    unclicked: fc.constantFrom('', '1d', '365d', '2026-10-26'),
    expiring: fc.constantFrom('', '7d', '30d'),
    sort: fc.constantFrom(undefined, 'clicks', 'lastClickedAt'),
    range: fc.constantFrom('', '30d', 'last-month', '2026-10-26..2026-11-24'),
    order: fc.constantFrom('desc', 'asc'),
  }),
});

const ofOthers: fc.Arbitrary<Address> = fc
  .tuple(
    fc.oneof(
      fc.tuple(
        fc.constantFrom('home', 'statistics', 'history', 'import', 'tags', 'members', 'keys', 'limits'),
        fc.constant(undefined),
      ),
      fc.tuple(fc.constant('domains'), fc.option(fc.domain(), { nil: undefined })),
      fc.tuple(fc.constant('webhooks'), fc.option(id('whk'), { nil: undefined })),
    ) as fc.Arbitrary<[Screen, string | undefined]>,
    id('ws'),
    fc.webQueryParameters().map((query) => new URLSearchParams(query).toString()),
  )
  .map(([[screen, item], workspaceId, query]) => ({ ...plain, screen, item, workspaceId, query }));

const parse = (text: string) => {
  const [path = '', query = ''] = text.split(/\?(.*)/s);
  return parseAddress(path, query);
};

test('Whatever view somebody shares, its address leads to the same view.', () => {
  fc.assert(
    fc.property(fc.oneof(ofLinks, ofOthers), (address) => {
      expect(parse(writeAddress(address))).toEqual(address);
    }),
  );
});

test('The address of a new link has its destination, and never opens the editor.', () => {
  const address = parse('/ws_1/new?url=https%3A%2F%2Fexample.com%2F%3Fa%3D1%26b&edit=1');
  expect(address).toMatchObject({ screen: 'new', url: 'https://example.com/?a=1&b', isEditing: false });
  expect(parse(writeAddress(address))).toEqual(address);
});

test('Defaults are left out of the address.', () => {
  expect(writeAddress(plain)).toBe('/ws_1/links');
});

test('An address without a known screen leads home, and an address of the list to the list.', () => {
  for (const path of ['', '/', '/ws_1', '/ws_1/', '/nowhere']) expect([path, parse(path).screen]).toEqual([path, 'home']);
  for (const path of ['/ws_1/links', '/ws_1/links?q=a', '/ws_1/links/lnk_1'])
    expect([path, parse(path).screen]).toEqual([path, 'links']);
});

test.for([
  '/ws_1/links?state=none&order=up&match=some&tag=,x,<b>&edit=1&sort=title&range=<b>&unclicked=0d&expiring=soon',
  '/nowhere?q',
  '',
  '/ws_1/links/%3Cscript%3E',
  '/ws_1/links/whk_1',
  '/ws_1/constructor',
])('Invalid parts of an address are ignored: %s', (text) => {
  expect(parse(text)).toMatchObject({ linkId: undefined, isEditing: false, filter: noFilter });
});
