import { counted } from '../parts/time.ts';

// The texts of an export.

type What = 'links' | 'clicks';

/** What an export has written so far. */
export type Counts = {
  readonly count: number;
  /** How many links the exported clicks belong to. */
  readonly links: number;
};

const written = (what: What, { count, links }: Counts): string =>
  what === 'links' ? counted(count, 'link') : `${counted(count, 'click')} of ${counted(links, 'link')}`;

/** The progress of an export. The total is not known beforehand. */
export const progressText = (what: What, counts: Counts): string => `${written(what, counts)} so far`;

/** @param days for how many days clicks are kept */
export const keptText = (days: number): string => `Clicks are kept for ${counted(days, 'day')}, so the file has no older ones.`;

/** What an export has written, and for clicks from which time. */
export const doneText = (what: What, counts: Counts, days: number | undefined): string =>
  `${written(what, counts)}${what === 'clicks' && days !== undefined ? `, from the last ${counted(days, 'day')},` : ''} exported.`;
