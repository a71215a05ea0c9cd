import fc from 'fast-check';
import { expect, test } from 'vitest';
import { utmNames, utmOf, withUtm } from '../../../../clients/console/link/fields/utm.ts';

const urls = fc.webUrl({ withQueryParameters: true, withFragments: true });
const names = fc.constantFrom(...utmNames);
const values = fc.string({ unit: 'grapheme', minLength: 1 });

test('A parameter that is set can be read, and is what servers read.', () => {
  fc.assert(
    fc.property(urls, names, values, (url, name, value) => {
      const changed = withUtm(url, name, value);
      expect(utmOf(changed, name)).toBe(value);
      expect(new URL(changed).searchParams.getAll(name)).toEqual([value]);
    }),
  );
});

test('To set and remove a parameter leaves the rest of the address byte for byte.', () => {
  fc.assert(
    fc.property(urls, names, values, (url, name, value) => {
      fc.pre(utmOf(url, name) === '' && !/\?(#|$)/.test(url) && !url.includes('utm_'));
      expect(withUtm(withUtm(url, name, value), name, '')).toBe(url);
    }),
  );
});

test('A parameter stays at its place, and repetitions of it go.', () => {
  expect(withUtm('https://a.example/?x=1&utm_source=a&y=%20+&utm_source=b#f', 'utm_source', 'c d')).toBe(
    'https://a.example/?x=1&utm_source=c%20d&y=%20+#f',
  );
});

test('A broken escape is shown as it is.', () => {
  expect(utmOf('https://a.example/?utm_source=%zz', 'utm_source')).toBe('%zz');
});
