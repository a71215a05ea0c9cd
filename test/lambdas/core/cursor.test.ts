import fc from 'fast-check';
import { expect, test } from 'vitest';
import { makeCursor, positionIn } from '../../../lambdas/core/cursor.ts';

const scopes = fc.array(fc.option(fc.string(), { nil: undefined }), { minLength: 1, maxLength: 4 });

test('A cursor carries its position, in characters that need no escape in a URL.', () => {
  fc.assert(
    fc.property(scopes, fc.string({ unit: 'grapheme' }), (scope, position) => {
      const cursor = makeCursor(scope, position);
      expect(cursor).toMatch(/^[A-Za-z0-9_-]{22,}$/);
      expect(positionIn(scope, cursor)).toBe(position);
    }),
  );
});

test('A cursor is valid only for the list that it was made for.', () => {
  fc.assert(
    fc.property(scopes, scopes, fc.string(), (scope, other, position) => {
      fc.pre(JSON.stringify(scope) !== JSON.stringify(other));
      expect(positionIn(other, makeCursor(scope, position))).toBeUndefined();
    }),
  );
});

test('A made-up or changed text is not a cursor.', () => {
  fc.assert(
    fc.property(scopes, fc.string(), fc.nat(), fc.constantFrom('A', '_', ' ', '=', '\0', ''), (scope, position, at, by) => {
      const cursor = makeCursor(scope, position);
      const index = at % cursor.length;
      const changed = cursor.slice(0, index) + by + cursor.slice(index + 1);
      fc.pre(changed !== cursor);
      expect(positionIn(scope, changed)).toBeUndefined();
    }),
  );
  fc.assert(
    fc.property(scopes, fc.string(), (scope, text) => {
      expect(positionIn(scope, text)).toBeUndefined();
    }),
  );
});
