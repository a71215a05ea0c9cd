import { newClickId } from './ids.ts';
import type { Link } from './link.ts';

/** What a click records about its visitor. Statistics are grouped by these. */
export const dimensions = ['country', 'referrer', 'device', 'browser', 'os', 'language', 'source'] as const;
export type Dimension = (typeof dimensions)[number];

/** The value of a dimension that cannot be told, or that the visitor does not want to be recorded. */
export const unknown = 'unknown';

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
} & Readonly<Record<Dimension, string>>;

/** @param now in milliseconds since 1970. */
export const newClick = (
  { id, workspaceId, clickEpoch }: Pick<Link, 'id' | 'workspaceId' | 'clickEpoch'>,
  now: number,
  visitor: Readonly<Record<Dimension, string>>,
): Click => ({
  ...visitor,
  id: newClickId(),
  linkId: id,
  workspaceId,
  at: new Date(now).toISOString(),
  epoch: clickEpoch,
});
