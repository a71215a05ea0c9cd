import * as z from 'zod/mini';
import type { WebhookSecret } from '../../core/webhook/webhook-secret.ts';
import { endpoint } from '../../http/endpoint.ts';
import { repeatableRequest } from '../../http/idempotency-key.ts';
import { reply } from '../../http/reply.ts';
import { executeInTransaction } from '../../store/idempotency/in-transaction.ts';
import { withRetryAdvice } from '../../store/idempotency/requests.ts';
import { rotateSecret, secretAgain } from '../../store/webhooks/secrets.ts';
import { newSecretView, secretView } from '../../views/webhook.ts';

export const body = z.strictObject({ webhookId: z.optional(z.nullable(z.string())) });

export const handler = endpoint({ body }, async ({ workspaceId, body, event }) => {
  const webhookId = body.webhookId ?? null;
  const request = repeatableRequest(event, 'create-webhook-secret');
  // The recorded result has no secret, which stays in one place.
  const kept = (secret: WebhookSecret) => secretView({ ...secret, webhookId });
  const outcome = await withRetryAdvice(request, () =>
    executeInTransaction(request, (recording) => rotateSecret(workspaceId, webhookId, recording), kept),
  );
  if ('made' in outcome) return reply(201, newSecretView(webhookId, outcome.made));
  return reply(201, { ...outcome.before, secret: await secretAgain(workspaceId, webhookId, outcome.before.id) });
});
