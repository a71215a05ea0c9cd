import type { Actor } from '../core/history/author.ts';
import type { HistoryEntry } from '../core/history/history.ts';
import { type Address, shortUrlOf } from '../core/link/link.ts';

/** The names of members by their ids. */
export type Names = ReadonlyMap<string, string>;

/** The name of a member whose item has been erased or has expired. */
const formerMember = 'former member';

/** The members whose names an entry shows. */
export const membersIn = ({ actor, subject }: HistoryEntry): string[] => [
  ...(actor.type === 'member' ? [actor.id] : []),
  ...(subject.type === 'member' ? [subject.id] : []),
];

const named = (actor: Actor, names: Names): Actor =>
  actor.type === 'member' ? { ...actor, name: names.get(actor.id) ?? formerMember } : actor;

/**
 * An entry of the history as the API returns it, with the address of its link, and with the current names of members,
 * which entries don't store.
 *
 * @param link its current state; undefined if it is gone, or if the entry is about something else.
 * @param origin of its short URL, with `{domain}` for the link's domain.
 */
export function entryView(
  { address, actor, subject, restoredAs, ...entry }: HistoryEntry,
  link: Address | undefined,
  origin: string,
  names: Names,
) {
  const known = link ?? address;
  return {
    ...entry,
    actor: named(actor, names),
    subject: { ...subject, ...(subject.type === 'member' && { name: names.get(subject.id) ?? formerMember }) },
    shortUrl: known ? shortUrlOf(known, origin) : null,
    ...(restoredAs !== undefined && { restoredAs }),
  };
}
