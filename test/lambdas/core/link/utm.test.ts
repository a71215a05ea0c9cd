import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Utm, utmParameters, withUtm } from '../../../../lambdas/core/link/utm.ts';
import { anyCharacter } from '../../../support/run/any-character.ts';

const value = fc.string({ unit: anyCharacter, minLength: 1, maxLength: 8 }).map((text) => text.toWellFormed());
const anyUtm = fc.record(Object.fromEntries(Object.keys(utmParameters).map((field) => [field, fc.option(value)])), {
  requiredKeys: [],
}) as fc.Arbitrary<Utm>;
const pair = fc.oneof(
  fc.constantFrom(...Object.values(utmParameters), 'UTM_SOURCE', 'utm%5Fsource', 'a', '').map((name) => `${name}=1`),
  fc.stringMatching(/^[a-z=+%20&?]{0,6}$/).map((text) => text.replaceAll('%', '%25')),
);
const href = fc
  .tuple(
    fc.constantFrom('https://example.com/', 'https://example.com/a%2Fb?', 'http://example.org/?x'),
    fc.array(pair),
    fc.constantFrom('', '#p?utm_source=2'),
  )
  .map(([start, pairs, end]) => new URL(`${start}${start.includes('?') ? '&' : '?'}${pairs.join('&')}${end}`).href);

describe('Parameters of a destination', () => {
  test('Exactly the given parameters have the given values, once each, and everything else stays byte for byte.', () => {
    fc.assert(
      fc.property(href, anyUtm, (before, utm) => {
        const after = withUtm(before, utm);
        const [one, other] = [new URL(before), new URL(after)];
        for (const part of ['origin', 'pathname', 'hash'] as const) expect(other[part]).toBe(one[part]);
        const given = Object.entries(utmParameters).filter(([field]) => utm[field as keyof Utm] !== undefined);
        for (const [field, name] of given) {
          const wanted = utm[field as keyof Utm];
          expect(other.searchParams.getAll(name)).toEqual(wanted === null ? [] : [wanted]);
        }
        const isOther = (text: string) => !given.some(([, name]) => new URLSearchParams(`&${text}`).has(name));
        const othersIn = (url: URL) => url.search.slice(1).split('&').filter(isOther).filter(Boolean);
        expect(othersIn(other)).toEqual(othersIn(one));
        expect(withUtm(after, utm)).toBe(after);
      }),
    );
  });

  test.for([
    [
      'https://example.com/?a=1&utm_source=x&b=%20+&utm_source=y#z',
      { utmSource: 'mail & more' },
      'https://example.com/?a=1&utm_source=mail%20%26%20more&b=%20+#z',
    ],
    ['https://example.com/page', { utmSource: 'a', utmContent: 'ü' }, 'https://example.com/page?utm_source=a&utm_content=%C3%BC'],
    ['https://example.com/?utm_term=x', { utmTerm: null }, 'https://example.com/'],
    ['https://example.com/?', {}, 'https://example.com/?'],
    ['https://example.com/?', { utmTerm: null }, 'https://example.com/?'],
  ] as const)('%s with %j is %s.', ([before, utm, after]) => {
    expect(withUtm(before, utm)).toBe(after);
  });

  test('A destination that gets too long is refused.', () => {
    const longest = 'https://example.com/?'.padEnd(8_000 - '&utm_term=%C3%BC'.length, 'x');
    expect(withUtm(longest, { utmTerm: 'ü' })).toHaveLength(8_000);
    expect(() => withUtm(longest, { utmTerm: 'üü' })).toThrow('at most 8000 characters');
  });
});
