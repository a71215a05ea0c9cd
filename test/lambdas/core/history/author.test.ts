import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type Author,
  authorIn,
  authorText,
  decodedName,
  encodedName,
  theService,
} from '../../../../lambdas/core/history/author.ts';

/** A name as the commands accept it: trimmed, without control characters. */
const name = fc.stringMatching(/^[^\p{Cc}\s]([^\p{Cc}]{0,60}[^\p{Cc}\s])?$/u);
const requestId = fc.option(fc.uuid());
const author: fc.Arbitrary<Author> = fc.oneof(
  fc.record({
    actor: fc.record({ type: fc.constant('key' as const), id: fc.constant(`key_${'k'.repeat(43)}`), name: fc.option(name) }),
    requestId,
  }),
  fc.record({
    actor: fc.record({ type: fc.constant('member' as const), id: fc.constant('mbr_0a1B2c3D4e5F6g7H'), name: fc.constant(null) }),
    requestId,
  }),
  fc.record({ actor: fc.record({ type: fc.constant('operator' as const), id: fc.constant(null), name }), requestId }),
  fc.constant(theService),
);

test('An author is read from an item exactly as it was written.', () => {
  fc.assert(
    fc.property(author, (one) => {
      expect(authorIn(authorText(one))).toEqual(one);
    }),
  );
});

test('Items keep at most 64 characters of the name of the key that changes them.', () => {
  const { actor } = authorIn(authorText({ actor: { type: 'key', id: 'key_x', name: '🔑'.repeat(100) }, requestId: null }));
  expect(actor.name).toBe('🔑'.repeat(64));
});

test("A member's name is never in an item that the member changes.", () => {
  const member = { type: 'member', id: 'mbr_0a1B2c3D4e5F6g7H', name: 'Ada' } as const;
  expect(authorText({ actor: member, requestId: 'r1' })).toBe('mbr_0a1B2c3D4e5F6g7H r1');
});

test.for(['', ' ', 'two words', 'x'.repeat(65), '-', 'new\nline', 'ü'])(
  "A client that chooses its request's id cannot forge a name with it: %j.",
  (requestId) => {
    const actor = { type: 'key', id: 'key_x', name: 'Real' } as const;
    expect(authorIn(authorText({ actor, requestId }))).toEqual({ actor, requestId: null });
  },
);

test('A name passes the gateway as ASCII, and arrives unchanged except that it is cut to 64 characters.', () => {
  fc.assert(
    fc.property(name, (one) => {
      const encoded = encodedName(one);
      expect(encoded).toMatch(/^[!-~]*$/);
      expect(decodedName(encoded)).toBe([...one].slice(0, 64).join(''));
    }),
  );
  for (const odd of [undefined, 7, '', '%', '%ff']) expect(decodedName(odd)).toBeNull();
});
