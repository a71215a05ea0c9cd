/** The events that a workspace's webhook can subscribe to. */
export const webhookEvents = ['link.clicked', 'link.cap_reached', 'link.created', 'link.updated', 'link.deleted'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** What a request can set. */
export type WebhookSettings = {
  /** As `parseWebhookUrl` returns it. */
  readonly url: string;
  /** At least one, each once. */
  readonly events: readonly WebhookEvent[];
  /** Nothing is sent to an inactive webhook. */
  readonly active: boolean;
};

/** A webhook of a workspace, as stored in the table. */
export type Webhook = WebhookSettings & {
  readonly id: string;
  readonly createdAt: string;
  /** How often it was changed, to detect concurrent changes. */
  readonly revision: number;
};

/** Whether a webhook needs clicks: to report each of them, or the one that uses up a cap. */
export const needsClicks = ({ active, events }: Pick<Webhook, 'active' | 'events'>): boolean =>
  active && (events.includes('link.clicked') || events.includes('link.cap_reached'));
