import { expect, test } from 'vitest';
import type { Link } from '../../../../lambdas/core/link/link.ts';
import { visitorName } from '../../../../lambdas/core/visit/password-guesses.ts';

const link = { id: 'lnk_x', passwordHash: 'hash' } as Link;

test.for([
  ['2001:db8:1:2::1', '2001:db8:1:2:ffff:ffff:ffff:ffff', true],
  ['2001:db8:1:2::1', '2001:0DB8:0001:0002:0:0:0:9', true],
  ['2001:db8::1', '2001:db8:0:0:1::', true],
  ['::1', '::2', true],
  ['2001:db8:1:2::1', '2001:db8:1:3::1', false],
  ['2001:db8:1::', '2001:db8:1:2::', false],
  ['192.0.2.1', '192.0.2.1', true],
  ['::ffff:192.0.2.1', '192.0.2.1', true],
  ['::ffff:192.0.2.1', '::ffff:192.0.2.2', false],
  ['fe80::1%eth0', 'fe80::1%eth1', true],
  ['192.0.2.1', '192.0.2.2', false],
] as const)('%s and %s are one visitor: %s.', ([one, other, same]) => {
  expect(visitorName(link, one) === visitorName(link, other)).toBe(same);
});

test('A visitor has a different name on each link and for each password, and the name does not reveal the address.', () => {
  const names = [link, { ...link, id: 'lnk_y' }, { ...link, passwordHash: 'other' }].map((one) => visitorName(one, '192.0.2.1'));
  expect(new Set(names).size).toBe(3);
  for (const name of names) expect(name).toMatch(/^[0-9A-Za-z]{22}$/);
});

test('Visitors without an address count as one visitor.', () => {
  expect(visitorName(link, '')).toMatch(/^[0-9A-Za-z]{22}$/);
});
