import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { base62Digits } from '../../../../lambdas/core/base62.ts';
import { locationInId, locationOf, newLinkId } from '../../../../lambdas/core/link/location.ts';

const slug = fc.stringMatching(/^[A-Za-z0-9_.-]{1,64}(\/[A-Za-z0-9_.-]{1,30}){0,3}$/);
const domainId = fc.stringMatching(/^dom_[0-9A-Za-z]{16}$/);

describe('The location of a link', () => {
  test('The location is 22 base62 characters of the SHA-256 of its domain and folded slug.', () => {
    fc.assert(
      fc.property(domainId, slug, (domain, text) => {
        const location = locationOf(domain, text);
        expect(location).toMatch(/^[0-9A-Za-z]{22}$/);
        const hash = createHash('sha256').update(`${domain}/${text.toLowerCase()}`).digest('hex').slice(0, 32);
        const value = [...location].reduce((sum, digit) => sum * 62n + BigInt(base62Digits.indexOf(digit)), 0n);
        expect(value.toString(16).padStart(32, '0')).toBe(hash);
      }),
    );
  });

  test('Slugs that differ only in case have the same location.', () => {
    fc.assert(
      fc.property(
        domainId,
        slug.chain((text) => fc.tuple(fc.mixedCase(fc.constant(text)), fc.mixedCase(fc.constant(text)))),
        (domain, [a, b]) => locationOf(domain, a) === locationOf(domain, b),
      ),
    );
  });

  test('A different slug or a different domain has a different location.', () => {
    fc.assert(
      fc.property(domainId, domainId, slug, slug, (domainA, domainB, a, b) => {
        fc.pre(domainA !== domainB && a.toLowerCase() !== b.toLowerCase());
        expect(
          new Set([locationOf(domainA, a), locationOf(domainA, b), locationOf(domainB, a), locationOf(domainB, b)]).size,
        ).toBe(4);
      }),
    );
  });
});

describe('The id of a link', () => {
  test('The id of a link contains its location.', () => {
    fc.assert(
      fc.property(domainId, slug, (domain, text) => {
        const id = newLinkId(locationOf(domain, text));
        expect(id).toMatch(/^lnk_[0-9A-Za-z]{28}$/);
        expect(locationInId(id)).toBe(locationOf(domain, text));
      }),
    );
  });

  test('Ids differ each time, even at the same location.', () => {
    const location = locationOf('dom_a', 'a');
    expect(new Set(Array.from({ length: 1_000 }, () => newLinkId(location))).size).toBe(1_000);
  });

  test.for([
    ['an empty text', ''],
    ['a location without a prefix', 'a'.repeat(22)],
    ['an id with a character too few', `lnk_${'a'.repeat(27)}`],
    ['an id with a character too many', `lnk_${'a'.repeat(29)}`],
    ['an id with another prefix', `tag_${'a'.repeat(28)}`],
    ['an id with a separator of the table', `lnk_${'a'.repeat(27)}#`],
    ['an id with a line break at its end', `lnk_${'a'.repeat(28)}\n`],
    ['an id with a space before it', ` lnk_${'a'.repeat(28)}`],
    ['an id with digits of another script', `lnk_${'١'.repeat(28)}`],
    ['an id with NUL', `lnk_${'a'.repeat(27)}\0`],
  ] as const)('No location is found in %s.', ([, id]) => {
    expect(locationInId(id)).toBeUndefined();
  });
});
