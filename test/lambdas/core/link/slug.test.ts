import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { makeSlug } from '../../../../lambdas/core/link/made-slug.ts';
import { checkSlug, foldSlug, isSlug } from '../../../../lambdas/core/link/slug.ts';
import { anyCharacter } from '../../../support/run/any-character.ts';

const refused = (code: string) => expect.objectContaining({ name: 'RuleError', code });
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.';
const reservedNames = ['api', 'ping', 'sping', 'robots.txt', 'favicon.ico'];

/** The rule for slugs, as parts. */
const isPart = (part: string) => part !== '' && !['.', '..'].includes(part) && !/^\.well-known/i.test(part);
const isAllowed = (text: string) => text.length <= 190 && text.split('/').every(isPart) && !/\.(q|svg)$/i.test(text);
const isReserved = (text: string) => reservedNames.includes(text.toLowerCase().split('/')[0] ?? '');

const part = fc.oneof(
  fc.string({ unit: fc.constantFrom(...letters), minLength: 1, maxLength: 60 }),
  fc.constantFrom(
    '',
    '.',
    '..',
    '...',
    '.well-known',
    '.Well-Knownx',
    'well-known',
    'a.q',
    'q',
    'svg',
    'a.SVG',
    'a.qq',
    ...reservedNames,
  ),
);
const parts = fc.array(part, { minLength: 1, maxLength: 6 }).map((all) => all.join('/'));
const slug = parts.filter((text) => isAllowed(text) && !isReserved(text));

describe('A custom slug', () => {
  test('A custom slug of allowed parts with a slash between them is returned as it is, and every other text is refused.', () => {
    fc.assert(
      fc.property(parts, (text) => {
        expect(isSlug(text)).toBe(isAllowed(text));
        if (!isAllowed(text)) expect(() => checkSlug(text)).toThrow(refused('slug_invalid'));
        else if (isReserved(text)) expect(() => checkSlug(text)).toThrow(refused('slug_reserved'));
        else expect(checkSlug(text)).toBe(text);
      }),
    );
  });

  test('A custom slug with any other character is refused, wherever the character is.', () => {
    const around = fc.string({ unit: fc.constantFrom(...letters, '/'), maxLength: 20 });
    const other = fc
      .string({ unit: anyCharacter, minLength: 1, maxLength: 1 })
      .filter((character) => !letters.includes(character) && character !== '/');
    fc.assert(
      fc.property(around, other, around, (before, character, after) => {
        expect(() => checkSlug(before + character + after)).toThrow(refused('slug_invalid'));
      }),
    );
  });

  test.for([
    ['an empty slug', ''],
    ['a slug of 191 characters', 'a'.repeat(191)],
    ['a slug of a million characters', 'a'.repeat(1_000_000)],
    ['a line break at its end', 'abc\n'],
    ['NUL', 'a\0'],
    ['half of a surrogate pair', 'a\ud800'],
    ['a slash at its start', '/a'],
    ['a slash at its end', 'a/'],
    ['two slashes in a row', 'a//b'],
    ['a backslash', 'a\\b'],
    ['a part of one dot', 'a/./b'],
    ['a part of two dots', '..'],
    ['the suffix of a QR code', 'a/b.Q'],
    ['the suffix of an image', 'a.svg'],
    ['a well-known file', '.well-known/assetlinks.json'],
    ['a part like a well-known file', 'a/.Well-Known'],
    ['the plus of a preview', 'abc+'],
    ['an escape', '%61bc'],
    ['the Kelvin sign, which folds to k', '\u212a'],
    ['the long s, whose upper case is S', '\u017f'],
    ['the dotted capital I, which folds to i and a mark', '\u0130'],
    ['fullwidth letters', 'ａｂｃ'],
    ['digits of another script', '١٢٣'],
  ] as const)('checkSlug refuses %s.', ([, text]) => {
    expect(() => checkSlug(text)).toThrow(refused('slug_invalid'));
  });

  test('A path that the service itself serves is refused as a custom slug, in any case.', () => {
    fc.assert(
      fc.property(fc.mixedCase(fc.constantFrom(...reservedNames)), (name) => {
        expect(() => checkSlug(name)).toThrow(refused('slug_reserved'));
        expect(() => checkSlug(`${name}/a`)).toThrow(refused('slug_reserved'));
        expect(checkSlug(`a/${name}`)).toBe(`a/${name}`);
      }),
    );
  });

  test.for(['apis', 'api-', '_api', 'api.', 'pinger', 'pin', 'robots-txt', 'robots.txt.', 'favicon.icon', '.api'])(
    '%s only resembles a reserved slug, and passes.',
    (name) => {
      expect(checkSlug(name)).toBe(name);
    },
  );
});

