import fc from 'fast-check';
import { expect, test } from 'vitest';
import { foldTagName } from '../../../../lambdas/core/tag/tag.ts';
import { parseTemplateName } from '../../../../lambdas/core/template/template.ts';

const refused = (code: string) => expect.objectContaining({ name: 'RuleError', code });

test("A template's name may be any text of 1 to 64 characters, trimmed and in NFC, and always fits into a sort key.", () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 70 }), fc.string({ unit: 'grapheme', maxLength: 70 })),
      (text) => {
        let name: string;
        try {
          name = parseTemplateName(text);
        } catch (error) {
          expect(error).toMatchObject({ name: 'RuleError', code: expect.stringMatching(/^(invalid_text|too_long|too_short)$/) });
          return;
        }
        expect(name).toBe(text.normalize('NFC').trim());
        expect(Array.from(name).length).toBeLessThanOrEqual(64);
        expect(new TextEncoder().encode(`NAME#${foldTagName(name)}`).length).toBeLessThanOrEqual(1_024);
        expect(parseTemplateName(name)).toBe(name);
      },
    ),
  );
});

test.for([
  ['', 'too_short'],
  [' \n ', 'too_short'],
  ['x'.repeat(65), 'too_long'],
  ['ﷺ'.repeat(64), 'too_long'],
  ['a\0', 'invalid_text'],
  ['\ud800', 'invalid_text'],
] as const)('The name %j is refused as %s.', ([text, code]) => {
  expect(() => parseTemplateName(text)).toThrow(refused(code));
});

test.for(['Newsletter / autumn (paid)', '🚀', 'x'.repeat(64)])('%j is a name.', (text) => {
  expect(parseTemplateName(text)).toBe(text);
});
