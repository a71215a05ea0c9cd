import type { HistoryEntry } from '../core/history/history.ts';
import { type Address, shortUrlOf } from '../core/link/link.ts';

/**
 * An entry of the history as the API returns it, with the address of its link.
 *
 * @param link as it is now; undefined if it is gone, or if the entry is about something else.
 * @param origin of its short URL, with `{domain}` for the link's domain.
 */
export function entryView({ address, ...entry }: HistoryEntry, link: Address | undefined, origin: string) {
  const known = link ?? address;
  return { ...entry, shortUrl: known ? shortUrlOf(known, origin) : null };
}
