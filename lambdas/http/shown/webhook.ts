import type { Webhook } from '../../core/webhook/webhook.ts';
import { statusOfUrl } from '../../store/webhooks/status.ts';
import { webhookView } from '../../views/webhook.ts';
import type { Shown } from '../entity-tag.ts';

/** A webhook as responses about a single webhook show it, with the status of its URL. Costs a read and a query. */
export const showWebhook =
  (workspaceId: string) =>
  async (webhook: Webhook): Promise<Shown> => {
    const { url: _, ...status } = await statusOfUrl(workspaceId, webhook.url);
    const settings = webhookView(webhook);
    return { body: { ...settings, status }, settings };
  };
