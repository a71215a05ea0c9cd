import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalHost, parseDomainName } from '../../../lambdas/domain/host.ts';
import { runs } from '../../support/proof.ts';

test('the dot that ends a full name is left out, and nothing else', () => {
  expect(canonicalHost('example.org.')).toBe('example.org');
  fc.assert(
    fc.property(fc.domain(), (domain) => {
      expect(canonicalHost(domain)).toBe(domain);
      expect(canonicalHost(`${domain}.`)).toBe(domain);
    }),
  );
});

describe('a domain name', () => {
  test('is the same however its case, with and without a dot at the end, and when given again', () => {
    fc.assert(
      fc.property(
        fc.domain().chain((domain) => fc.tuple(fc.constant(domain), fc.mixedCase(fc.constant(domain)))),
        ([domain, mixed]) => {
          const host = domain.toLowerCase();
          fc.pre(!host.includes('xn--'));
          expect(parseDomainName(mixed)).toBe(host);
          expect(parseDomainName(`${mixed}.`)).toBe(host);
          expect(parseDomainName(host)).toBe(host);
        },
      ),
    );
  });

  test('is a host that the URL of a request has too, or none, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string({ unit: fc.constantFrom(...'aA1.-äßß。xn') })), (text) => {
        const host = parseDomainName(text);
        if (host === undefined) return;
        expect(host).toMatch(/^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/);
        expect(new URL(`https://${text}/`).hostname.replace(/\.$/, '')).toBe(host);
        expect(parseDomainName(host)).toBe(host);
      }),
      { numRuns: runs(500) },
    );
  });

  test.for([
    ['GO.Example.COM', 'go.example.com'],
    ['münchen.example', 'xn--mnchen-3ya.example'],
    ['mu\u0308nchen.example', 'xn--mnchen-3ya.example'],
    ['例え.テスト', 'xn--r8jz45g.xn--zckzah'],
    ['go.localhost', 'go.localhost'],
    [`${'a'.repeat(63)}.example`, `${'a'.repeat(63)}.example`],
  ] as const)('%s is %s', ([text, host]) => {
    expect(parseDomainName(text)).toBe(host);
  });

  test.for([
    ['nothing', ''],
    ['a dot', '.'],
    ['one label', 'localhost'],
    ['an empty label', 'a..example'],
    ['a dot before', '.example.org'],
    ['two dots behind', 'example.org..'],
    ['an IPv4 address', '10.0.0.1'],
    ['a short IPv4 address', '127.1'],
    ['an IPv4 address in hexadecimal', '0x7f.1'],
    ['an IPv6 address', '[::1]'],
    ['a port', 'example.org:80'],
    ['a path', 'example.org/x'],
    ['credentials', 'me@example.org'],
    ['a query', 'example.org?x'],
    ['a scheme', 'https://example.org'],
    ['a space', 'exam ple.org'],
    ['a line break behind', 'example.org\n'],
    ['NUL', 'example\0.org'],
    ['half of a surrogate pair', 'example\ud800.org'],
    ['a wildcard', '*.example.org'],
    ['an underscore', '_dmarc.example.org'],
    ['a hyphen before a label', '-a.example.org'],
    ['a hyphen behind a label', 'a-.example.org'],
    ['a label of 64 characters', `${'a'.repeat(64)}.example`],
    ['254 characters', `${'abcdefg.'.repeat(31)}abcdef`],
    ['a million characters', 'a.'.repeat(500_000)],
    ['broken Punycode', 'xn--ä.example'],
    ['an escape', '%65xample.org'],
    ['a full stop of another script', 'example。org'],
  ] as const)('is not: %s', ([, text]) => {
    expect(parseDomainName(text)).toBeUndefined();
  });
});
