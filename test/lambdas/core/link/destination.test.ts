import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RuleError } from '../../../../lambdas/core/errors.ts';
import { destinationLength } from '../../../../lambdas/core/limits.ts';
import {
  blockedBy,
  blockedError,
  destinationHost,
  parseDestination,
  parseHostToBlock,
  shortDomainError,
} from '../../../../lambdas/core/link/destination.ts';
import { publicDomain, publicUrl } from '../../../support/http/public-names.ts';
import { anyCharacter } from '../../../support/run/any-character.ts';
import { runs } from '../../../support/run/proof.ts';

const refused = (code: string) => expect.objectContaining({ name: 'RuleError', code });

/** An address inside a network, as one number. */
const inside = (network: string, prefix: number) => {
  const first = network.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
  return fc.integer({ min: first, max: first + 2 ** (32 - prefix) - 1 });
};

const privateAddress = fc.oneof(
  inside('10.0.0.0', 8),
  inside('127.0.0.0', 8),
  inside('169.254.0.0', 16),
  inside('172.16.0.0', 12),
  inside('192.168.0.0', 16),
  inside('100.64.0.0', 10),
  inside('0.0.0.0', 8),
);

const publicAddress = fc.oneof(inside('8.0.0.0', 8), inside('93.0.0.0', 8), inside('172.32.0.0', 12), inside('193.0.0.0', 8));

const partsOf = (address: number) => [address >>> 24, (address >>> 16) & 255, (address >>> 8) & 255, address & 255];
const dotted = (address: number) => partsOf(address).join('.');
const fullwidth = (text: string) => text.replace(/[0-9]/g, (digit) => String.fromCharCode(digit.charCodeAt(0) + 0xfee0));
const escaped = (text: string) => text.replace(/[0-9]/g, (digit) => `%${digit.charCodeAt(0).toString(16)}`);
const hex = (value: number) => value.toString(16);

/** Ways to write an IPv4 address as the host of a URL; browsers accept all of them. */
const ipv4Forms: Record<string, (address: number) => string> = {
  'four decimal parts': dotted,
  'one decimal number': (address) => String(address),
  'one hexadecimal number': (address) => `0x${hex(address)}`,
  'one octal number': (address) => `0${address.toString(8)}`,
  'octal parts': (address) =>
    partsOf(address)
      .map((part) => `0${part.toString(8)}`)
      .join('.'),
  'hexadecimal parts': (address) =>
    partsOf(address)
      .map((part) => `0X${hex(part).toUpperCase()}`)
      .join('.'),
  'parts with leading zeros': (address) =>
    partsOf(address)
      .map((part) => `0x${hex(part).padStart(8, '0')}`)
      .join('.'),
  'two parts': (address) => `${address >>> 24}.${address & 0xffffff}`,
  'three parts': (address) => `${address >>> 24}.${(address >>> 16) & 255}.${address & 0xffff}`,
  'four parts with a dot at the end': (address) => `${dotted(address)}.`,
  'fullwidth digits': (address) => fullwidth(dotted(address)),
  'ideographic full stops': (address) => dotted(address).replaceAll('.', '。'),
  'escaped digits': (address) => escaped(dotted(address)),
};

/** Ways to write an IPv4 address inside an IPv6 address. */
const ipv6Forms: Record<string, (address: number) => string> = {
  'a mapped address': (address) => `[::ffff:${dotted(address)}]`,
  'a mapped address in hexadecimal': (address) => `[0:0:0:0:0:FFFF:${hex(address >>> 16)}:${hex(address & 0xffff)}]`,
  'a compatible address': (address) => `[::${dotted(address)}]`,
  'a translated address': (address) => `[64:ff9b::${dotted(address)}]`,
  'a 6to4 address': (address) => `[2002:${hex(address >>> 16)}:${hex(address & 0xffff)}::1]`,
};

/** Parts of a URL around its host. */
const around = fc.record({
  scheme: fc.constantFrom('http://', 'https://', 'HTTP://', 'https:/', 'https:', 'https:\\\\', 'https:///'),
  behind: fc.constantFrom('', '/', ':8080', ':80/x', '/?q=https://example.org', '#@example.org', '\\@example.org'),
});

