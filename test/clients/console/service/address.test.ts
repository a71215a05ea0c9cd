import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Address, linkStates, noFilter, parseAddress, writeAddress } from '../../../../clients/console/service/address.ts';

const id = (prefix: string) => fc.stringMatching(/^[0-9A-Za-z]{16}$/).map((text) => `${prefix}_${text}`);
const addresses: fc.Arbitrary<Address> = fc.record({
  workspaceId: id('ws'),
  screen: fc.constant('links' as const),
  linkId: fc.option(id('lnk'), { nil: undefined }),
  isEditing: fc.constant(false),
  url: fc.constant(undefined),
  filter: fc.record({
    q: fc.string({ unit: 'binary' }).map((text) => text.toWellFormed()),
    domain: fc.option(fc.domain(), { nil: undefined }),
    tags: fc.uniqueArray(id('tag'), { maxLength: 20 }),
    match: fc.constantFrom('any', 'all'),
    state: fc.option(fc.constantFrom(...linkStates), { nil: undefined }),
    order: fc.constantFrom('desc', 'asc'),
  }),
});

const parse = (text: string) => {
  const [path = '', query = ''] = text.split(/\?(.*)/s);
  return parseAddress(path, query);
};

test('Whatever view somebody shares, its address leads to the same view.', () => {
  fc.assert(
    fc.property(addresses, (address) => {
      expect(parse(writeAddress(address))).toEqual(address);
    }),
  );
});

test('The address of a new link has what it leads to, and is never one of editing.', () => {
  const address = parse('/ws_1/new?url=https%3A%2F%2Fexample.com%2F%3Fa%3D1%26b&edit=1');
  expect(address).toMatchObject({ screen: 'new', url: 'https://example.com/?a=1&b', isEditing: false });
  expect(parse(writeAddress(address))).toEqual(address);
});

test('Defaults are left out of the address.', () => {
  const plain: Address = {
    workspaceId: 'ws_1',
    screen: 'links',
    linkId: undefined,
    isEditing: false,
    url: undefined,
    filter: noFilter,
  };
  expect(writeAddress(plain)).toBe('/ws_1/links');
});

test.for(['/ws_1/links?state=none&order=up&match=some&tag=,x,<b>&edit=1', '/nowhere?q', '', '/ws_1/links/%3Cscript%3E'])(
  'What makes no sense in an address is ignored: %s',
  (text) => {
    expect(parse(text)).toMatchObject({ screen: 'links', linkId: undefined, isEditing: false, filter: noFilter });
  },
);
