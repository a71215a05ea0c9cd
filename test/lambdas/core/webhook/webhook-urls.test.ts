import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { RuleError } from '../../../../lambdas/core/errors.ts';
import { parseWebhookUrls } from '../../../../lambdas/core/webhook/webhook-urls.ts';
import { publicUrl } from '../../../support/http/public-names.ts';
import { runs } from '../../../support/run/proof.ts';

const refused = (code: string) => expect.objectContaining({ name: 'RuleError', code });
const url = publicUrl({ validSchemes: ['https'] }).filter((text) => !text.includes(','));
const blanks = fc.constantFrom('', ' ', '  ', '\t', '\n');

test('One to five https URLs are returned in order, each in its parsed form, without blanks around the commas.', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(blanks, url, blanks), { minLength: 1, maxLength: 5 }), (parts) => {
      const sent = parts.map((part) => part.join('')).join(',');
      expect(parseWebhookUrls(sent)).toBe(parts.map(([, text]) => new URL(text).href).join(','));
    }),
  );
});

test('A returned list is accepted again and stays the same.', () => {
  fc.assert(
    fc.property(fc.array(url, { minLength: 1, maxLength: 5 }), (urls) => {
      const list = parseWebhookUrls(urls.join(','));
      expect(parseWebhookUrls(list)).toBe(list);
    }),
  );
});

test('Any list is either refused by a rule, or returned with as many URLs, each of them valid by itself.', () => {
  const host = fc.string({
    unit: fc.constantFrom('a', 'b', '.', '1', '0', ',', '%2C', '%2c', '，', '﹐', ':', '@', '%40', '/'),
    minLength: 1,
  });
  fc.assert(
    fc.property(fc.array(host, { minLength: 1, maxLength: 6 }), (hosts) => {
      const sent = hosts.map((text) => `https://${text}`).join(',');
      let list: string;
      try {
        list = parseWebhookUrls(sent);
      } catch (error) {
        expect(error).toBeInstanceOf(RuleError);
        return;
      }
      expect(list.split(',')).toHaveLength(sent.split(',').length);
      for (const one of list.split(',')) expect(parseWebhookUrls(one)).toBe(one);
    }),
    { numRuns: runs(1_000) },
  );
});

describe('A refused list', () => {
  const good = 'https://example.org/hook';
  test.for([
    ['an empty list', '', 'webhook_invalid'],
    ['only blanks', '  ', 'webhook_invalid'],
    ['only a comma', ',', 'webhook_invalid'],
    ['a comma before a URL', `,${good}`, 'webhook_invalid'],
    ['a comma after a URL', `${good},`, 'webhook_invalid'],
    ['an empty entry', `${good},,${good}`, 'webhook_invalid'],
    ['six URLs', Array(6).fill(good).join(), 'too_many'],
    ['two million commas', ','.repeat(2_000_000), 'too_many'],
    ['a text that is not a URL', 'hook', 'webhook_invalid'],
    ['another separator', `${good};x ${good}`, 'webhook_invalid'],
    ['a space within a URL', 'https://example.org/a b', 'webhook_invalid'],
    ['NUL', 'https://example.org/\0', 'webhook_invalid'],
    ['half of a surrogate pair', 'https://example.org/\ud800', 'webhook_invalid'],
    ['http', 'http://example.org/', 'webhook_scheme'],
    ['another scheme', 'ftp://example.org/', 'webhook_scheme'],
    ['credentials', 'https://me:secret@example.org/', 'webhook_credentials'],
    ['a URL of 2,049 characters', good.padEnd(2049, 'a'), 'webhook_too_long'],
    ['a private address', 'https://10.0.0.1/', 'webhook_private'],
    ['the metadata service', 'https://0xa9fea9fe/', 'webhook_private'],
    ['a mapped loopback address', 'https://[::ffff:127.0.0.1]/', 'webhook_private'],
    ['localhost', 'https://localhost./', 'webhook_private'],
    ['a name of one label', 'https://hooks/', 'webhook_private'],
    ['a name of a private network', 'https://hooks.corp/', 'webhook_private'],
    ['a bad URL after good ones', `${good},${good},https://127.1/`, 'webhook_private'],
    ['an escaped comma in the host, which would hide a private address', 'https://127.0.0.1%2Cexample.org/', 'webhook_invalid'],
    ['a fullwidth comma in the host', 'https://localhost，example.org/', 'webhook_invalid'],
  ] as const)('parseWebhookUrls refuses %s.', ([, text, code]) => {
    expect(() => parseWebhookUrls(text)).toThrow(refused(code));
  });
});

test('Five URLs of the maximum length are accepted.', () => {
  const list = Array(5).fill('https://example.org/'.padEnd(2048, 'a')).join();
  expect(parseWebhookUrls(list)).toBe(list);
});

test('An escaped comma after the host stays escaped.', () => {
  expect(parseWebhookUrls('https://example.org/a%2Cb?c=，')).toBe('https://example.org/a%2Cb?c=%EF%BC%8C');
});
