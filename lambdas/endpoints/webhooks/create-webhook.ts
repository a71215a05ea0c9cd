import * as z from 'zod/mini';
import { endpoint } from '../../http/endpoint.ts';
import { replyTagged } from '../../http/entity-tag.ts';
import * as field from '../../http/fields.ts';
import { repeatableRequest } from '../../http/idempotency-key.ts';
import { executeInTransaction } from '../../store/idempotency/in-transaction.ts';
import { withRetryAdvice } from '../../store/idempotency/requests.ts';
import { changeWebhooks } from '../../store/webhooks/interest.ts';
import { secretAgain } from '../../store/webhooks/secrets.ts';
import { statusOfUrl } from '../../store/webhooks/status.ts';
import { createWebhook, type NewWebhook } from '../../store/webhooks/webhooks.ts';
import { webhookView } from '../../views/webhook.ts';

export const body = z.strictObject({
  url: field.webhookUrl,
  events: field.webhookEvents,
  active: z.optional(z.boolean()),
});

/** The recorded result of a creation, without the secret, which stays in one place. */
const kept = ({ webhook, secret }: NewWebhook) => ({ webhook: webhookView(webhook), secretId: secret.id });

export const handler = endpoint({ body }, async ({ workspaceId, body, event }) => {
  const settings = { ...body, active: body.active ?? true };
  const request = repeatableRequest(event, 'create-webhook');
  const outcome = await withRetryAdvice(request, () =>
    changeWebhooks(workspaceId, () =>
      executeInTransaction(request, (recording) => createWebhook(workspaceId, settings, recording), kept),
    ),
  );
  const { webhook, secretId } = 'made' in outcome ? kept(outcome.made) : outcome.before;
  const secret = 'made' in outcome ? outcome.made.secret.secret : await secretAgain(workspaceId, webhook.id, secretId);
  const Location = `${event.requestContext.path}/${webhook.id}`;
  const { url: _, ...status } = await statusOfUrl(workspaceId, webhook.url);
  const shown = { ...webhook, status };
  return replyTagged(event, 201, { body: shown, settings: webhook }, { Location }, { ...shown, secret });
});
