import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalHost, parseDomainName } from '../../../../lambdas/core/host/host.ts';
import { runs } from '../../../support/run/proof.ts';

test('canonicalHost removes the dot at the end of a full name, and nothing else.', () => {
  expect(canonicalHost('example.org.')).toBe('example.org');
  fc.assert(
    fc.property(fc.domain(), (domain) => {
      expect(canonicalHost(domain)).toBe(domain);
      expect(canonicalHost(`${domain}.`)).toBe(domain);
    }),
  );
});

describe('A domain name', () => {
  test('A domain name is the same in any case, with and without a trailing dot, and when parsed again.', () => {
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

  test('Each accepted domain name is also the host of a URL with it.', () => {
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
  ] as const)('%s is the domain name %s.', ([text, host]) => {
    expect(parseDomainName(text)).toBe(host);
  });

  test.for([
    ['an empty text', ''],
    ['a dot', '.'],
    ['a single label', 'localhost'],
    ['an empty label', 'a..example'],
    ['a dot at the start', '.example.org'],
    ['two dots at the end', 'example.org..'],
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
    ['a line break at the end', 'example.org\n'],
    ['NUL', 'example\0.org'],
    ['half of a surrogate pair', 'example\ud800.org'],
    ['a wildcard', '*.example.org'],
    ['an underscore', '_dmarc.example.org'],
    ['a hyphen before a label', '-a.example.org'],
    ['a hyphen after a label', 'a-.example.org'],
    ['a label of 64 characters', `${'a'.repeat(64)}.example`],
    ['a name of 254 characters', `${'abcdefg.'.repeat(31)}abcdef`],
    ['a name of a million characters', 'a.'.repeat(500_000)],
    ['broken Punycode', 'xn--ä.example'],
    ['an escape', '%65xample.org'],
    ['a full stop of another script', 'example。org'],
  ] as const)('parseDomainName refuses %s.', ([, text]) => {
    expect(parseDomainName(text)).toBeUndefined();
  });
});