describe('Folding a slug', () => {
  test('Folding makes slugs equal exactly if they differ only in case.', () => {
    fc.assert(
      fc.property(slug, slug, (a, b) => {
        expect(foldSlug(a.toUpperCase())).toBe(foldSlug(a.toLowerCase()));
        expect(foldSlug(foldSlug(a))).toBe(foldSlug(a));
        expect(foldSlug(a) === foldSlug(b)).toBe(
          a.localeCompare(b, 'en', { sensitivity: 'accent' }) === 0 && a.length === b.length,
        );
      }),
    );
  });
});

describe('A generated slug', () => {
  const place = fc.tuple(fc.string(), fc.nat(1000), fc.nat(5));

  test('A generated slug has 7 characters, and no two characters of its alphabet look alike.', () => {
    fc.assert(fc.property(place, (from) => /^[2-9abcdefghjkmnpqrstuvwxyz]{7}$/.test(makeSlug(...from))));
  });

  test('A generated slug is a valid custom slug too.', () => {
    fc.assert(fc.property(place, (from) => checkSlug(makeSlug(...from)) === foldSlug(makeSlug(...from))));
  });

  test('A generated slug depends only on salt, index and attempt, by a rule that does not change.', () => {
    fc.assert(
      fc.property(place, (from) => {
        expect(makeSlug(...from)).toBe(makeSlug(...from));
      }),
    );
    // A new version continues imports of the old one, so the rule must stay the same.
    expect([makeSlug('salt', 0, 0), makeSlug('salt', 999, 2)]).toEqual([
      expectedSlug('salt', 0, 0),
      expectedSlug('salt', 999, 2),
    ]);
  });

  test('Another salt, index or attempt makes another slug.', () => {
    const made = new Set<string>();
    for (const salt of ['a', 'b']) {
      for (let index = 0; index < 1000; index++) {
        for (let attempt = 0; attempt < 3; attempt++) made.add(makeSlug(salt, index, attempt));
      }
    }
    expect(made.size).toBe(6000);
  });

  test('Each character is equally frequent at each position.', () => {
    const counts = Array.from({ length: 7 }, () => new Map<string, number>());
    const total = 10_000;
    for (let index = 0; index < total; index++) {
      [...makeSlug('uniform', index, 0)].forEach((character, at) => {
        counts[at]?.set(character, (counts[at].get(character) ?? 0) + 1);
      });
    }
    for (const count of counts) {
      expect(count.size).toBe(31);
      const expected = total / 31;
      const distance = [...count.values()].reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0);
      expect(distance).toBeLessThan(30 + 5 * Math.sqrt(60));
    }
  });
});

/** A second implementation of the rule: bytes of the first HMAC that has enough of them below 248. */
function expectedSlug(salt: string, index: number, attempt: number): string {
  const bytes = createHmac('sha256', salt).update(`slug/${index}/${attempt}/0`).digest();
  return [...bytes]
    .filter((byte) => byte < 248)
    .slice(0, 7)
    .map((byte) => '23456789abcdefghjkmnpqrstuvwxyz'[byte % 31])
    .join('');
}
