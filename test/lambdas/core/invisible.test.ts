import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { invisibleIn, trimmed } from '../../../lambdas/core/invisible.ts';
import { runs } from '../../support/run/proof.ts';

/** Invisible characters that people have pasted, by name. */
const invisible = {
  'a zero-width space': '\u200b',
  'a zero-width joiner': '\u200d',
  'a zero-width non-joiner': '\u200c',
  'a word joiner': '\u2060',
  'a byte order mark': '\ufeff',
  'a soft hyphen': '\u00ad',
  'a left-to-right mark': '\u200e',
  'a right-to-left override': '\u202e',
  'an isolate': '\u2066',
  'the end of an isolate': '\u2069',
  'an Arabic letter mark': '\u061c',
  'a Hangul filler': '\u3164',
  'an empty Braille pattern': '\u2800',
  'a Mongolian vowel separator': '\u180e',
  'a combining grapheme joiner': '\u034f',
  'a variation selector': '\ufe0f',
  'a placeholder for an object': '\ufffc',
  'an interlinear annotation': '\ufff9',
  'a noncharacter': '\ufffe',
  'a tag': '\u{e0041}',
  'a supplementary variation selector': '\u{e0100}',
  'a musical control': '\u{1d173}',
};

/** Texts of people, with characters that are invisible elsewhere. */
const shown = {
  'an astronaut': '👩🏽‍🚀',
  'a burning heart': '❤️‍🔥',
  'a flag of rainbow': '🏳️‍🌈',
  'the same, less qualified': '🏳‍🌈',
  'the flag of England': '🏴󠁧󠁢󠁥󠁮󠁧󠁿',
  'a pirate flag': '🏴‍☠️',
  'a family': '👨‍👩‍👧‍👦',
  'a keycap': '1️⃣',
  'a copyright sign as a picture': '©️',
  'an arrow as a letter': '↩︎',
  'Persian with a non-joiner': 'می‌خواهم',
  'Hindi with a joiner': 'क्‍ष',
  'Hindi with a non-joiner': 'क्‌ष',
  'Sinhala with a joiner': 'ශ්‍රී',
  'Malayalam that ends with a joiner': 'അവന്‍',
  'Bengali with a joiner before the silent sign': 'র‍্যাব',
  'Urdu with a non-joiner': 'بے‌شک',
  'Japanese with a variant': '葛󠄀城',
  'Mongolian with a variant': 'ᠠ᠋ᠨ',
};

describe('An invisible character', () => {
  test.for(Object.entries(invisible))('An invisible character is found and named wherever it is: %s.', ([, character]) => {
    const name = `U+${character.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
    // Behind an emoji, a selector says how it looks.
    for (const text of [character, `${character}a`, `a${character}`, `a${character}b`, `👩${character}a`, `/é${character}/`])
      if (!(character === '\ufe0f' && text.startsWith('👩'))) expect([text, invisibleIn(text)]).toEqual([text, name]);
  });

  test.for(Object.entries(shown))('A joiner or selector that changes the look of a text stays: %s.', ([, text]) => {
    for (const whole of [text, `a${text}b`, `/${text}?${text}#${text}`, `${text}${text}`]) {
      expect([whole, invisibleIn(whole)]).toEqual([whole, undefined]);
      expect(trimmed(whole)).toBe(whole);
      expect(trimmed(`\u200b ${whole}\u202c\n`)).toBe(whole);
    }
  });

  test.for(Object.entries(shown))('A second one beside such a character is found: %s.', ([, text]) => {
    for (const more of [`${text}\u200b`, `\u200d${text}`, `${text}\u200c\u200c`]) expect(invisibleIn(more)).toBeDefined();
  });

  test('No visible character is taken for an invisible one: no letter of any script, no digit, no sign and no emoji.', () => {
    const taken: string[] = [];
    for (let code = 0x21; code <= 0x10ffff; code++) {
      const character = String.fromCodePoint(code);
      if (/[\p{L}\p{N}\p{P}\p{S}\p{Co}]/u.test(character) && invisibleIn(character)) taken.push(character);
    }
    expect(taken).toEqual(['\u115f', '\u1160', '\u2800', '\u3164', '\uffa0', '\ufffc']);
  });
});

describe('A pasted text', () => {
  const blank = fc.constantFrom(' ', '\n', '\t', '\u00a0', '\u2028', '\u0000', '\u007f', ...Object.values(invisible));
  const blanks = fc.array(blank, { maxLength: 5 }).map((all) => all.join(''));

  test('A pasted text loses invisible characters at both ends, and nothing in between.', () => {
    fc.assert(
      fc.property(blanks, fc.webUrl(), blanks, fc.webUrl(), blanks, (before, one, between, other, after) => {
        expect(trimmed(before + one + between + other + after)).toBe(one + between + other);
      }),
      { numRuns: runs(100) },
    );
  });

  test('Any pasted text ends up without blanks and invisible characters at its ends.', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: fc.oneof(blank, fc.constantFrom(...Object.values(shown), 'a', '1', '❤', '\u094d')) }),
        (text) => {
          const once = trimmed(text);
          expect(trimmed(once)).toBe(once);
          expect(once).toBe(once.trim());
          expect(text).toContain(once);
        },
      ),
      { numRuns: runs(1_000) },
    );
  });

  test('A long text is read without backtracking.', () => {
    expect(trimmed('\u200b'.repeat(1_000_000))).toBe('');
    expect(trimmed(`a${'\u200b'.repeat(1_000_000)}a`)).toHaveLength(1_000_002);
    expect(invisibleIn('👩'.repeat(300_000))).toBeUndefined();
  });
});