describe('A destination that is not public', () => {
  test.for(Object.keys({ ...ipv4Forms, ...ipv6Forms }))('A private address written as %s is refused.', (form) => {
    const write = { ...ipv4Forms, ...ipv6Forms }[form] as (address: number) => string;
    fc.assert(
      fc.property(privateAddress, around, (address, { scheme, behind }) => {
        expect(() => parseDestination(`${scheme}${write(address)}${behind}`)).toThrow(refused('destination_private'));
      }),
    );
  });

  test.for([
    ['localhost', 'http://localhost:3000/'],
    ['localhost in capitals with a dot at its end', 'http://LOCALHOST./'],
    ['localhost in fullwidth letters', 'http://ｌｏｃａｌｈｏｓｔ/'],
    ['localhost in escapes', 'http://%6c%6F%63alhost/'],
    ['localhost in circled letters', 'http://ⓛⓞⓒⓐⓛⓗⓞⓢⓣ/'],
    ['localhost with an escaped soft hyphen', 'http://local%C2%ADhost/'],
    ['a name under localhost', 'http://go.localhost/'],
    ['the loopback address of IPv6', 'http://[::1]/'],
    ['a unique local address', 'http://[fd12:3456::1]/'],
    ['a link-local address', 'http://[fe80::1]/'],
    ['the metadata service in circled digits', 'http://①⑥⑨.②⑤④.①⑥⑨.②⑤④/'],
    ['the broadcast address', 'http://255.255.255.255/'],
    ['a name of one label', 'http://intranet/'],
    ['another name of the loopback address', 'http://localhost6:8080/'],
    ['a name of a private network', 'https://NAS.lan./'],
    ['a name that is reserved for tests', 'https://go.test/'],
    ['a top-level domain by itself', 'https://com/'],
  ] as const)('The host %s is refused.', ([, text]) => {
    expect(() => parseDestination(text)).toThrow(refused('destination_private'));
  });
});

test.for(Object.keys(ipv4Forms))('A public address written as %s is accepted, and stored in its plain form.', (form) => {
  const write = ipv4Forms[form] as (address: number) => string;
  fc.assert(
    fc.property(publicAddress, (address) => {
      expect(parseDestination(`http://${write(address)}/x`)).toBe(`http://${dotted(address)}/x`);
    }),
  );
});

test.for([
  ['https://example.org', 'https://example.org/'],
  ['HTTPS://EXAMPLE.org:443/Path?Q=1#F', 'https://example.org/Path?Q=1#F'],
  ['http://example.org:80/../a/./b', 'http://example.org/a/b'],
  ['https://bücher.example.org/straße?ü#ß', 'https://xn--bcher-kva.example.org/stra%C3%9Fe?%C3%BC#%C3%9F'],
  ['https://example.org/%41%2F', 'https://example.org/%41%2F'],
  ['https://[2606:4700:4700:0:0:0:0:1111]/', 'https://[2606:4700:4700::1111]/'],
  ['https://@example.org/', 'https://example.org/'],
] as const)('%s is stored as %s.', ([text, stored]) => {
  expect(parseDestination(text)).toBe(stored);
});

/** Texts that are mostly URLs. */
const someUrl = fc.oneof(
  publicUrl({ withQueryParameters: true, withFragments: true, size: 'medium' }),
  fc.tuple(publicUrl(), fc.string({ unit: 'grapheme' })).map(([url, more]) => url + more),
  fc.tuple(fc.constantFrom('http://', 'https://', ''), fc.string({ unit: anyCharacter })).map((parts) => parts.join('')),
  fc
    .tuple(fc.constantFrom('http://', 'https:'), fc.string({ unit: fc.constantFrom(...'a1x0.:/@[]%?#\\-。ａ١') }))
    .map((parts) => parts.join('')),
);

test('A destination has at most 8,000 characters as it is sent and as it is stored, and other URLs of a link 2,048.', () => {
  const base = 'https://example.org/';
  const longest = base.padEnd(8_000, 'x');
  expect(parseDestination(longest, destinationLength)).toBe(longest);
  expect(() => parseDestination(`${longest}x`, destinationLength)).toThrow(refused('destination_too_long'));
  // An umlaut takes six characters as an escape.
  const umlauts = base + 'ä'.repeat(1_330);
  expect(parseDestination(umlauts, destinationLength)).toHaveLength(8_000);
  expect(() => parseDestination(`${umlauts}x`, destinationLength)).toThrow(refused('destination_too_long'));
  expect(parseDestination(base.padEnd(2_048, 'x'))).toHaveLength(2_048);
  expect(() => parseDestination(base.padEnd(2_049, 'x'))).toThrow(refused('destination_too_long'));
});

test('Every text is either refused by a rule, or stored in a safe form that stays the same when it is sent again.', () => {
  fc.assert(
    fc.property(someUrl, (text) => {
      let href: string;
      try {
        href = parseDestination(text);
      } catch (error) {
        expect(error).toBeInstanceOf(RuleError);
        expect((error as RuleError).code).toMatch(/^destination_(invalid|scheme|credentials|too_long|private)$/);
        return;
      }
      const url = new URL(href);
      expect(href.length).toBeLessThanOrEqual(2048);
      expect(href).toMatch(/^https?:\/\/[\x21-\x7e]+$/);
      expect([url.username, url.password]).toEqual(['', '']);
      expect(url.href).toBe(href);
      expect(parseDestination(href)).toBe(href);
    }),
    { numRuns: runs(1_000) },
  );
});

