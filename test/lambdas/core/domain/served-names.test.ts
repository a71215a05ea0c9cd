import { checkServerIdentity, type PeerCertificate } from 'node:tls';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkServed, isServed } from '../../../../lambdas/core/domain/served-names.ts';

const label = fc.constantFrom('a', 'go', 'links', 'example', 'x1', 'com');
const host = fc.array(label, { minLength: 2, maxLength: 5 }).map((labels) => labels.join('.'));
const served = fc.array(
  fc.tuple(fc.boolean(), host).map(([isWildcard, name]) => (isWildcard ? `*.${name}` : name)),
  {
    minLength: 1,
    maxLength: 4,
  },
);

describe('The names that custom domains cover', () => {
  test('A name is covered exactly if a certificate with the same names is valid for it.', () => {
    const certificateOf = (names: readonly string[]) =>
      ({ subject: {}, subjectaltname: names.map((name) => `DNS:${name}`).join(', ') }) as unknown as PeerCertificate;
    fc.assert(
      fc.property(host, served, (host, served) => {
        expect(isServed(host, served)).toBe(checkServerIdentity(host, certificateOf(served)) === undefined);
      }),
    );
  });

  test('Each of the names, and each name one label below a wildcard, is covered.', () => {
    fc.assert(
      fc.property(served, label, (served, first) => {
        for (const name of served) expect(isServed(name.replace('*', first), served)).toBe(true);
      }),
    );
  });

  test('A name of the API is not covered, even below a wildcard.', () => {
    fc.assert(
      fc.property(host, served, label, (host, served, first) => {
        const names = [...served, `*.${host}`, `!${first}.${host}`];
        expect(isServed(`${first}.${host}`, names)).toBe(false);
        expect(isServed(`other.${host}`, names)).toBe(true);
      }),
    );
  });

  test('On a laptop, every name is covered.', () => {
    fc.assert(fc.property(host, (host) => isServed(host, ['*'])));
  });

  test.for([
    ['go.example.com', ['go.example.com'], undefined],
    ['example.com', ['*.example.com'], 'no custom domain of the service covers example.com'],
    ['a.go.example.com', ['*.example.com'], 'no custom domain of the service covers a.go.example.com'],
    ['api.example.com', ['*.example.com', '!api.example.com'], 'api.example.com is the name of the API'],
  ] as const)('The check of %s under %j fails with: %s', ([host, names, expected]) => {
    const failure = checkServed(host, names);
    if (expected === undefined) expect(failure).toBeUndefined();
    else expect(failure).toMatchObject({ code: 'domain_not_covered', message: expect.stringContaining(expected) });
  });
});
