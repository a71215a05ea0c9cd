import { newDelivery } from '../../../lambdas/core/webhook/delivery.ts';

let made = 0;

/** Stores a delivery as the stream's reader does, by default to a link's own URL. */
export async function makeDelivery(
  workspaceId: string,
  {
    linkId = null,
    webhookId = null,
    url = 'https://hooks.example.com/',
    body = '{"some":"thing"}',
    at = Date.parse('2030-01-02T03:04:05.678Z') + ++made,
  }: { linkId?: string | null; webhookId?: string | null; url?: string; body?: string; at?: number } = {},
) {
  const { addDelivery } = await import('../../../lambdas/store/webhooks/deliveries.ts');
  const event = { workspaceId, linkId, type: 'link.clicked', key: String(++made), body } as const;
  const delivery = newDelivery(event, { webhookId, url }, at);
  await addDelivery(delivery);
  return delivery;
}

/** The result of a failed attempt. */
export const failedAttempt = { at: '2030-01-02T03:04:05.678Z', status: 500, ms: 7, error: 'status_500', response: 'no' };
