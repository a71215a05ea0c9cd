import { newClickId } from './ids.ts';
import type { Link } from './link.ts';

/** What a click records about its visitor. Statistics are grouped by these. */
export const dimensions = ['country', 'referrer', 'device', 'browser', 'os', 'language', 'source', 'variant'] as const;
export type Dimension = (typeof dimensions)[number];

/** The value of a dimension that cannot be told, or that the visitor does not want to be recorded. */
export const unknown = 'unknown';

/** The variant of a click that was not sent to one. */
export const none = 'none';

/** What a click records of a visitor about whom nothing is known. */
export const nothingKnown = Object.fromEntries(dimensions.map((dimension) => [dimension, unknown])) as Record<Dimension, string>;

/** A counted visit. */
export type Click = {
  readonly id: string;
  readonly linkId: string;
  readonly workspaceId: string;
  readonly at: string;
  /** How often the link's clicks had been erased. */
  readonly epoch: number;
} & Readonly<Record<Dimension, string>> &
  Hook;

/** What only a click has that webhooks are told about. Nobody looks at the others to tell webhooks. */
export type Hook = {
  readonly hooked?: true;
  /** The cap that this click used up: its epoch and `maxClicks`, as in `1#100`. */
  readonly capReached?: string;
};

/**
 * What a click has for webhooks: nothing unless the link or its workspace has any that need clicks.
 *
 * @param wantsClicks what the link's domain says of the workspace's webhooks.
 * @param turn the number of the turn that the visit took of the link's cap; undefined without a cap.
 */
export function hookOf(
  { webhookUrls, capEpoch, maxClicks }: Pick<Link, 'webhookUrls' | 'capEpoch' | 'maxClicks'>,
  wantsClicks: boolean,
  turn: number | undefined,
): Hook {
  if (!wantsClicks && webhookUrls === null) return {};
  return { hooked: true, ...(turn !== undefined && turn === maxClicks && { capReached: `${capEpoch}#${maxClicks}` }) };
}

/** @param now in milliseconds since 1970. */
export const newClick = (
  { id, workspaceId, clickEpoch }: Pick<Link, 'id' | 'workspaceId' | 'clickEpoch'>,
  now: number,
  visitor: Readonly<Record<Dimension, string>>,
  hook: Hook = {},
): Click => ({
  ...visitor,
  ...hook,
  id: newClickId(),
  linkId: id,
  workspaceId,
  at: new Date(now).toISOString(),
  epoch: clickEpoch,
});
