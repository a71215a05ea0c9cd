import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RuleError } from '../../../../lambdas/core/errors.ts';
import { parseDestination } from '../../../../lambdas/core/link/destination.ts';
import { forwardParameters, forwardPath } from '../../../../lambdas/core/link/forwarding.ts';
import { pathsBehind } from '../../../../lambdas/core/visit/link-path.ts';
import { anyCharacter } from '../../../support/run/any-character.ts';
import { runs } from '../../../support/run/proof.ts';

/** The test data of the web platform, without the cases that Node's parser reads differently. */
const urls = (JSON.parse(readFileSync('test/data/urls.json', 'utf8')) as { input: string; href?: string }[]).filter(
  ({ input, href }) => URL.parse(input)?.href === href,
);
const hrefs = [...new Set(urls.flatMap(({ href }) => href ?? []))];

describe('The URLs of the web platform tests', () => {
  test('Each URL is stored as the standard writes it, or refused by a rule.', () => {
    let stored = 0;
    for (const { input, href } of urls) {
      try {
        expect(parseDestination(input), input).toBe(href);
        stored++;
      } catch (error) {
        if (!(error instanceof RuleError)) throw error;
      }
    }
    // Most of the data must not be stored: names that are not public, credentials, spaces.
    expect(stored).toBeGreaterThan(5);
    expect(urls.length).toBeGreaterThan(100);
  });

  test('A stored URL stays the same when it is stored again.', () => {
    for (const href of hrefs) {
      try {
        const once = parseDestination(href);
        expect(parseDestination(once)).toBe(once);
      } catch (error) {
        if (!(error instanceof RuleError)) throw error;
      }
    }
  });
});

/** The pairs of a query, as they are written. */
const pairsOf = (query: string) => query.split('&').filter(Boolean);
/** One pair, as programs decode it. */
const read = (pair: string) => [...new URLSearchParams(`&${pair}`)];
const nameOf = (pair: string) => read(pair)[0]?.[0] ?? '';

const destination = fc.oneof(
  fc.constantFrom(...hrefs),
  fc.webUrl({ withQueryParameters: true, withFragments: true }).map((url) => new URL(url).href),
);
const part = fc.oneof(
  fc.constantFrom(
    'a',
    'b',
    'utm_source',
    '',
    '+',
    '%20',
    '%',
    '%zz',
    '%E4',
    'ü',
    '漢字',
    'a b',
    '"',
    '<',
    '#',
    '?',
    '/',
    '\\',
    "'",
    '\r\n',
    '\0',
    '%0d%0a',
    '@',
    ':',
  ),
  fc.string({ unit: 'binary-ascii', maxLength: 5 }).map((text) => text.replaceAll('&', '')),
);
const pair = fc.oneof(
  fc.tuple(part, part).map(([name, value]) => `${name}=${value}`),
  part,
);
const query = fc.array(pair, { maxLength: 6 }).map((pairs) => pairs.join('&'));

describe('A forwarded path', () => {
  const anyPath = fc
    .array(
      fc.oneof(
        fc.string({ unit: anyCharacter, maxLength: 6 }),
        fc.constantFrom('', '.', '..', '..;', '.;a=b', ';', '%2e%2e', '%2F', '@', 'a:b', '\\', '?', '#'),
      ),
      {
        minLength: 1,
        maxLength: 6,
      },
    )
    .map((parts) => `/slug/${parts.join('/')}`);

  test("Whatever a visitor sends, a forwarded path follows the destination's own, part by part, and changes nothing else.", () => {
    fc.assert(
      fc.property(destination, anyPath, (href, path) => {
        for (const { slug, behind } of pathsBehind(path)) {
          const rest = path.slice(slug.length + 2).toWellFormed();
          const [before, after] = [new URL(href), new URL(forwardPath(href, behind))];
          for (const what of ['protocol', 'username', 'password', 'host', 'search', 'hash'] as const)
            expect(after[what]).toBe(before[what]);
          const own = before.pathname.replace(/\/$/, '');
          expect(after.pathname.startsWith(`${own}/`)).toBe(true);
          expect(
            after.pathname
              .slice(own.length + 1)
              .split('/')
              .map(decodeURIComponent),
          ).toEqual(rest.split('/'));
          expect(after.href).toMatch(/^[!-~]+$/);
          // Some servers drop the text after a semicolon.
          const bare = rest.split('/').map((part) => part.split(';')[0]);
          expect(bare.slice(0, -1)).not.toContain('');
          for (const up of ['.', '..']) expect(bare).not.toContain(up);
        }
      }),
      { numRuns: runs(2_000) },
    );
  });

  test.for([
    ['https://example.com', 'a', 'https://example.com/a'],
    ['https://example.com/base', 'a/b/', 'https://example.com/base/a/b/'],
    ['https://example.com/base/?q=1#part', 'a', 'https://example.com/base/a?q=1#part'],
    ['https://example.com/a%2Fb', '@me/x;y=1,2', 'https://example.com/a%2Fb/@me/x;y=1,2'],
  ] as const)('To %s, the path %s makes %s.', ([href, behind, whole]) => {
    expect(forwardPath(new URL(href).href, behind)).toBe(whole);
  });
});

