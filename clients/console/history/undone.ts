import { sinceTime } from '../parts/time.ts';
import { isSame } from './undo.ts';
import type { Entry } from './words.ts';

// What has been undone, whether with Undo or by hand. Changes say it by themselves: a later one brings the values back.

/** An entry among those of all subjects. */
export const keyOf = ({ subject, id }: Entry): string => `${subject.id} ${id}`;

/**
 * When each of the changes was undone: the time of the later change after which every field had been as before once
 * more. A deletion says by itself what was made again.
 *
 * @param entries newest first; later changes that are not among them do not count.
 * @returns times, by `keyOf`
 */
export function undoneAt(entries: readonly Entry[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const all of Map.groupBy(entries, ({ subject }) => subject.id).values()) {
    for (const [index, entry] of all.entries()) {
      const at = entry.action === 'link.updated' ? timeOf(entry, all.slice(0, index)) : undefined;
      if (at !== undefined) found.set(keyOf(entry), at);
    }
  }
  return found;
}

function timeOf({ changes }: Entry, later: readonly Entry[]): string | undefined {
  const fields = Object.entries(changes).filter(([field]) => field !== 'password' && field !== 'aliases');
  if (fields.length === 0) return undefined;
  const times: string[] = [];
  for (const [field, { from }] of fields) {
    const back = later.findLast((one) => one.changes[field] !== undefined && isSame(field, one.changes[field].to, from));
    if (!back) return undefined;
    times.push(back.at);
  }
  return times.sort().at(-1);
}

/** When something was undone, in words. */
export function undoneText(at: string, now?: number): string {
  const time = sinceTime(at, now);
  return time.includes(',') ? `Undone on ${time}.` : `Undone at ${time}.`;
}