test('The host of a destination is found whatever its case and trailing dot.', () => {
  fc.assert(
    fc.property(publicDomain, (domain) => {
      fc.pre(URL.canParse(`https://${domain}/`));
      const host = destinationHost(parseDestination(`https://${domain}/x`));
      expect(destinationHost(parseDestination(`http://${domain.toUpperCase()}.:8080/`))).toBe(host);
      expect(host).toBe(new URL(`https://${domain}`).hostname);
    }),
  );
});

test('shortDomainError has the code destination_short_domain.', () => {
  expect(shortDomainError()).toEqual(refused('destination_short_domain'));
});

test('blockedError has the code destination_blocked.', () => {
  expect(blockedError()).toEqual(refused('destination_blocked'));
});

const listOf = (...hosts: string[]) => new Set(hosts);
const label = fc.stringMatching(/^[a-z0-9]([a-z0-9-]{0,10}[a-z0-9])?$/);
/** A domain name that can be blocked. */
const blockable = publicDomain.filter((domain) => parseHostToBlock(domain) === domain);

describe('A blocked host', () => {
  test('A blocked host also blocks its subdomains, however they are written.', () => {
    fc.assert(
      fc.property(blockable, fc.array(label, { maxLength: 4 }), fc.boolean(), (domain, labels, isLoud) => {
        const name = [...labels, domain].join('.');
        fc.pre(URL.canParse(`https://${name}/`));
        const host = destinationHost(
          parseDestination(`https://${isLoud ? name.toUpperCase() : name}${isLoud ? '.:8443' : ''}/x`),
        );
        expect(blockedBy(host, listOf('other.example', domain))).toBe(domain);
      }),
    );
  });

  test('A blocked host blocks neither hosts that look like it nor its parent domain.', () => {
    fc.assert(
      fc.property(blockable, label, label, (domain, one, other) => {
        const blocked = listOf(domain);
        for (const alike of [
          `${one}${domain}`,
          `${one}-${domain}`,
          `${domain}.${other}`,
          `${domain}${one}`,
          domain.slice(domain.indexOf('.') + 1),
        ])
          expect(blockedBy(alike, blocked)).toBeUndefined();
      }),
    );
  });

  test('A blocked address blocks only that address, however it is written.', () => {
    fc.assert(
      fc.property(publicAddress, fc.constantFrom(...Object.values(ipv4Forms)), (address, write) => {
        const host = parseHostToBlock(write(address)) ?? '';
        expect(host).toBe(dotted(address));
        const blocked = listOf(host);
        expect(blockedBy(destinationHost(parseDestination(`http://${write(address)}/`)), blocked)).toBe(host);
        expect(blockedBy(destinationHost(`http://${dotted(address ^ 1)}/`), blocked)).toBeUndefined();
        expect(blockedBy(destinationHost(`http://1.${host}.example/`), blocked)).toBeUndefined();
      }),
    );
  });

  test.for([
    ['Evil.Example.', 'evil.example'],
    ['WWW.evil.example', 'www.evil.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['ｅｖｉｌ。example', 'evil.example'],
    ['with_underscore.example', 'with_underscore.example'],
    ['203.0.113.9', '203.0.113.9'],
    ['0xcb.0x71.9', '203.113.0.9'],
    ['2606:4700:4700:0:0:0:0:1111', '[2606:4700:4700::1111]'],
    ['[2606:4700:4700::1111]', '[2606:4700:4700::1111]'],
  ] as const)('%s is blocked as %s.', ([text, host]) => {
    expect(parseHostToBlock(text)).toBe(host);
  });

  test.for([
    '',
    '.',
    'example',
    'com.',
    '.com',
    'xn--p1ai',
    'a..example',
    '*.evil.example',
    'https://evil.example',
    'evil.example/path',
    'evil.example:8080',
    'evil.example:80',
    'user@evil.example',
    'evil.example?x',
    'evil.example#x',
    'evil.example\\x',
    'evil example',
    'evil.example,other.example',
    '[evil.example]',
    '[::1',
    'fe80::1%eth0',
    `${'a.'.repeat(130)}example`,
  ])('%j cannot be blocked.', (text) => {
    expect(parseHostToBlock(text)).toBeUndefined();
  });

  test('parseHostToBlock accepts a text only in a form that it accepts again unchanged.', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: anyCharacter }), someUrl), (text) => {
        const host = parseHostToBlock(text);
        if (host !== undefined) expect([parseHostToBlock(host), destinationHost(`http://${host}/`)]).toEqual([host, host]);
      }),
      { numRuns: runs(1_000) },
    );
  });
});
