import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExternalId } from '../../../../lambdas/core/link/external-id.ts';

const allowed = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._~:-'];

test('Any text of up to 255 of the allowed characters is kept as it is, and is one segment of a path.', () => {
  const texts = fc.string({ unit: fc.constantFrom(...allowed), minLength: 1, maxLength: 255 });
  fc.assert(
    fc.property(texts, (text) => {
      fc.pre(text !== '.' && text !== '..');
      expect(parseExternalId(text)).toBe(text);
      expect(new URL(`https://api.example/links/by-external-id/${text}`).pathname).toBe(`/links/by-external-id/${text}`);
    }),
  );
});

test.for(['', '.', '..', 'a'.repeat(256), 'a/b', 'a b', 'a#b', 'a%20b', 'ä', 'a\n', 'a@b', '*'])(
  'The text %j is refused.',
  (text) => {
    expect(() => parseExternalId(text)).toThrow(expect.objectContaining({ code: 'invalid_external_id' }));
  },
);
