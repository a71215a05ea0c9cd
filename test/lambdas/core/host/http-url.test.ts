import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseHttpUrl } from '../../../../lambdas/core/host/http-url.ts';
import { runs } from '../../../support/run/proof.ts';

const refused = (code: string) => expect.objectContaining({ name: 'RuleError', code });

test('An absolute http or https URL is parsed as browsers parse it.', () => {
  fc.assert(
    fc.property(fc.webUrl({ withQueryParameters: true, withFragments: true }), (text) => {
      expect(parseHttpUrl(text, 'x').href).toBe(new URL(text).href);
    }),
  );
});

test('Spaces and control characters are refused wherever they are, although browsers would repair them.', () => {
  const characters = Array.from({ length: 0x10000 }, (_, unit) => String.fromCharCode(unit));
  const spaces = characters.filter((character) => character.trim() === '' || /\p{Cc}/u.test(character));
  expect(spaces.length).toBeGreaterThan(80);
  fc.assert(
    fc.property(fc.constantFrom(...spaces), fc.nat(24), (space, at) => {
      const url = 'https://example.org/path';
      expect(() => parseHttpUrl(url.slice(0, at) + space + url.slice(at), 'x')).toThrow(refused('x_invalid'));
    }),
    { numRuns: runs(500) },
  );
});

test('Invisible characters are refused by name wherever they are, although browsers would escape them; so is U+FFFD.', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('\u200b', '\u202e', '\u200d', '\u2060', '\ufeff', '\u00ad', '\u{e0041}'),
      fc.nat(24),
      (one, at) => {
        const url = 'https://example.org/path';
        const name = `U+${one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}`;
        expect(() => parseHttpUrl(url.slice(0, at) + one + url.slice(at), 'x')).toThrow(
          expect.objectContaining({ code: 'x_invalid', message: expect.stringContaining(name) }),
        );
      },
    ),
    { numRuns: runs(300) },
  );
  expect(() => parseHttpUrl('https://example.org/caf\ufffd', 'x')).toThrow(refused('x_invalid'));
});

test.for([
  ['characters that are escaped already', 'https://example.org/%E2%80%8B%EF%BF%BD', 'https://example.org/%E2%80%8B%EF%BF%BD'],
  ['an emoji with joiners', 'https://example.org/👩🏽‍🚀', 'https://example.org/%F0%9F%91%A9%F0%9F%8F%BD%E2%80%8D%F0%9F%9A%80'],
  ['a Persian word', 'https://fa.wikipedia.org/wiki/می‌خواهم#می‌خواهم', undefined],
  ['a Hindi word', 'https://example.org/?q=क्‍ष', undefined],
  ['a Persian name of a host', 'https://نامه‌ای.com/', 'https://xn--mgba3gch31f060k.com/'],
] as const)('A URL keeps %s.', ([, text, href = encodeURI(text)]) => {
  expect(parseHttpUrl(text, 'x').href).toBe(href);
});

test('Half of a surrogate pair is refused, and a whole one is accepted.', () => {
  expect(() => parseHttpUrl('https://example.org/\ud83d', 'x')).toThrow(refused('x_invalid'));
  expect(() => parseHttpUrl('https://example.org/\ude00', 'x')).toThrow(refused('x_invalid'));
  expect(parseHttpUrl('https://example.org/😀', 'x').pathname).toBe('/%F0%9F%98%80');
});

describe('A refused URL', () => {
  test.for([
    ['an empty text', '', 'invalid'],
    ['a path', '/path', 'invalid'],
    ['a name', 'example.org', 'invalid'],
    ['a URL without a scheme', '//example.org/', 'invalid'],
    ['a URL without a host', 'https://', 'invalid'],
    ['a port out of range', 'https://example.org:65536/', 'invalid'],
    ['an unclosed IPv6 address', 'https://[::1/', 'invalid'],
    ['an IPv4 address out of range', 'https://256.0.0.1/', 'invalid'],
    ['an IPv6 address with a zone', 'https://[fe80::1%25eth0]/', 'invalid'],
    ['an escaped slash in the host', 'https://example.org%2f@evil.example/', 'credentials'],
    ['the scheme javascript', 'javascript:alert(1)', 'scheme'],
    ['the scheme JavaScript in capitals', 'JavaScript://example.org/%0aalert(1)', 'scheme'],
    ['the scheme data', 'data:text/html,x', 'scheme'],
    ['the scheme file', 'file:///etc/passwd', 'scheme'],
    ['the scheme ftp', 'ftp://example.org/', 'scheme'],
    ['the scheme blob', 'blob:https://example.org/x', 'scheme'],
    ['the scheme wss', 'wss://example.org/', 'scheme'],
    ['the scheme mailto', 'mailto:me@example.org', 'scheme'],
    ['a user name', 'https://me@example.org/', 'credentials'],
    ['a password', 'https://:secret@example.org/', 'credentials'],
    ['a user name and a password', 'https://me:secret@example.org/', 'credentials'],
    ['a host that is a user name', 'https://example.org@evil.example/', 'credentials'],
  ] as const)('parseHttpUrl refuses %s.', ([, text, code]) => {
    expect(() => parseHttpUrl(text, 'x')).toThrow(refused(`x_${code}`));
  });

  test('parseHttpUrl refuses http if only https is allowed.', () => {
    expect(() => parseHttpUrl('http://example.org/', 'x', { schemes: ['https:'] })).toThrow(refused('x_scheme'));
    expect(parseHttpUrl('https://example.org/', 'x', { schemes: ['https:'] }).href).toBe('https://example.org/');
  });
});

describe('The limit of 2,048 characters', () => {
  const base = 'https://example.org/';

  test('The limit applies to the text as it is sent.', () => {
    const longest = base.padEnd(2048, 'a');
    expect(parseHttpUrl(longest, 'x').href).toBe(longest);
    expect(() => parseHttpUrl(`${longest}a`, 'x')).toThrow(refused('x_too_long'));
    expect(() => parseHttpUrl(base.padEnd(5_000_000, ' '), 'x')).toThrow(refused('x_too_long'));
    // Parsing would shorten it, but it is refused anyway.
    expect(() => parseHttpUrl(`${base}${'a/../'.repeat(500)}`, 'x')).toThrow(refused('x_too_long'));
  });

  test('The limit applies to the URL as it is stored.', () => {
    // An umlaut takes six characters as an escape.
    const umlauts = (2048 - base.length) / 6;
    expect(parseHttpUrl(`${base}${'ä'.repeat(umlauts)}`, 'x').href).toHaveLength(2048);
    expect(() => parseHttpUrl(`${base}${'ä'.repeat(umlauts)}a`, 'x')).toThrow(refused('x_too_long'));
    expect(() => parseHttpUrl('https://example.org?'.concat('a'.repeat(2028)), 'x')).toThrow(refused('x_too_long'));
  });
});

test('An error never quotes the text.', () => {
  fc.assert(
    fc.property(
      fc.constantFrom('secret', 'https://secret:secret@example.org/', 'secret://example.org', 'https://sec ret'),
      (text) => {
        const messageOf = () => {
          try {
            return parseHttpUrl(text, 'x').href;
          } catch (error) {
            return String(error);
          }
        };
        expect(messageOf()).not.toMatch(/secret/);
      },
    ),
  );
});
