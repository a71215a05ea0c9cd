import { rowsOfText } from '../../core/click/row.ts';
import { type Instant, instant, isWithin } from '../../runtime/instant.ts';
import type { Item } from '../table/client.ts';
import { tableTime } from '../table/clock.ts';
import { failedCondition, is, set } from '../table/expressions.ts';
import { number, text } from '../table/fields.ts';
import { tailEntryKey, tailEntryPartitions, toKey, workspaceOfTail } from '../table/keys.ts';
import { query } from '../table/reads.ts';
import { deleteItem, updateItem } from '../table/writes.ts';
import { readTail } from './tail.ts';

/**
 * Entries say which workspaces have a tail, and about how large it is. A function that writes tails writes a
 * workspace's entry at most every five minutes. So sealing only removes an entry that is older than ten, and looks at
 * the tail once more:
 *
 *     F   writes a piece, and the entry                      12:00
 *     S   seals the tail: it is empty; the entry is young, and stays
 *     F   writes a piece, and no entry                       12:04
 *     S   seals the tail; the entry is older than ten minutes, so no function relies on it any more: removes it
 *     S   looks at the tail, which is empty. If it were not, S would write the entry again
 *
 * The size is a hint, which may be wrong if a function died before it added what it had written. What is in the tail
 * decides.
 */

/** The entry of a workspace that has a tail. */
export type TailEntry = {
  readonly workspaceId: string;
  /** About how many bytes its pieces have. */
  readonly bytes: number;
  /** When its first click was, in ISO 8601. A click that came late may be older. */
  readonly since: string;
  /** When it was written last, by the table's clock, in milliseconds since 1970. */
  readonly at: number;
};

/** What a function writes to an entry. @property oldest when the oldest of the new clicks was, in ISO 8601 */
type Written = { readonly bytes: number; readonly oldest: string };

/**
 * How long a function relies on an entry that it has written, and how old one must be to be removed, in milliseconds.
 */
const believedMs = 5 * 60_000;
const removableMs = 2 * believedMs;

/** How many workspaces a function remembers. */
const mostRemembered = 10_000;

/** Notes what a function has added to a workspace's tail. Call it after that, and before the batch is done. */
type TailNotes = (workspaceId: string, written: Written) => Promise<void>;

/** A function's memory of the entries that it has written, and of what it has added to the tails since. */
export function tailNotes(): TailNotes {
  const noted = new Map<string, { at: Instant; bytes: number }>();
  return async (workspaceId, { bytes, oldest }) => {
    const now = instant();
    const known = noted.get(workspaceId);
    if (known && isWithin(believedMs, known.at, now)) {
      known.bytes += bytes;
      return;
    }
    await putEntry(workspaceId, { bytes: bytes + (known?.bytes ?? 0), oldest });
    if (noted.size >= mostRemembered) noted.clear();
    noted.set(workspaceId, { at: now, bytes: 0 });
  };
}

/** Makes an entry, or adds to it. A retry makes the entry's size too large. */
async function putEntry(workspaceId: string, { bytes, oldest }: Written): Promise<void> {
  const values = { ':bytes': bytes, ':since': oldest, ':at': tableTime() };
  const text = 'ADD #bytes :bytes SET #since = if_not_exists(#since, :since), #at = :at';
  await updateItem(tailEntryKey(workspaceId), { text, values });
}

/** All workspaces that have a tail, read consistently. */
export async function* tailsToSeal(): AsyncGenerator<TailEntry> {
  for (const partition of tailEntryPartitions) {
    for await (const item of query(partition)) yield toEntry(item);
  }
}

const toEntry = (item: Item): TailEntry => ({
  workspaceId: workspaceOfTail(toKey(item)),
  bytes: number(item, 'bytes'),
  since: text(item, 'since'),
  at: number(item, 'at'),
});

/**
 * Updates an entry from its tail, after pieces of it were sealed. If the tail is empty, the entry is removed, unless a
 * function may still rely on it. If somebody has written the entry meanwhile, it stays as it is.
 */
export async function settleTail(entry: TailEntry): Promise<void> {
  const { workspaceId, at } = entry;
  const isAsRead = is('at', at);
  const left = await sizeOf(workspaceId);
  if (left.bytes > 0 || tableTime() - at < removableMs) {
    const update = set({ bytes: left.bytes, since: left.oldest ?? new Date(at).toISOString() });
    await failedCondition(updateItem(tailEntryKey(workspaceId), update, isAsRead));
    return;
  }
  const failed = await failedCondition(deleteItem(tailEntryKey(workspaceId), isAsRead));
  // If there is no item, an attempt of this or of another run has removed it.
  if (failed?.items[0]) return;
  const late = await sizeOf(workspaceId);
  if (late.oldest !== undefined) await putEntry(workspaceId, { bytes: late.bytes, oldest: late.oldest });
}

/** How large a tail is, and when its oldest click was. */
async function sizeOf(workspaceId: string): Promise<{ readonly bytes: number; readonly oldest: string | undefined }> {
  let bytes = 0;
  let oldest: string | undefined;
  for await (const piece of readTail(workspaceId)) {
    bytes += piece.bytes;
    for (const { at } of rowsOfText(piece.text)) if (oldest === undefined || at < oldest) oldest = at;
  }
  return { bytes, oldest };
}
