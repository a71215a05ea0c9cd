import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { blockedError, shortDomainError } from '../../../../lambdas/core/link/destination.ts';
import { type ImportEntry, plannedFailures, slugTaken } from '../../../../lambdas/core/link/import.ts';

/** Entries with gaps between their indexes, and slugs that often fold to the same. */
const someEntries = fc
  .array(
    fc.record({
      gap: fc.nat(2),
      host: fc.constantFrom('example.org', 'short.example', 'SHORT.example.', 'evil.example', 'other.example'),
      customSlug: fc.option(fc.mixedCase(fc.constantFrom('a', 'b', 'launch')), { nil: undefined }),
    }),
    { maxLength: 30 },
  )
  .map((parts) => {
    let index = -1;
    return parts.map(({ gap, host, customSlug }): ImportEntry => {
      index += 1 + gap;
      return { index, url: new URL(`https://${host}/`).href, customSlug };
    });
  });

const refusals = new Map([
  ['short.example', shortDomainError()],
  ['evil.example', blockedError()],
]);

describe('The plan of an import', () => {
  test('The first valid entry that wants a slug gets it, and each entry that fails has its reason.', () => {
    fc.assert(
      fc.property(someEntries, (entries) => {
        const failures = plannedFailures(entries, refusals);
        const winners = new Map<string, number>();
        for (const { index, url, customSlug } of entries) {
          const slug = customSlug?.toLowerCase();
          if (/^https:\/\/short\.example\.?\//.test(url)) {
            expect(failures[index]).toMatchObject({ code: 'destination_short_domain' });
          } else if (url.startsWith('https://evil.example/')) {
            expect(failures[index]).toEqual({ code: 'destination_blocked', message: expect.stringMatching(/^\/url must /) });
          } else if (slug !== undefined && winners.has(slug)) {
            expect(failures[index]).toBe(slugTaken);
          } else {
            expect(failures[index]).toBeUndefined();
            if (slug !== undefined) winners.set(slug, index);
          }
        }
        const places = entries.map(({ index }) => String(index));
        expect(places).toEqual(expect.arrayContaining(Object.keys(failures)));
      }),
    );
  });

  test('A valid entry gets its slug even if an invalid one before it wants the same.', () => {
    const entries = [
      { index: 0, url: 'https://short.example/', customSlug: 'launch' },
      { index: 1, url: 'https://example.org/', customSlug: 'LAUNCH' },
      { index: 2, url: 'https://example.org/', customSlug: 'Launch' },
    ];
    expect(plannedFailures(entries, refusals)).toEqual({
      0: { code: 'destination_short_domain', message: expect.stringMatching(/./) },
      2: slugTaken,
    });
  });

  test('No entry fails if all are valid and their slugs are free.', () => {
    const entries = Array.from({ length: 1000 }, (_, index) => ({ index, url: 'https://example.org/' }));
    expect(plannedFailures(entries, new Map())).toEqual({});
  });
});
