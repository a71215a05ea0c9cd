import { describe, expect, test } from 'vitest';
import { parseShortDomain } from '../../../../lambdas/core/domain/short-domain.ts';

const own = ['api.links.example.com'];
const target = 'links.example.net';
const parse = (text: string, to = target) => parseShortDomain(text, own, to);

test.for([
  ['go.example.com', 'go.example.com'],
  ['GO.Example.COM.', 'go.example.com'],
  ['bücher.example.com', 'xn--bcher-kva.example.com'],
  ['example.co.uk', 'example.co.uk'],
  ['me.github.io', 'me.github.io'],
  ['go.acme.example.com', 'go.acme.example.com'],
  ['links.example.com', 'links.example.com'],
] as const)('%s becomes %s.', ([text, host]) => {
  expect(parse(text)).toBe(host);
});

describe('A refused short domain', () => {
  test.for([
    ['', 'domain_invalid'],
    ['com', 'domain_invalid'],
    ['localhost', 'domain_invalid'],
    ['192.0.2.1', 'domain_invalid'],
    ['0x7f.1', 'domain_invalid'],
    ['[2001:db8::1]', 'domain_invalid'],
    ['*.example.com', 'domain_invalid'],
    ['https://go.example.com', 'domain_invalid'],
    ['go.example.com/x', 'domain_invalid'],
    ['go.example.com:443', 'domain_invalid'],
    ['go..example.com', 'domain_invalid'],
    ['-go.example.com', 'domain_invalid'],
    ['go_.example.com', 'domain_invalid'],
    ['go example.com', 'domain_invalid'],
    [`${'a'.repeat(64)}.example.com`, 'domain_invalid'],
    [`${'a.'.repeat(120)}example`, 'too_long'],
    ['co.uk', 'domain_public_suffix'],
    ['github.io', 'domain_public_suffix'],
    ['CO.UK.', 'domain_public_suffix'],
    ['go.localhost', 'domain_private'],
    ['go.internal', 'domain_private'],
    ['printer.local', 'domain_private'],
    ['go.acme.example', 'domain_private'],
    ['go.corp', 'domain_private'],
    ['api.links.example.com', 'domain_own'],
    ['API.links.example.com.', 'domain_own'],
    ['links.example.net', 'domain_own'],
  ] as const)('%j is refused as %s.', ([text, code]) => {
    expect(() => parse(text)).toThrow(expect.objectContaining({ name: 'RuleError', code }));
  });

  test('Names of a laptop are accepted only if the service itself runs on one.', () => {
    expect(parse('go.localhost', 'links.localhost')).toBe('go.localhost');
    expect(() => parse('links.localhost', 'links.localhost')).toThrow(expect.objectContaining({ code: 'domain_own' }));
  });
});
