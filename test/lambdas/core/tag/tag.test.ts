import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { foldTagName, parseColor, parseTagName } from '../../../../lambdas/core/tag/tag.ts';
import { anyCharacter } from '../../../support/run/any-character.ts';
import { runs } from '../../../support/run/proof.ts';

const refused = (code: string) => expect.objectContaining({ name: 'RuleError', code });

const codePoints = function* () {
  for (let point = 0; point < 0x110000; point++) {
    if (point < 0xd800 || point > 0xdfff) yield String.fromCodePoint(point);
  }
};

/** Letters and marks with the trickiest forms and cases, and some plain characters. */
const unit = fc.constantFrom(
  ...'aZ09 _-éßẞςσΣıİﬁﬃǅŉſKÅᾼΐʼnक्षิอาنあ漢한𝒜𐐀①',
  ...['\u0301', '\u0308', '\u0307', '\u0345', '\u0342', '\u0323', '\u1112', '\u1161', '\u11ab'],
);
const name = fc.string({ unit, minLength: 1, maxLength: 70 });

describe("A tag's name", () => {
  test("A tag's name is returned in NFC, trimmed and with 1 to 64 code points, and unchanged when sent again; all else is refused.", () => {
    fc.assert(
      fc.property(fc.oneof(name, fc.string({ unit: anyCharacter })), (text) => {
        const wanted = text.normalize('NFC').trim();
        if (!/^[\p{L}\p{M}\p{N} _-]+$/u.test(wanted)) expect(() => parseTagName(text)).toThrow(refused('invalid_tag_name'));
        else if (Array.from(wanted).length > 64) expect(() => parseTagName(text)).toThrow(refused('too_long'));
        else expect([parseTagName(text), parseTagName(wanted)]).toEqual([wanted, wanted]);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('The folded form of an accepted name always fits into a sort key.', () => {
    const expanding = [...codePoints()].filter((letter) => /\p{L}/u.test(letter) && foldTagName(letter).length > 3);
    expect(expanding).toContain('ﷺ');
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...expanding, 'a', '𝒜'), minLength: 1, maxLength: 64 }), (text) => {
        const key = `TAGNAME#${foldTagName(text)}`;
        try {
          parseTagName(text);
          expect(Buffer.byteLength(key)).toBeLessThanOrEqual(1024);
        } catch (error) {
          expect(error).toEqual(refused('too_long'));
        }
      }),
    );
    expect(() => parseTagName('ﷺ'.repeat(64))).toThrow(refused('too_long'));
  });

  test.for([
    ['Latin', 'Été_2030 - Zürich'],
    ['Greek', 'Ελλάδα'],
    ['Cyrillic', 'Україна'],
    ['Arabic with vowel marks', 'مُحَمَّد'],
    ['Hebrew with points', 'שָׁלוֹם'],
    ['Devanagari with vowel signs', 'हिन्दी'],
    ['Thai with tone marks', 'ที่'],
    ['Tamil', 'தமிழ்'],
    ['Chinese', '中文標籤'],
    ['Japanese', 'キャンペーン'],
    ['Korean', '한국어'],
    ['Deseret, beyond the first plane', '𐐔𐐯𐑅'],
    ['digits of any script', '٢٠٣٠ Ⅷ ½ 五'],
  ] as const)("A tag's name may be in any script: %s.", ([, text]) => {
    expect(parseTagName(text)).toBe(text.normalize('NFC'));
  });

  test.for([
    ['64 letters', 'a'.repeat(64)],
    ['64 letters beyond the first plane', '𐐔'.repeat(64)],
    ['64 letters with an accent each, in 128 code points', 'e\u0301'.repeat(64)],
    ['64 letters between spaces', `${' '.repeat(100)}${'a'.repeat(64)}\u00a0\n`],
    ['21 letters that NFC takes apart into 63', '\ufb2c'.repeat(21)],
  ] as const)("A tag's name may have %s.", ([, text]) => {
    expect(parseTagName(text)).toBe(text.normalize('NFC').trim());
  });

  test.for([
    ['65 letters', 'a'.repeat(65)],
    ['65 letters beyond the first plane', '𐐔'.repeat(65)],
    ['65 letters with an accent each', 'e\u0301'.repeat(65)],
    ['22 letters that NFC takes apart into 66', '\ufb2c'.repeat(22)],
    ['5 million letters', 'a'.repeat(5_000_000)],
    ['5 million spaces', ' '.repeat(5_000_000)],
  ] as const)("A tag's name may not have %s.", ([, text]) => {
    expect(() => parseTagName(text)).toThrow(refused('too_long'));
  });

  test.for([
    ['an empty name', ''],
    ['only spaces', ' \t\u00a0 '],
    ['punctuation', 'a.b'],
    ['a comma', 'a,b'],
    ['a slash', 'a/b'],
    ['a hash', 'TAGNAME#x'],
    ['another dash', 'a–b'],
    ['another space', 'a\u00a0b'],
    ['a tab', 'a\tb'],
    ['a line break', 'a\nb'],
    ['NUL', 'a\0b'],
    ['an emoji', 'a😀'],
    ['a currency sign', '5€'],
    ['a zero-width joiner', 'a\u200db'],
    ['a direction mark', '\u202ea'],
    ['a character of private use', 'a\ue000'],
    ['an unassigned code point', 'a\u0378'],
    ['half of a surrogate pair', 'a\ud800'],
    ['markup', '<b>'],
  ] as const)('parseTagName refuses %s.', ([, text]) => {
    expect(() => parseTagName(text)).toThrow(refused('invalid_tag_name'));
  });
});

