import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseExternalId } from '../../../../lambdas/core/link/external-id.ts';
import { parseLinkName } from '../../../../lambdas/core/link/link-name.ts';

const externalId = fc.oneof(
  fc.stringMatching(/^[A-Za-z0-9._~:-]{1,255}$/),
  fc.constantFrom('.', '..', 'ext_a', 'lnk_0000000000000000000000000000', 'a'.repeat(255)),
);

const isAllowed = (text: string): boolean => {
  try {
    return parseExternalId(text) === text;
  } catch {
    return false;
  }
};

test('A name with ext_ is the external id behind it, if a link can have it; any other name is an id.', () => {
  fc.assert(
    fc.property(fc.oneof(externalId, fc.string({ unit: 'binary', maxLength: 300 })), (text) => {
      expect(parseLinkName(`ext_${text}`)).toEqual(isAllowed(text) ? { externalId: text } : undefined);
      expect(parseLinkName(`x${text}`)).toEqual({ id: `x${text}` });
    }),
  );
});
