/** The events that a workspace's webhook can subscribe to. */
export const webhookEvents = ['link.clicked', 'link.cap_reached', 'link.created', 'link.updated', 'link.deleted'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

/** What a request can set. */
export type WebhookSettings = {
  /** As `parseWebhookUrl` returns it. */
  readonly url: string;
  /** At least one, each once. */
  readonly events: readonly WebhookEvent[];
  /** Nothing is sent to a webhook that isn't. */
  readonly active: boolean;
};

/** A webhook of a workspace, as stored in the table. */
export type Webhook = WebhookSettings & {
  readonly id: string;
  readonly createdAt: string;
  /** How often it was changed, to detect concurrent changes. */
  readonly revision: number;
};

/** Whether a webhook needs clicks: those that it is told about, or those that use up a cap. */
export const needsClicks = ({ active, events }: Pick<Webhook, 'active' | 'events'>): boolean =>
  active && (events.includes('link.clicked') || events.includes('link.cap_reached'));
