import { counted } from '../parts/time.ts';

// What an export says about itself.

type What = 'links' | 'clicks';

/** What an export has written so far. */
export type Counts = {
  readonly count: number;
  /** Of clicks: how many links they are of. */
  readonly links: number;
};

const written = (what: What, { count, links }: Counts): string =>
  what === 'links' ? counted(count, 'link') : `${counted(count, 'click')} of ${counted(links, 'link')}`;

/** How far an export is. Nobody knows beforehand how much there is. */
export const progressText = (what: What, counts: Counts): string => `${written(what, counts)} so far`;

/** @param days for how many days clicks are kept */
export const keptText = (days: number): string => `Clicks are kept for ${counted(days, 'day')}, so the file has no older ones.`;

/** What an export has written, and for clicks from which time. */
export const doneText = (what: What, counts: Counts, days: number | undefined): string =>
  `${written(what, counts)}${what === 'clicks' && days !== undefined ? `, from the last ${counted(days, 'day')},` : ''} exported.`;
