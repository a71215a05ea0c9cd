import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { canonicalHost, isPublicHost, parseDomainName } from '../../../lambdas/domain/host.ts';

describe('an IPv4 address', () => {
  // The first and the last address of each range that IANA keeps back, and the public neighbours of it.
  test.for([
    ['this network', '0.0.0.0', '0.255.255.255', undefined, '1.0.0.0'],
    ['private use', '10.0.0.0', '10.255.255.255', '9.255.255.255', '11.0.0.0'],
    ['carrier-grade NAT', '100.64.0.0', '100.127.255.255', '100.63.255.255', '100.128.0.0'],
    ['loopback', '127.0.0.0', '127.255.255.255', '126.255.255.255', '128.0.0.0'],
    ['link-local, with the metadata service of clouds', '169.254.0.0', '169.254.255.255', '169.253.255.255', '169.255.0.0'],
    ['private use', '172.16.0.0', '172.31.255.255', '172.15.255.255', '172.32.0.0'],
    ['protocol assignments', '192.0.0.0', '192.0.0.255', '191.255.255.255', '192.0.1.0'],
    ['documentation', '192.0.2.0', '192.0.2.255', '192.0.1.255', '192.0.3.0'],
    ['6to4 relays', '192.88.99.0', '192.88.99.255', '192.88.98.255', '192.88.100.0'],
    ['private use', '192.168.0.0', '192.168.255.255', '192.167.255.255', '192.169.0.0'],
    ['benchmarks', '198.18.0.0', '198.19.255.255', '198.17.255.255', '198.20.0.0'],
    ['documentation', '198.51.100.0', '198.51.100.255', '198.51.99.255', '198.51.101.0'],
    ['documentation', '203.0.113.0', '203.0.113.255', '203.0.112.255', '203.0.114.0'],
    ['multicast, reserved and broadcast', '224.0.0.0', '255.255.255.255', '223.255.255.255', undefined],
  ] as const)(
    'is not public from the first to the last of %s (%s to %s), and is beside them',
    ([, first, last, before, after]) => {
      expect(isPublicHost(first)).toBe(false);
      expect(isPublicHost(last)).toBe(false);
      if (before) expect(isPublicHost(before)).toBe(true);
      if (after) expect(isPublicHost(after)).toBe(true);
    },
  );
});

describe('an IPv6 address', () => {
  test.for([
    ['unspecified', '[::]'],
    ['loopback', '[::1]'],
    ['a public IPv4 address, mapped', '[::ffff:808:808]'],
    ['a private IPv4 address, mapped', '[::ffff:a00:1]'],
    ['an IPv4 address, compatible', '[::a00:1]'],
    ['an IPv4 address, translated', '[64:ff9b::a00:1]'],
    ['locally translated', '[64:ff9b:1::1]'],
    ['discard only', '[100::1]'],
    ['Teredo', '[2001::1]'],
    ['ORCHIDv2', '[2001:20::1]'],
    ['documentation', '[2001:db8::1]'],
    ['documentation, the longer one', '[3fff::1]'],
    ['6to4 of a private address', '[2002:a00:1::1]'],
    ['6to4 of a public address', '[2002:808:808::1]'],
    ['unassigned', '[4000::1]'],
    ['segment routing', '[5f00::1]'],
    ['unique local', '[fd00::1]'],
    ['link-local', '[fe80::1]'],
    ['site-local, of old', '[fec0::1]'],
    ['multicast', '[ff02::1]'],
  ] as const)('is not public where it is %s', ([, host]) => {
    expect(isPublicHost(host)).toBe(false);
  });

  test.for(['[2606:4700:4700::1111]', '[2001:4860:4860::8888]', '[2a00:1450:4001::1]', '[3ffe:ffff::1]'])(
    'is public: %s',
    (host) => {
      expect(isPublicHost(host)).toBe(true);
    },
  );
});

describe('a name', () => {
  test.for(['localhost', 'a.localhost', 'a.b.localhost'])('under localhost is not public: %s', (host) => {
    expect(isPublicHost(host)).toBe(false);
  });

  test.for(['example.org', 'notlocalhost', 'localhost.example.org', 'localhostx', '10.example.org'])('is public: %s', (host) => {
    expect(isPublicHost(host)).toBe(true);
  });
});

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
      { numRuns: 500 },
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