describe('Equal tag names', () => {
  test.for([
    ['ß and SS', 'Straße', 'STRASSE'],
    ['the capital ẞ and ß', 'STRAẞE', 'straße'],
    ['the two small sigmas', 'ος', 'οσ'],
    ['sigmas in capitals', 'ΟΔΥΣΣΕΥΣ', 'οδυσσευς'],
    ['fullwidth letters', 'ＡＢＣ１', 'abc1'],
    ['ligatures', 'eﬃcient ﬂow', 'EFFICIENT FLOW'],
    ['accents in one code point and two', 'é', 'E\u0301'],
    ['the Kelvin sign', '\u212a', 'k'],
    ['the Ångström sign', '\u212b', 'å'],
    ['the long s', 'ſ', 'S'],
    ['halfwidth katakana', 'ｶﾞ', 'ガ'],
    ['Roman numerals', 'Ⅷ', 'viii'],
    ['superscripts', 'x²', 'X2'],
    ['letters for mathematics', '𝓣𝓪𝓰', 'tag'],
    ['the title case of a digraph', 'ǅ', 'dž'],
    ['iota subscript and iota', 'ᾼ', 'αι'],
    ['Cherokee, whose small letters came later', 'Ꭰ', 'ꭰ'],
    ['Hangul in syllables and in letters', '한', '\u1112\u1161\u11ab'],
  ] as const)('Tag names that differ by %s are the same.', ([, a, b]) => {
    expect(foldTagName(a)).toBe(foldTagName(b));
  });

  test.for([
    ['accents', 'a', 'ä'],
    ['spaces and underscores', 'a b', 'a_b'],
    ['letters of other scripts that look alike', 'a', 'а'],
    ['the dot of a Turkish capital', 'İ', 'i'],
    ['kana', 'あ', 'ア'],
  ] as const)('Tag names that differ by %s are not the same.', ([, a, b]) => {
    expect(foldTagName(a)).not.toBe(foldTagName(b));
  });

  test('Each code point folds to the same text in either case, in any normal form, and when folded again.', () => {
    const differing = [...codePoints()].filter((character) => {
      const folded = foldTagName(character);
      const forms = [
        character.toLowerCase(),
        character.toUpperCase(),
        character.normalize('NFD'),
        character.normalize('NFKC'),
        folded,
      ];
      return forms.some((form) => foldTagName(form) !== folded);
    });
    expect(differing).toEqual([]);
  });

  test('Each name folds to the same text in capitals, in any normal form, and when folded again.', () => {
    fc.assert(
      fc.property(name, (text) => {
        const taken = text.normalize('NFC');
        for (const form of [taken.toUpperCase(), taken.normalize('NFD'), taken.normalize('NFKD'), foldTagName(taken)]) {
          expect(foldTagName(form)).toBe(foldTagName(taken));
        }
      }),
    );
  });
});

describe('A colour', () => {
  test('A colour of six hexadecimal digits is returned in lower case.', () => {
    fc.assert(
      fc.property(fc.mixedCase(fc.stringMatching(/^#[0-9a-f]{6}$/)), (text) => {
        expect(parseColor(text)).toBe(text.toLowerCase());
      }),
    );
  });

  test.for([
    '',
    '#',
    '#fff',
    '123456',
    '#12345',
    '#1234567',
    '#12345g',
    '#12345６',
    'red',
    ' #123456',
    '#123456\n',
    '#12345\0',
    '#12345\ud800',
  ])('The colour %j is refused.', (text) => {
    expect(() => parseColor(text)).toThrow(refused('invalid_color'));
  });
});
