import fc from 'fast-check';
import { expect, test } from 'vitest';
import { groupsOf, numberOf, parseAddress } from '../../../../lambdas/core/host/ip-address.ts';
import { runs } from '../../../support/run/proof.ts';

test.for([
  ['192.0.2.1', '192.0.2.1'],
  ['2001:db8::1', '2001:db8::1'],
  ['fe80::1%eth0', 'fe80::1'],
  ['::ffff:192.0.2.1', '192.0.2.1'],
  ['::ffff:c000:201', '192.0.2.1'],
  ['0:0:0:0:0:FFFF:255.255.255.255', '255.255.255.255'],
  ['::192.0.2.1', '::192.0.2.1'],
  ['64:ff9b::192.0.2.1', '64:ff9b::192.0.2.1'],
  ['::ffff:0:192.0.2.1', '::ffff:0:192.0.2.1'],
  ['', undefined],
  ['192.0.2', undefined],
  ['192.0.2.256', undefined],
  ['192.0.2.1:80', undefined],
  ['[::1]', undefined],
  ['::1::', undefined],
  ['localhost', undefined],
] as const)('The address %j is known as %j.', ([text, address]) => {
  expect(parseAddress(text)).toBe(address);
});

test.for([
  ['0.0.0.0', 0n],
  ['192.0.2.1', 0xc0000201n],
  ['255.255.255.255', 0xffffffffn],
  ['::', 0n],
  ['::1', 1n],
  ['1::', 1n << 112n],
  ['2001:db8::192.0.2.1', 0x20010db80000000000000000c0000201n],
  ['ffff:ffff:ffff:ffff:ffff:ffff:ffff:ffff', (1n << 128n) - 1n],
] as const)('The address %s is the number %d.', ([address, number]) => {
  expect(numberOf(address)).toBe(number);
});

test('An IPv6 address has the same groups in each of its forms.', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom(0, 1, 0x80, 0xabcd, 0xffff), { minLength: 8, maxLength: 8 }), (groups) => {
      const full = groups.map((group) => group.toString(16).padStart(4, '0').toUpperCase()).join(':');
      const short = new URL(`http://[${full}]`).hostname.slice(1, -1);
      expect(groupsOf(full)).toEqual(groups);
      expect(groupsOf(short)).toEqual(groups);
      expect(groupsOf(`${short}%1`)).toEqual(groups);
    }),
    { numRuns: runs(200) },
  );
});