describe('Forwarded parameters', () => {
  test('Forwarded parameters never change the scheme, host, path or fragment of a destination.', () => {
    fc.assert(
      fc.property(destination, query, (href, sent) => {
        const [before, after] = [new URL(href), new URL(forwardParameters(href, sent))];
        for (const what of ['protocol', 'username', 'password', 'host', 'pathname', 'hash'] as const) {
          expect(after[what]).toBe(before[what]);
        }
      }),
      { numRuns: runs(2_000) },
    );
  });

  test("Forwarded parameters follow the destination's own, which stay as they are written.", () => {
    fc.assert(
      fc.property(destination, query, (href, sent) => {
        const own = new URL(href).search;
        expect(new URL(forwardParameters(href, sent)).search.startsWith(own === '?' ? '' : own)).toBe(true);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test('Exactly the parameters whose names the destination does not have are forwarded, in their order.', () => {
    fc.assert(
      fc.property(destination, query, (href, sent) => {
        const own = new URL(href).searchParams;
        // Tabs and line breaks are removed, as from every URL; invalid characters are encoded, which does not change the meaning.
        const wanted = pairsOf(sent.replace(/[\t\r\n]/g, '')).flatMap((one) => (own.has(nameOf(one)) ? [] : read(one)));
        expect([...new URL(forwardParameters(href, sent)).searchParams]).toEqual([...own, ...wanted]);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('Parameters that the destination has already are not forwarded.', () => {
    fc.assert(
      fc.property(destination, query, (href, sent) => {
        const once = forwardParameters(href, sent);
        expect(forwardParameters(once, sent)).toBe(once);
      }),
      { numRuns: runs(2_000) },
    );
  });

  test('The location is visible ASCII, so that it can be a header as it is.', () => {
    fc.assert(
      fc.property(destination, query, (href, sent) => {
        expect(forwardParameters(href, sent)).toMatch(/^[!-~]+$/);
      }),
      { numRuns: runs(1_000) },
    );
  });

  test.for([
    ['https://example.org/', 'a=1&a=2&b=', 'https://example.org/?a=1&a=2&b='],
    ['https://example.org/', 'a', 'https://example.org/?a'],
    ['https://example.org/?a=1', 'a=2&b=3', 'https://example.org/?a=1&b=3'],
    ['https://example.org/?a=1', '%61=2', 'https://example.org/?a=1'],
    ['https://example.org/?a=1#top', 'b=2', 'https://example.org/?a=1&b=2#top'],
    ['https://example.org/?', 'b=2', 'https://example.org/?b=2'],
    ['https://example.org/?a&', 'b', 'https://example.org/?a&b'],
    ['https://example.org/', 'q=a+b%20c%2Bd', 'https://example.org/?q=a+b%20c%2Bd'],
    ['https://example.org/', 'q=ü&%C3%BC=1', 'https://example.org/?q=%C3%BC&%C3%BC=1'],
    ['https://example.org/', 'next=https://evil.example/#x', 'https://example.org/?next=https://evil.example/%23x'],
    ['https://example.org/', '', 'https://example.org/'],
    ['https://example.org/', '&&', 'https://example.org/'],
    ['https://example.org/', '?b=2', 'https://example.org/??b=2'],
    ['https://example.org/?a=1', '\ta=2&\na=3', 'https://example.org/?a=1'],
    ['https://example.org/?%C3%BC%E4=1', 'ü%E4=2', 'https://example.org/?%C3%BC%E4=1'],
  ] as const)('%s with the parameters %j becomes %s.', ([href, sent, whole]) => {
    expect(forwardParameters(href, sent)).toBe(whole);
  });
});
