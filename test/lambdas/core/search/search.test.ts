import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { linkDefaults } from '../../../../lambdas/core/link/link.ts';
import { searchFor } from '../../../../lambdas/core/search/search.ts';
import { runs } from '../../../support/run/proof.ts';

const link = {
  ...linkDefaults,
  domain: 'go.example.com',
  shortCode: 'Sale',
  aliases: ['guides/v1.2'],
  url: 'https://shop.example.org/%C3%A4?b=1',
  title: 'Summer',
  notes: 'Ask Jo',
};

describe('A pasted short URL finds its link', () => {
  test.for([
    'https://go.example.com/Sale',
    'http://go.example.com/sale',
    'HTTPS://GO.EXAMPLE.COM/SALE',
    'go.example.com/Sale',
    'GO.example.com/sale/',
    'go.example.com:3000/Sale',
    'https://go.example.com/Sale/',
    'https://go.example.com/Sale?utm_source=mail&fbclid=IwAR0',
    'https://go.example.com/Sale/?a',
    'https://go.example.com/Sale#top',
    'https://go.example.com/Sale.q',
    'https://go.example.com/Sale&e=AT1&s=1',
    'go.example.com/Sale).',
    'https://go.example.com/Sale+',
    'https://go.example.com/%53ale',
    ' https://go.example.com/Sale\n',
    '\u200bhttps://go.example.com/Sale\u202c',
    '/Sale',
    '/sale?x=1',
    'https://go.example.com/guides/v1.2',
    'go.example.com/guides/V1.2?x',
  ])('%s', (text) => {
    expect(searchFor(text)(link)).toBe(true);
  });

  test.for([
    'https://go.example.com/Sal',
    'https://go.example.com/Sales',
    'https://go.example.com/Sale/more',
    'https://go.example.org/Sale',
    'https://xgo.example.com/Sale',
    'go.example.com.evil.example/Sale',
    'https://go.example.com/guides',
    'https://go.example.com/?Sale',
    '/Sales',
  ])('%s is the address of another link.', (text) => {
    expect(searchFor(text)(link)).toBe(false);
  });

  test('An address with a path behind the slug finds a link that forwards paths.', () => {
    const search = searchFor('https://go.example.com/Sale/more/path?x');
    expect([search(link), search({ ...link, forwardPath: true })]).toEqual([false, true]);
  });

  test('A link on an international domain is found by its name in Unicode and in ASCII.', () => {
    for (const text of ['https://bücher.example/Sale', 'xn--bcher-kva.example/Sale', 'BÜCHER.example'])
      expect(searchFor(text)({ ...link, domain: 'xn--bcher-kva.example' })).toBe(true);
  });

  test('Any slug or alias is found by its address with or without scheme, slash and query.', () => {
    const slug = fc.stringMatching(/^[A-Za-z0-9_-]{1,20}$/);
    const end = fc.constantFrom('', '/', '?', '?a=b&c', '/?a', '#x', '.q', '+');
    fc.assert(
      fc.property(slug, slug, fc.constantFrom('', 'http://', 'https://'), end, (shortCode, alias, scheme, behind) => {
        for (const one of [shortCode, alias])
          expect(searchFor(`${scheme}go.example.com/${one}${behind}`)({ ...link, shortCode, aliases: [alias] })).toBe(true);
      }),
      { numRuns: runs(500) },
    );
  });
});

test.for(['go.example.com', 'GO.Example.com', 'https://go.example.com', 'http://go.example.com:3000/'])(
  'A domain finds its links: %s.',
  (text) => {
    expect([searchFor(text)(link), searchFor(text)({ ...link, domain: 'other.example.com' })]).toEqual([true, false]);
  },
);

test.for([
  'https://shop.example.org/ä',
  'HTTPS://Shop.Example.org/%C3%A4?b',
  'https://shop.example.org:443/a/../ä',
  ' https://shop.example.org/ä?b=1 ',
  'shop.example.org',
  'Ä',
  'example.org/ä?b',
  'SUMMER',
  'ask jo',
  'ale',
])('A destination finds its link as somebody writes it and as it is stored, and so does any part of a text: %s.', (text) => {
  expect(searchFor(text)(link)).toBe(true);
});

test.for([
  'https://shop.example.org/b',
  'shop.example.com',
  'winter',
  'https://',
  '/',
  '.',
  '?',
  '%',
  ' ',
  'https://[',
  '\ud800',
])('A text that a link does not have does not find it: %j.', (text) => {
  const bare = { ...link, url: 'ftp', title: 'x', notes: null, aliases: [] };
  expect(searchFor(text)(bare)).toBe(false);
});
