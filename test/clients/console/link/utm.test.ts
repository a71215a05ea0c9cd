import fc from 'fast-check';
import { expect, test } from 'vitest';
import { inCampaignOf, usedValues, utmNames, utmOf, withUtm } from '../../../../clients/console/link/fields/utm.ts';

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

test('A parameter that is set keeps its place, and its repetitions are removed.', () => {
  expect(withUtm('https://a.example/?x=1&utm_source=a&y=%20+&utm_source=b#f', 'utm_source', 'c d')).toBe(
    'https://a.example/?x=1&utm_source=c%20d&y=%20+#f',
  );
});

test('A broken escape is shown as it is.', () => {
  expect(utmOf('https://a.example/?utm_source=%zz', 'utm_source')).toBe('%zz');
});

test('A new destination gets the parameters of the former one, unless it has some; parameters that were removed stay away.', () => {
  fc.assert(
    fc.property(urls, names, values, (url, name, value) => {
      fc.pre(!url.includes('utm_') && !/\?(#|$)/.test(url));
      const former = withUtm('https://former.example/a?x=1', name, value);
      expect(inCampaignOf(former, url)).toBe(withUtm(url, name, value));
      const own = withUtm(url, 'utm_source', 'own');
      expect(inCampaignOf(former, own)).toBe(own);
      expect(inCampaignOf(withUtm(url, name, value), url)).toBe(url);
    }),
  );
  expect(inCampaignOf('https://former.example/?utm_source=a', '')).toBe('');
});

test('Used values are listed once each, the most frequent first.', () => {
  const of = (source: string) => `https://a.example/?utm_source=${source}`;
  const used = usedValues([of('rare'), of('often'), of('often'), 'https://a.example/']);
  expect([used.utm_source, used.utm_medium]).toEqual([['often', 'rare'], []]);
});
