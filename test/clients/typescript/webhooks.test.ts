import fc from 'fast-check';
import { expect, test } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from '../../../clients/typescript/client.ts';
import { newWebhookSecret, webhookHeaders } from '../../../lambdas/core/webhook/webhook-signature.ts';
import { anyCharacter } from '../../support/run/any-character.ts';
import { runs } from '../../support/run/proof.ts';

const now = () => Math.floor(Date.now() / 1_000);
const event = (title: string) => ({
  type: 'link.updated',
  timestamp: '2030-01-01T00:00:00.000Z',
  data: { link: { id: 'lnk_1', title } },
});

/** The forms in which servers provide headers and bodies. */
const headerForms = [
  (headers: Record<string, string>) => new Headers(headers),
  (headers: Record<string, string>) => headers,
  (headers: Record<string, string>) => Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value]])),
] as const;
const bodyForms = [(body: string) => body, (body: string) => Buffer.from(body), (body: string) => new TextEncoder().encode(body)];

test('A webhook that the service signs with any of the secrets is verified in every form, and a changed one is refused.', () => {
  const secrets = [newWebhookSecret(), newWebhookSecret(), newWebhookSecret()];
  const some = fc.subarray(secrets, { minLength: 1 });
  const forms = fc.record({ header: fc.constantFrom(...headerForms), body: fc.constantFrom(...bodyForms) });
  fc.assert(
    fc.property(some, some, fc.string({ unit: anyCharacter }), forms, fc.nat(), (signing, known, title, form, index) => {
      const body = JSON.stringify(event(title.toWellFormed()));
      const headers = webhookHeaders({ id: 'dlv_1', timestamp: now(), body }, signing);
      const verify = (text: string) => verifyWebhook(known, form.header(headers), form.body(text));
      if (signing.some((one) => known.includes(one))) expect(verify(body)).toEqual(JSON.parse(body));
      else expect(() => verify(body)).toThrow(WebhookVerificationError);
      const at = index % body.length;
      const changed = `${body.slice(0, at)}${body[at] === 'x' ? 'y' : 'x'}${body.slice(at + 1)}`;
      expect(() => verify(changed)).toThrow(WebhookVerificationError);
    }),
    { numRuns: runs(20) },
  );
});

test('A webhook that is older than five minutes, from the future, or without a header is refused.', () => {
  const secret = newWebhookSecret();
  const body = JSON.stringify(event('A title'));
  const at = (timestamp: number) => webhookHeaders({ id: 'dlv_1', timestamp, body }, [secret]);
  for (const headers of [at(now() - 400), at(now() + 400), { ...at(now()), 'webhook-id': undefined }, {}]) {
    expect(() => verifyWebhook(secret, headers, body)).toThrow(WebhookVerificationError);
  }
  expect(() => verifyWebhook([], at(now()), body)).toThrow(WebhookVerificationError);
});

test('The type of an event determines the type of its data.', () => {
  const secret = newWebhookSecret();
  const body = JSON.stringify({ ...event('x'), type: 'link.clicked', data: { link: { id: 'l' }, click: { country: 'DE' } } });
  const verified = verifyWebhook(secret, webhookHeaders({ id: 'dlv_1', timestamp: now(), body }, [secret]), body);
  const country: string | undefined = verified.type === 'link.clicked' ? verified.data.click.country : undefined;
  // @ts-expect-error: only events of clicks have a click.
  expect(verified.data.click?.country).toBe(country);
  expect(country).toBe('DE');
});
