import type { Link } from '../link/link.ts';

/** What a click records about its visitor. Statistics are grouped by these. */
export const dimensions = ['country', 'referrer', 'device', 'browser', 'os', 'language', 'source', 'variant'] as const;
export type Dimension = (typeof dimensions)[number];

/**
 * What a click also records, for the rows that are kept for years (`row.ts`): the slug that was used, the path after it
 * if the link has `forwardPath`, and the UTM parameters of the short link's own query.
 */
export const addressDimensions = ['slug', 'path', 'utmSource', 'utmMedium', 'utmCampaign'] as const;
export type AddressDimension = (typeof addressDimensions)[number];

/** All dimensions of a click. */
export const rowDimensions = [...dimensions, ...addressDimensions] as const;
export type RowDimension = Dimension | AddressDimension;

/** How visitors reach a short link: directly, or by its QR code. */
export const sources = ['link', 'qr'] as const;

/** The value of a dimension that could not be determined, or that the visitor does not want to be recorded. */
export const unknown = 'unknown';

/** The value of a dimension that the visit does not have: no variant, no path after the slug, no UTM parameter. */
export const none = 'none';

/** The dimensions of a visitor about whom nothing is known. */
export const nothingKnown = Object.fromEntries(rowDimensions.map((dimension) => [dimension, unknown])) as Record<
  RowDimension,
  string
>;

/** A counted visit. */
export type Click = {
  readonly id: string;
  readonly linkId: string;
  readonly workspaceId: string;
  /** The host of the link's domain. */
  readonly host: string;
  /** When the visitor came, in ISO 8601. */
  readonly at: string;
  /** How often the link's clicks had been erased by then. */
  readonly epoch: number;
  /**
   * The hash that tells the visitor apart on this link and day (`visitor-hash.ts`), if the stage counts unique clicks.
   */
  readonly visitor?: string | undefined;
} & Readonly<Record<RowDimension, string>> &
  WebhookFields;

/** Present only on clicks that are reported to webhooks. The function that creates deliveries gets no others. */
export type WebhookFields = {
  readonly hooked?: true;
  /** The cap that this click used up: its generation and `maxClicks`, as in `1#100`. */
  readonly capReached?: string;
};

/**
 * The fields of a click for webhooks: none unless the link or its workspace has webhooks that need clicks.
 *
 * @param wantsClicks whether the workspace's webhooks need clicks, as the link's domain says.
 * @param claim the number of the visit's claim of the link's cap; undefined without a cap.
 */
export function webhookFields(
  { webhookUrls, capGeneration, maxClicks }: Pick<Link, 'webhookUrls' | 'capGeneration' | 'maxClicks'>,
  wantsClicks: boolean,
  claim: number | undefined,
): WebhookFields {
  if (!wantsClicks && webhookUrls === null) return {};
  return { hooked: true, ...(claim !== undefined && claim === maxClicks && { capReached: `${capGeneration}#${maxClicks}` }) };
}
