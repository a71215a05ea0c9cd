import { BlockList, isIP } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  groupsOf,
  isIPv4,
  isIPv6,
  isWithin,
  networkNamed,
  numberOf,
  parseAddress,
} from '../../../../lambdas/core/host/ip-address.ts';
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

const piece = fc.oneof(
  fc.constantFrom('::', ':', '.', '%', '1', '255', '256', '01', 'ffff', '12345', 'x', '192.0.2.1'),
  fc.nat(300).map(String),
);
const nearlyAddresses = fc.oneof(
  fc.ipV4(),
  fc.ipV6(),
  fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join('')),
);

test('A text is an address of a family exactly if Node says so, except that a zone is not part of an address.', () => {
  fc.assert(
    fc.property(nearlyAddresses, (text) => {
      expect([isIPv4(text), isIPv6(text)]).toEqual([isIP(text) === 4, isIP(text) === 6 && !text.includes('%')]);
    }),
    { numRuns: runs(5_000) },
  );
});

test('An address is within a network exactly if Node says so.', () => {
  const v4 = fc.tuple(fc.ipV4(), fc.ipV4(), fc.integer({ min: 0, max: 32 }), fc.constant('ipv4' as const));
  const v6 = fc.tuple(fc.ipV6(), fc.ipV6(), fc.integer({ min: 0, max: 128 }), fc.constant('ipv6' as const));
  fc.assert(
    fc.property(fc.oneof(v4, v6), fc.nat(64), ([one, other, length, family], shared) => {
      // Half of the addresses are near the network, because hardly any random ones are within.
      const address = shared > 32 ? one : other;
      const network = new BlockList();
      network.addSubnet(one, length, family);
      expect(isWithin(address, networkNamed(`${one}/${length}`))).toBe(network.check(address, family));
    }),
    { numRuns: runs(2_000) },
  );
});
