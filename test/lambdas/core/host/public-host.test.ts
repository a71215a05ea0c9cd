import { tlds } from '@hapi/tlds';
import { parse } from 'tldts';
import { describe, expect, test } from 'vitest';
import { isLoopbackHost, isPublicHost } from '../../../../lambdas/core/host/public-host.ts';

describe('An IPv4 address', () => {
  // The first and the last address of each range that IANA reserves, and its public neighbours.
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
  ] as const)('The addresses for %s (%s to %s) are not public, and their neighbours are.', ([, first, last, before, after]) => {
    expect(isPublicHost(first)).toBe(false);
    expect(isPublicHost(last)).toBe(false);
    if (before) expect(isPublicHost(before)).toBe(true);
    if (after) expect(isPublicHost(after)).toBe(true);
  });
});

describe('An IPv6 address', () => {
  test.for([
    ['the unspecified address', '[::]'],
    ['the loopback address', '[::1]'],
    ['a public IPv4 address, mapped', '[::ffff:808:808]'],
    ['a private IPv4 address, mapped', '[::ffff:a00:1]'],
    ['an IPv4 address, compatible', '[::a00:1]'],
    ['an IPv4 address, translated', '[64:ff9b::a00:1]'],
    ['translated locally', '[64:ff9b:1::1]'],
    ['for discarding only', '[100::1]'],
    ['for Teredo', '[2001::1]'],
    ['for ORCHIDv2', '[2001:20::1]'],
    ['for documentation', '[2001:db8::1]'],
    ['for documentation, in the newer range', '[3fff::1]'],
    ['the 6to4 of a private address', '[2002:a00:1::1]'],
    ['the 6to4 of a public address', '[2002:808:808::1]'],
    ['unassigned', '[4000::1]'],
    ['for segment routing', '[5f00::1]'],
    ['unique local', '[fd00::1]'],
    ['link-local', '[fe80::1]'],
    ['site-local, which is deprecated', '[fec0::1]'],
    ['for multicast', '[ff02::1]'],
  ] as const)('An IPv6 address that is %s is not public.', ([, host]) => {
    expect(isPublicHost(host)).toBe(false);
  });

  test.for(['[2606:4700:4700::1111]', '[2001:4860:4860::8888]', '[2a00:1450:4001::1]', '[3ffe:ffff::1]'])(
    '%s is public.',
    (host) => {
      expect(isPublicHost(host)).toBe(true);
    },
  );
});

describe('A host name', () => {
  test.for([
    'localhost',
    'a.b.localhost',
    'localhost6',
    'localhost6.localdomain6',
    'ip6-localhost',
    'intranet',
    'metadata',
    'metadata.google.internal',
    'router.home.arpa',
    'nas.lan',
    'wiki.corp',
    'printer.local',
    'x.home',
    'x.mail',
    'x.test',
    'x.example',
    'x.invalid',
    'x.onion',
    'x.com1',
    // A top-level domain by itself leads wherever the search list of a network says.
    'com',
    'dev',
    '',
    '.com',
  ])('%j is not public, because it is not a name in the public DNS.', (host) => {
    expect(isPublicHost(host)).toBe(false);
  });

  test.for([
    'example.org',
    'a.b.example.co.uk',
    'localhost.example.org',
    'home.arpa.example.org',
    '10.example.org',
    'under_score.example.org',
    'xn--e1afmkfd.xn--p1ai',
    'x.museum',
    'x.zip',
  ])('%s is public, because its top-level domain is.', (host) => {
    expect(isPublicHost(host)).toBe(true);
  });

  test('All but a few top-level domains are also on the list of public suffixes.', () => {
    expect(tlds.size).toBeGreaterThan(1_400);
    expect([...tlds].filter((tld) => !parse(`x.${tld}`).isIcann).length).toBeLessThan(20);
  });
});

describe('This machine', () => {
  test.for(['127.0.0.1', '127.255.255.255', '[::1]', 'localhost', 'hooks.localhost', 'a.b.localhost'])(
    '%s is this machine, and not public.',
    (host) => {
      expect([isLoopbackHost(host), isPublicHost(host)]).toEqual([true, false]);
    },
  );

  test.for([
    ...['126.255.255.255', '128.0.0.0', '0.0.0.0', '10.0.0.1', '169.254.169.254', '[::]', '[::2]', '[fd00::1]', '[fe80::1]'],
    ...[
      '127.0.0.1.com',
      'x127.0.0.1',
      '[::ffff:7f00:1]',
      '[::ffff:a9fe:a9fe]',
      '[64:ff9b::7f00:1]',
      'localhost6',
      'notlocalhost',
      'localhost.com',
      'localhost.example',
      '',
    ],
  ])('%s is not this machine.', (host) => {
    expect(isLoopbackHost(host)).toBe(false);
  });
});
