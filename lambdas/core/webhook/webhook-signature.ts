import { createHmac, randomBytes } from 'node:crypto';

// Signatures of webhooks, version 1.0.0 of
// https://github.com/standard-webhooks/standard-webhooks/blob/main/spec/standard-webhooks.md

/** One attempt to deliver a webhook. */
export type WebhookMessage = {
  /** The same in each attempt. Without a dot, which separates it from the timestamp in what is signed. */
  readonly id: string;
  /**
   * When the attempt is made, in whole seconds since 1970. Each attempt has its own, because receivers refuse old ones.
   */
  readonly timestamp: number;
  /** The exact bytes that are sent. */
  readonly body: string;
};

const prefix = 'whsec_';

/** A new secret: `whsec_`, and 32 random bytes in base64. The specification allows 24 to 64 bytes. */
export const newWebhookSecret = (): string => `${prefix}${randomBytes(32).toString('base64')}`;

/**
 * The value of `webhook-signature`: for each secret `v1,` and the HMAC-SHA256 of `<id>.<timestamp>.<body>` in base64,
 * separated by spaces. A receiver needs only one that matches, so a replaced secret works as long as it is among them.
 *
 * @param secrets in the form of `newWebhookSecret`, newest first.
 */
export const signWebhook = ({ id, timestamp, body }: WebhookMessage, secrets: readonly string[]): string =>
  secrets
    .map((secret) => Buffer.from(secret.slice(prefix.length), 'base64'))
    .map((key) => `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`)
    .join(' ');

/** The headers of a webhook. @param secrets newest first. */
export const webhookHeaders = (message: WebhookMessage, secrets: readonly string[]): Record<string, string> => ({
  'content-type': 'application/json',
  'user-agent': 'links/1 (webhook)',
  'webhook-id': message.id,
  'webhook-timestamp': String(message.timestamp),
  'webhook-signature': signWebhook(message, secrets),
});
