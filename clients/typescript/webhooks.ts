import { Webhook, WebhookVerificationError } from 'standardwebhooks';
import type { webhooks } from './openapi.ts';

export { WebhookVerificationError };

/**
 * The event that a webhook reports. Switch by its `type`; ignore types that you don't know, because new ones may be
 * added.
 */
export type WebhookEvent = webhooks[keyof webhooks]['post']['requestBody']['content']['application/json'];

/** Headers of a request, of the Fetch API or of Node's `http`. */
type RequestHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Returns the event of a webhook that the service has signed within the last five minutes.
 *
 * @param secrets the secret, or several during a rotation: one of them must match.
 * @param body the raw bytes of the request, or their text. JSON that was parsed and serialized again does not match.
 * @throws WebhookVerificationError if no secret matches, the time is too far off, or a header is missing.
 */
export function verifyWebhook(
  secrets: string | readonly string[],
  headers: RequestHeaders,
  body: string | Uint8Array,
): WebhookEvent {
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body);
  const all = headers instanceof Headers ? Object.fromEntries(headers) : headers;
  const single = Object.fromEntries(Object.entries(all).map(([name, value]) => [name, String(value ?? '')]));
  let refusal = new WebhookVerificationError('There is no secret to verify it with');
  for (const secret of [secrets].flat()) {
    try {
      return new Webhook(secret).verify(text, single) as WebhookEvent;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      refusal = error;
    }
  }
  throw refusal;
}
