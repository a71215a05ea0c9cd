import { byCodeUnits, type ListOrder } from '../list-order.ts';

/** The events that a workspace's webhook can subscribe to. */
export const webhookEvents = ['link.clicked', 'link.cap_reached', 'link.created', 'link.updated', 'link.deleted'] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

export type WebhookSettings = {
  /** As `parseWebhookUrl` returns it. */
  readonly url: string;
  /** At least one, without duplicates. */
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

/** The URLs in a link's `webhookUrls`. */
export const urlsOf = (webhookUrls: string | null | undefined): string[] => webhookUrls?.split(',') ?? [];

/** What to do about a URL that redirects, in words. @param redirectsTo where to */
export const redirectAdvice = (redirectsTo: string): string => `It redirects to ${redirectsTo}: use that address.`;

/** Oldest first. */
export const webhookOrder: ListOrder<Pick<Webhook, 'id' | 'createdAt'>> = {
  positionOf: ({ createdAt, id }) => `${createdAt} ${id}`,
  compare: byCodeUnits,
};

/**
 * How far clocks may be apart, in milliseconds. The times of stream records are also rounded down, to a second or a
 * minute.
 */
const clockDifferenceMs = 5 * 60 * 1_000;

/**
 * Whether a webhook existed at the time of an event, and so may receive it. A reader that starts at the beginning of a
 * stream gets events that are up to a day old.
 *
 * @param at the stream's time, in ISO 8601.
 */
export const wasThere = ({ createdAt }: Pick<Webhook, 'createdAt'>, at: string): boolean =>
  Date.parse(at) >= Date.parse(createdAt) - clockDifferenceMs;

/** Whether a webhook needs clicks: to report each of them, or the one that uses up a cap. */
export const needsClicks = ({ active, events }: Pick<Webhook, 'active' | 'events'>): boolean =>
  active && (events.includes('link.clicked') || events.includes('link.cap_reached'));
