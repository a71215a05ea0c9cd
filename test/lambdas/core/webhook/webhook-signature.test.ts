import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { newWebhookSecret, signWebhook, webhookHeaders } from '../../../../lambdas/core/webhook/webhook-signature.ts';
import { anyCharacter } from '../../../support/run/any-character.ts';

const now = () => Math.floor(Date.now() / 1000);
/** Any text, including lone surrogates, which aren't valid UTF-8. */
const text = fc.oneof(
  fc.json(),
  fc.string({ unit: anyCharacter }),
  fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units)),
);
const message = fc.record({
  id: fc.stringMatching(/^[\w-]{1,40}$/),
  timestamp: fc.integer({ min: -290, max: 290 }).map((from) => now() + from),
  body: text,
});
const secret = fc.uint8Array({ minLength: 32, maxLength: 32 }).map((bytes) => `whsec_${Buffer.from(bytes).toString('base64')}`);
const secrets = fc.array(secret, { minLength: 1, maxLength: 3 });

/** Verifies with the reference library, as a receiver with one of the secrets does. */
const verify = (secret: string, body: string, headers: Record<string, string>) =>
  new Webhook(secret).verify(body, headers, { jsonParse: false });

test('The reference library verifies each body with each of the secrets that sign, and with no other.', () => {
  fc.assert(
    fc.property(message, secrets, (message, secrets) => {
      const headers = webhookHeaders(message, secrets);
      for (const secret of secrets) expect(() => verify(secret, message.body, headers)).not.toThrow();
      expect(() => verify(newWebhookSecret(), message.body, headers)).toThrow('No matching signature');
    }),
  );
});

test('The signatures are those of the reference library, newest secret first.', () => {
  fc.assert(
    fc.property(message, secrets, (message, secrets) => {
      const { id, timestamp, body } = message;
      const theirs = secrets.map((secret) => new Webhook(secret).sign(id, new Date(timestamp * 1000), body));
      expect(signWebhook(message, secrets).split(' ')).toEqual(theirs);
    }),
  );
});

test('A webhook with a changed byte of the body, the id or the time is not verified.', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 200 }).map((bytes) => Buffer.from(bytes).toString('latin1'));
  fc.assert(
    fc.property(
      message,
      bytes,
      fc.nat(),
      fc.integer({ min: 1, max: 255 }),
      secret,
      ({ id, timestamp }, body, place, by, secret) => {
        const headers = webhookHeaders({ id, timestamp, body }, [secret]);
        const at = place % body.length;
        const changed = `${body.slice(0, at)}${String.fromCharCode(body.charCodeAt(at) ^ by)}${body.slice(at + 1)}`;
        expect(() => verify(secret, changed, headers)).toThrow('No matching signature');
        expect(() => verify(secret, body, { ...headers, 'webhook-id': `${id}x` })).toThrow('No matching signature');
        const later = String(timestamp + (by % 9) + 1);
        expect(() => verify(secret, body, { ...headers, 'webhook-timestamp': later })).toThrow('No matching signature');
      },
    ),
  );
});

test('A secret has 32 random bytes, and no two are the same.', () => {
  const made = Array.from({ length: 1_000 }, newWebhookSecret);
  expect(new Set(made).size).toBe(made.length);
  for (const secret of made) {
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
  }
});

test('A webhook has the three headers of the standard, its media type and its sender, and no others.', () => {
  const headers = webhookHeaders({ id: 'msg_1', timestamp: 1_700_000_000, body: '{}' }, [newWebhookSecret()]);
  expect(headers).toEqual({
    'content-type': 'application/json',
    'user-agent': 'links/1 (webhook)',
    'webhook-id': 'msg_1',
    'webhook-timestamp': '1700000000',
    'webhook-signature': expect.stringMatching(/^v1,[A-Za-z0-9+/]{43}=$/),
  });
});
