import type { Dimension } from './click.ts';

// Clicks are counted by quarters of an hour in UTC, because every time zone's offset is a multiple of 15 minutes.

export const quarterMs = 15 * 60_000;
export const dayMs = 24 * 60 * 60_000;
export const quartersOfDay = dayMs / quarterMs;

/** The value of a dimension that stands for all values without a name. */
export const other = 'other';

/** How many clicks each value of a dimension has. */
export type ClickGroups = Partial<Record<Dimension, Map<string, number>>>;

/** The clicks of a link or a workspace on a day. */
export type Day = {
  /** In UTC, as in `2030-01-31`. */
  readonly day: string;
  readonly total: number;
  /** How many clicks each quarter has, counted from 0. Quarters without a click are missing. */
  readonly quarters: ReadonlyMap<number, number>;
  readonly groups: ClickGroups;
};

/** The day of a time in ISO 8601 in UTC. */
export const dayOfTime = (at: string): string => at.slice(0, 10);

/** The quarter of its day that a time is in, from 0 to 95. @param at in ISO 8601 in UTC */
export const quarterOfDay = (at: string): number => 4 * Number(at.slice(11, 13)) + Math.floor(Number(at.slice(14, 16)) / 15);
