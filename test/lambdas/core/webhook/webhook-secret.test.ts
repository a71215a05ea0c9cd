import fc from 'fast-check';
import { expect, test } from 'vitest';
import { secretsAtOnce } from '../../../../lambdas/core/limits.ts';
import { sorted } from '../../../../lambdas/core/list-order.ts';
import {
  rotatedSecrets,
  rotationMs,
  secretOrder,
  unexpiredSecrets,
  type WebhookSecret,
} from '../../../../lambdas/core/webhook/webhook-secret.ts';
import { runs } from '../../../support/run/proof.ts';

const start = 1_900_000_000_000;
const hour = 60 * 60 * 1_000;

/** Lets hours pass, and then rotates, or removes the secret at that place. */
const step = fc.record({ hours: fc.nat(30), ends: fc.option(fc.nat(5), { nil: undefined }) });

test('After any rotations, the newest secret does not expire, and older ones expire within 24 hours, never later than before.', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
      let now = start;
      let secrets: WebhookSecret[] = [];
      for (const [number, { hours, ends }] of steps.entries()) {
        now += hours * hour + 1;
        const before = unexpiredSecrets(secrets, now);
        if (ends !== undefined) {
          secrets = secrets.filter((_, index) => index !== ends);
          continue;
        }
        const rotate = () => rotatedSecrets(secrets, { id: `whs_${number}`, secret: `whsec_${number}` }, now);
        if (before.length >= secretsAtOnce) {
          expect(rotate).toThrow(expect.objectContaining({ code: 'secret_limit_reached' }));
          continue;
        }
        secrets = rotate();
        const [newest, ...older] = secrets;
        expect(newest).toEqual({
          id: `whs_${number}`,
          secret: `whsec_${number}`,
          createdAt: new Date(now).toISOString(),
          expiresAt: null,
        });
        expect(older.map(({ id, secret }) => [id, secret])).toEqual(before.map(({ id, secret }) => [id, secret]));
        for (const [index, { expiresAt }] of older.entries()) {
          const was = before[index]?.expiresAt;
          const latest = now + rotationMs;
          expect(Date.parse(expiresAt ?? '')).toBe(was ? Math.min(latest, Date.parse(was)) : latest);
        }
        expect(secrets.length).toBeLessThanOrEqual(secretsAtOnce);
      }
    }),
    { numRuns: runs(200) },
  );
});

test("Whatever clocks show, a webhook's secrets are listed in the order of their creation, and each expires 24 hours after the next.", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: -2_000, max: 2_000 }), { maxLength: secretsAtOnce }), (differences) => {
      let secrets: WebhookSecret[] = [];
      for (const [number, difference] of differences.entries())
        secrets = rotatedSecrets(secrets, { id: `whs_${number}`, secret: '' }, start + difference);
      const created = secrets.map(({ id, createdAt }) => ({ id, createdAt, expiresAt: null, webhookId: 'wh_1' }));
      expect(sorted(created, secretOrder)).toEqual(created);
      for (const [index, { expiresAt }] of secrets.slice(1).entries())
        expect(Date.parse(expiresAt ?? '') - Date.parse(secrets[index]?.createdAt ?? '')).toBe(rotationMs);
    }),
    { numRuns: runs(100) },
  );
});

test('A secret is valid until the millisecond at which it expires.', () => {
  const one = { expiresAt: new Date(start).toISOString() };
  expect(unexpiredSecrets([one, { expiresAt: null }], start - 1)).toHaveLength(2);
  expect(unexpiredSecrets([one, { expiresAt: null }], start)).toEqual([{ expiresAt: null }]);
});
