import type { Webhook } from '../core/webhook/webhook.ts';
import type { SecretDates, WebhookSecret } from '../core/webhook/webhook-secret.ts';

/** A webhook as the API returns it. */
export const webhookView = ({ id, url, events, active, createdAt }: Webhook) => ({
  id,
  url,
  events: [...events],
  active,
  createdAt,
});

/** A secret as lists show it, without the secret itself. */
export const secretView = ({ id, webhookId, createdAt, expiresAt }: SecretDates) => ({ id, webhookId, createdAt, expiresAt });

/** A secret with its value, as only the response that creates it shows it. */
export const newSecretView = (webhookId: string | null, secret: WebhookSecret) => ({
  ...secretView({ ...secret, webhookId }),
  secret: secret.secret,
});
