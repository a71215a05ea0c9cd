import { subscribe } from 'node:diagnostics_channel';
import fc from 'fast-check';
import { beforeEach, expect, test } from 'vitest';
import { parseLogoUrl } from '../../../lambdas/core/domain/logo.ts';
import { parseWebhookUrl } from '../../../lambdas/core/webhook/webhook-urls.ts';
import { framingAllowed } from '../../../lambdas/outbound/framing.ts';
import { fetchLogo } from '../../../lambdas/outbound/logo.ts';
import { postWebhook } from '../../../lambdas/outbound/post-webhook.ts';
import { runs } from '../../support/run/proof.ts';

// All requests to addresses that others choose. The files beside this one test single cases.

let opened = 0;
subscribe('net.client.socket', () => opened++);
beforeEach(() => {
  opened = 0;
});

/** An address in a network that must not be reached through this service. */
const privateAddress = fc
  .tuple(
    fc.constantFrom(
      [0, 0],
      [10, 1],
      [100, 64],
      [127, 0],
      [127, 255],
      [169, 254],
      [172, 16],
      [172, 31],
      [192, 168],
      [198, 19],
      [255, 255],
    ),
    fc.integer({ min: 0, max: 255 }),
    fc.integer({ min: 0, max: 255 }),
  )
  .map(([network, c, d]) => [...network, c, d] as [number, number, number, number]);

/** A number of an IPv4 address in the notations that URLs allow: https://url.spec.whatwg.org/#ipv4-number-parser */
const notations: readonly ((number: number) => string)[] = [
  String,
  (number) => `0${number.toString(8)}`,
  (number) => `000${number.toString(8)}`,
  (number) => `0x${number.toString(16)}`,
  (number) => `0X000${number.toString(16).toUpperCase()}`,
  (number) => String(number).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
  (number) => String(number).replace(/\d/g, (digit) => `%3${digit}`),
];
const hex = (high: number, low: number) => ((high << 8) | low).toString(16);
/** IPv6 addresses that contain an IPv4 address, or are private. */
const six: readonly ((a: number, b: number, c: number, d: number) => string)[] = [
  (...bytes) => `[::ffff:${bytes.join('.')}]`,
  (a, b, c, d) => `[::ffff:${hex(a, b)}:${hex(c, d)}]`,
  (a, b, c, d) => `[0:0:0:0:0:FFFF:${hex(a, b)}:${hex(c, d)}]`,
  (...bytes) => `[::${bytes.join('.')}]`,
  (...bytes) => `[64:ff9b::${bytes.join('.')}]`,
  (a, b, c, d) => `[64:ff9b:1::${hex(a, b)}:${hex(c, d)}]`,
  (a, b, c, d) => `[2002:${hex(a, b)}:${hex(c, d)}::1]`,
  (a, b, c, d) => `[2001:0:808:808:0:0:${hex(255 - a, 255 - b)}:${hex(255 - c, 255 - d)}]`,
  (a, b, c, d) => `[fe80::${hex(a, b)}:${hex(c, d)}]`,
  (a, b, c, d) => `[fd00::${hex(a, b)}:${hex(c, d)}]`,
];
/** The last number may cover all remaining bytes. */
const four = fc
  .tuple(
    privateAddress,
    fc.array(fc.constantFrom(...notations), { minLength: 4, maxLength: 4 }),
    fc.integer({ min: 1, max: 4 }),
    fc.constantFrom('.', '。', '%2e'),
  )
  .map(([bytes, notation, parts, dot]) => {
    const own = bytes.slice(0, parts - 1);
    const last = bytes.slice(parts - 1).reduce((number, byte) => number * 256 + byte, 0);
    return [...own, last].map((number, index) => notation[index]?.(number)).join(dot);
  });
const host = fc.oneof(
  fc.tuple(four, fc.constantFrom('', '.')).map((parts) => parts.join('')),
  fc.tuple(privateAddress, fc.constantFrom(...six)).map(([bytes, write]) => write(...bytes)),
);

test('However an address of a private network is written, nothing connects to it, and no setting accepts it.', async () => {
  await fc.assert(
    fc.asyncProperty(host, fc.constantFrom('', 'me@', 'example.com@', 'example.com:443@'), async (written, before) => {
      const url = `https://${before}${written}/`;
      const code = before ? /_credentials$/ : /_private$/;
      expect(() => parseWebhookUrl(url)).toThrow(expect.objectContaining({ code: expect.stringMatching(code) }));
      expect(() => parseLogoUrl(url)).toThrow(expect.objectContaining({ code: expect.stringMatching(code) }));
      const signal = AbortSignal.timeout(5_000);
      expect(await postWebhook({ url, headers: {}, body: '{}' })).toMatchObject({ error: 'not_public' });
      await expect(fetchLogo(url, signal)).rejects.toThrow('not at a public address');
      expect(await framingAllowed(new URL(url), new URL('https://go.example.com/'), signal)).toBeUndefined();
    }),
    { numRuns: runs(300) },
  );
  expect(opened).toBe(0);
});
