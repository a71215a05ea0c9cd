import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkText } from '../../../lambdas/core/text.ts';
import { anyCharacter } from '../../support/run/any-character.ts';

const refused = (code: string) => expect.objectContaining({ name: 'RuleError', code });

test('A text of at most the allowed number of code points is returned as it is, and a longer one is refused.', () => {
  fc.assert(
    fc.property(fc.string({ unit: anyCharacter, maxLength: 40 }), fc.integer({ min: 1, max: 40 }), (text, max) => {
      fc.pre(!text.includes('\0'));
      if (Array.from(text).length <= max) expect(checkText(text, max)).toBe(text);
      else expect(() => checkText(text, max)).toThrow(refused('too_long'));
    }),
  );
});

test.for([
  ['256 letters', 'a'.repeat(256)],
  ['256 emoji, which are 512 units', '😀'.repeat(256)],
  ['an empty text', ''],
  ['line breaks and tabs', 'a\r\n\tb'],
  ['a noncharacter', '\uffff'],
  ['text from right to left', 'שלום \u202b'],
] as const)('checkText accepts %s.', ([, text]) => {
  expect(checkText(text, 256)).toBe(text);
});

test.for([
  ['257 letters', 'a'.repeat(257), 'too_long'],
  ['257 emoji', '😀'.repeat(257), 'too_long'],
  ['255 emoji and 2 letters', `${'😀'.repeat(255)}ab`, 'too_long'],
  ['5 million letters', 'a'.repeat(5_000_000), 'too_long'],
  ['NUL', 'a\0b', 'invalid_text'],
  ['the first half of a surrogate pair', 'a\ud83d', 'invalid_text'],
  ['the second half of a surrogate pair', '\ude00a', 'invalid_text'],
  ['a surrogate pair in the wrong order', '\ude00\ud83d', 'invalid_text'],
] as const)('checkText refuses %s.', ([, text, code]) => {
  expect(() => checkText(text, 256)).toThrow(refused(code));
});

test('Half of a surrogate pair, or NUL, is refused wherever it is.', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 10 });
  const bad = fc.oneof(
    fc.integer({ min: 0xd800, max: 0xdfff }).map((unit) => String.fromCharCode(unit)),
    fc.constant('\0'),
  );
  fc.assert(
    fc.property(text, bad, text, (before, character, after) => {
      expect(() => checkText(before + character + after, 256)).toThrow(refused('invalid_text'));
    }),
  );
});
