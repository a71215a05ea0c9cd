// Days that somebody chooses, such as `2026-10-26`. Which instants they stand for depends on a time zone.

/** Both are included. */
export type OwnDays = { readonly from: string; readonly to: string };

const dayMs = 24 * 60 * 60_000;

/** The number of days from one day to another, including both. @param from such as `2026-10-26` */
export const daysIn = ({ from, to }: OwnDays): number => Math.round((Date.parse(to) - Date.parse(from)) / dayMs) + 1;

const isDay = (text: string): boolean =>
  /^20\d\d-\d\d-\d\d$/.test(text) && new Date(`${text}T00:00Z`).toJSON()?.slice(0, 10) === text;

/** A range of days; undefined if a day does not exist, their order is wrong, or there are more than `most`. */
export function ownDays(from: string, to: string, most: number): OwnDays | undefined {
  if (!isDay(from) || !isDay(to)) return undefined;
  const days = daysIn({ from, to });
  return days >= 1 && days <= most ? { from, to } : undefined;
}

/** Days in an address, such as `2026-10-26..2026-11-24`; undefined if it has none. */
export function ownDaysIn(text: string, most: number): OwnDays | undefined {
  const [from = '', to = ''] = text.split('..');
  return ownDays(from, to, most);
}

export const writtenDays = ({ from, to }: OwnDays): string => `${from}..${to}`;
