import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readReportedAddress } from '../../../../lambdas/core/report/reported-address.ts';
import { reporterName } from '../../../../lambdas/core/report/reporter.ts';
import { anyCharacter } from '../../../support/run/any-character.ts';
import { runs } from '../../../support/run/proof.ts';

test.for<[string, string, string | undefined]>([
  ['https://go.example/a', 'go.example', 'a'],
  ['  http://GO.example:3000/A?x=1#y ', 'go.example', 'A'],
  ['go.example/a', 'go.example', 'a'],
  ['/a', 'own.example', 'a'],
  ['https://go.example/a+', 'go.example', 'a'],
  ['https://go.example/a%2B', 'go.example', 'a'],
  ['https://go.example/a.q', 'go.example', 'a'],
  ['https://go.example/a.svg', 'go.example', 'a'],
  ['https://go.example/a/', 'go.example', 'a'],
  ['https://user:pass@go.example/a/b', 'go.example', 'a/b'],
  ['https://bücher.example/a', 'xn--bcher-kva.example', 'a'],
  ['https://go.example/a/λ', 'go.example', undefined],
])('The address %s names a place on %s.', ([address, host, slug]) => {
  expect(readReportedAddress(address, 'own.example')).toMatchObject({ host, slug });
});

test.for(['https://go.example/a).', 'go.example/a”', '/a&utm_source=mail', 'https://go.example/a%E2%80%8B?x=1'])(
  'The address %s is read as a visit reads it.',
  (address) => {
    expect(readReportedAddress(address, 'own.example')?.others.map(({ slug }) => slug)).toEqual(['a']);
  },
);

test('A path behind a slug names each link that may forward it.', () => {
  expect(readReportedAddress('/a/b/c', 'own.example')?.others.map(({ slug }) => slug)).toEqual(['a/b', 'a']);
});

test.for([
  '',
  ' ',
  'a',
  'https://',
  'https://go.example',
  'go.example/',
  'https://go.example/+report',
  'https://go.example/%',
  'https://go.example/a%2525b',
  'javascript:alert(1)',
  'mailto:a@b.example',
  `https://go.example/${'a'.repeat(3_000)}`,
])('No link can be at %s.', (address) => {
  expect(readReportedAddress(address, 'own.example')).toBeUndefined();
});

test('Whatever somebody types, it is read or refused, and a slug has only characters of slugs.', () => {
  const text = fc.oneof(fc.webUrl({ withQueryParameters: true }), fc.string({ unit: anyCharacter, maxLength: 50 }));
  fc.assert(
    fc.property(text, (typed) => {
      const place = readReportedAddress(typed, 'own.example');
      expect(place?.slug ?? '').toMatch(/^[\w./-]*$/);
    }),
    { numRuns: runs(2_000) },
  );
});

test('The name of a reporter is the same for one IPv4 address or IPv6 network, another on each domain, and contains no address.', () => {
  const name = (domainId: string, sourceIp: string) => reporterName({ domainId }, sourceIp);
  expect(name('a', '192.0.2.1')).toBe(name('a', '::ffff:192.0.2.1'));
  expect(name('a', '2001:db8:1:2::1')).toBe(name('a', '2001:db8:1:2:ffff::9'));
  const names = [
    name('a', '192.0.2.1'),
    name('a', '192.0.2.2'),
    name('b', '192.0.2.1'),
    name('a', '2001:db8:1:2::1'),
    name('a', '2001:db8:1:3::1'),
  ];
  expect(new Set(names).size).toBe(names.length);
  for (const one of names) expect(one).toMatch(/^[0-9A-Za-z]{22}$/);
});
