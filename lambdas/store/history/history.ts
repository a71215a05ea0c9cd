import { type Author, authorIn, authorText } from '../../core/history/author.ts';
import {
  type Action,
  actions,
  type Changes,
  type HistoryEntry,
  lostAddress,
  lostFields,
  type SubjectType,
  subjectTypes,
} from '../../core/history/history.ts';
import { newEntryId } from '../../core/ids.ts';
import type { Address } from '../../core/link/link.ts';
import { locationInId } from '../../core/link/location.ts';
import { currentAuthor } from '../../runtime/author.ts';
import { backOff } from '../../runtime/deadline.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { setting } from '../../runtime/settings.ts';
import type { Item } from '../table/client.ts';
import { tableTime } from '../table/clock.ts';
import { isKept } from '../table/expiry.ts';
import { all, is, isPresent, lacks, set } from '../table/expressions.ts';
import { maybeMap, maybeText, number, oneOf, text } from '../table/fields.ts';
import {
  actorAt,
  anyEntry,
  historyIndex,
  historyIndexes,
  historyKey,
  historySortKey,
  indexed,
  isHistoryPosition,
  type Key,
  lastHistoryPosition,
  linkKeyOf,
  toKey,
} from '../table/keys.ts';
import { inOneOrder, type PageRange, pageOf } from '../table/list-pages.ts';
import { chunks, getItem, getItems, query } from '../table/reads.ts';
import { insertItems, putting, updating, type Write } from '../table/writes.ts';

/**
 * The history: what was changed, by whom and when. Updates reach it through the stream of Links (see
 * `streams/recorded-changes.ts`), so requests take no longer. An entry's key follows from the record of the change: if
 * that is delivered again, it is the same entry. The stream does not say who deleted a tag, template or domain, so the
 * deletion writes its entry in its own transaction; a link's creation isn't an entry, because the link says who made
 * it, when and how.
 */

/** A change that the history records, and where it belongs. */
export type Happening = {
  readonly workspaceId: string;
  readonly at: string;
  readonly author: Author;
  readonly action: Action;
  /** The id of the subject in the API. */
  readonly subjectId: string;
  /** What the subject's partition is named after, if that is not its id. */
  readonly partition?: string;
  readonly changes: Changes;
  /** The address of a link after its change. For a deleted one, `changes` has it. */
  readonly address?: Address;
  /** Facts about the creation of a link that is gone. */
  readonly creation?: Creation;
  /** When the operator disabled a link that is gone; null if they did not. Only the operator sees it. */
  readonly disabledAt?: string | null;
  /** The revision of a template that is gone. Its restoration continues from there. */
  readonly revision?: number;
};

/**
 * Who created a link, tag or template, and when; and with which request a link was created. The history derives the
 * entry of a link's creation from it.
 */
export type Creation = {
  readonly createdAt: string;
  readonly createdBy: string;
  readonly requestId: string | null;
  /** The deleted link that it was made from again. */
  readonly restoredFrom: string | undefined;
};

/** The facts about a link's creation, from its item. An import's links have the import's id in their creation marks. */
export const creationIn = (item: Item): Creation => ({
  createdAt: text(item, 'createdAt'),
  createdBy: text(item, 'createdBy'),
  requestId: text(item, 'creationMark').split('#')[0] ?? null,
  restoredFrom: maybeText(item, 'restoredFrom'),
});

/** How long an entry is kept, in seconds; 0 if the history is off. */
const keptSeconds = (): number => Number(setting('HISTORY_DAYS')) * 24 * 60 * 60;

/** The item of an entry. @param position in the order of the subject's changes */
export function entryItem({ partition, creation, author, ...happening }: Happening, position: string): Key & Item {
  const { workspaceId, at, subjectId } = happening;
  const { actor } = author;
  return {
    ...historyKey(partition ?? subjectId, position),
    ...indexed(historyIndex(workspaceId, subjectId), historySortKey(at, position, actor.id ?? actor.type)),
    ...happening,
    by: authorText(author),
    ...(creation && {
      creation: { ...creation, restoredFrom: creation.restoredFrom ?? null },
    }),
    ttl: Math.ceil(Date.parse(at) / 1_000) + keptSeconds(),
  };
}

/**
 * The write that records a deletion, as a part of its transaction: the stream would not say who deleted. No write if
 * the history is off.
 */
export function recordingDeletion(happening: Omit<Happening, 'at' | 'author'>): Write | undefined {
  if (keptSeconds() === 0) return undefined;
  const at = new Date(tableTime()).toISOString();
  return putting(entryItem({ ...happening, at, author: currentAuthor() }, lastHistoryPosition(newEntryId())));
}

/** How many entries one call inserts, which is DynamoDB's limit, and how many calls run at a time. */
const batchSize = 25;
const concurrency = 8;

/** Writes entries. Those that exist stay as they are. @throws RequestError `temporarily_unavailable` */
export async function insertEntries(items: readonly (Key & Item)[]): Promise<void> {
  // One call accepts each key only once.
  let left = [...new Map(items.map((item) => [`${item.pk}\n${item.sk}`, item])).values()];
  for (let attempt = 0; left.length > 0; attempt++) {
    if (attempt > 0) await backOff(attempt);
    const inserts = (await inParallel(chunks(left, batchSize), concurrency, insertItems)).flat();
    left = left.filter((_, index) => inserts[index] === 'busy' || inserts[index] === 'unknown');
  }
}

const idPrefix = 'his_';

/** An entry's id: its position, without the zeros in front of the sequence number. */
const idOf = (position: string): string => `${idPrefix}${position.replace(/^(\d{17})0+(?=.)/, '$1')}`;

/** The position that an entry's id names; undefined if the text isn't the id of an entry that is stored. */
function positionOf(id: string): string | undefined {
  const [, label = '', number = '', deletion] = /^his_(?:(\d{17})([1-9]\d*)|(D\w*))$/.exec(id) ?? [];
  const position = deletion ?? label + number.padStart(40, '0');
  return isHistoryPosition(position) ? position : undefined;
}

const typeOf = (action: Action): SubjectType => subjectTypes.find((type) => action.startsWith(`${type}.`)) ?? 'link';

function toEntry(item: Item): HistoryEntry {
  const action = oneOf(item, 'action', actions);
  const { actor, requestId } = authorIn(text(item, 'by'));
  const changes = changesIn(item);
  return {
    id: idOf(toKey(item).sk),
    at: text(item, 'at'),
    actor,
    requestId,
    action,
    subject: { type: typeOf(action), id: text(item, 'subjectId') },
    changes,
    address: addressIn(item, changes),
    restoredAs: maybeText(item, 'restoredAs'),
  };
}

const changesIn = (item: Item): Changes => Object.fromEntries(Object.entries(maybeMap(item, 'changes') ?? {})) as Changes;

function addressIn(item: Item, changes: Changes): Address | undefined {
  const map = maybeMap(item, 'address');
  return map ? addressOf(map) : lostAddress(changes);
}

const addressOf = (item: Item): Address => ({ domain: text(item, 'domain'), shortCode: text(item, 'shortCode') });

/** A link's creation as an entry, which is not stored. */
const creationEntry = (
  linkId: string,
  { createdAt, createdBy, requestId, restoredFrom }: Creation,
  address: Address | undefined,
): HistoryEntry => ({
  id: `${idPrefix}0`,
  at: createdAt,
  actor: authorIn(createdBy).actor,
  requestId,
  action: 'link.created',
  subject: { type: 'link', id: linkId },
  changes: restoredFrom === undefined ? {} : { restoredFrom: { from: null, to: restoredFrom } },
  address,
});

/** A page of a list of entries, and the position where the next one begins; undefined on the last page. */
type HistoryPage = { readonly entries: readonly HistoryEntry[]; readonly next: string | undefined };

/** A page of a link's history, and the link's address if it is still there. */
type LinkHistoryPage = HistoryPage & { readonly address: Address | undefined };

/**
 * The history of a workspace's link, newest first; its creation comes last. Undefined if nothing is known of such a
 * link: it never was in this workspace, or was deleted longer ago than entries are kept.
 *
 * @param externalId that the link must still have, if it was found by that.
 */
export async function linkHistory(
  workspaceId: string,
  linkId: string,
  { limit, after: before, externalId }: PageRange & { readonly externalId?: string | undefined },
): Promise<LinkHistoryPage | undefined> {
  if (locationInId(linkId) === undefined) return undefined;
  const item = await getItem(linkKeyOf(linkId));
  const isThere = item?.id === linkId;
  if (isThere && item.workspaceId !== workspaceId) return undefined;
  if (externalId !== undefined && !(isThere && item.externalId === externalId)) return undefined;
  const from = { pk: historyKey(linkId, '').pk, between: anyEntry };
  const after = before === undefined ? undefined : historyKey(linkId, before);
  const found = await Array.fromAsync(query(from, { after, backwards: true, limit }));
  const address = isThere ? addressOf(item) : undefined;
  let creation = isThere ? creationIn(item) : undefined;
  let lastKnown: Address | undefined;
  if (!creation) {
    const [newest] = before === undefined ? found : await Array.fromAsync(query(from, { backwards: true, limit: 1 }));
    if (newest?.workspaceId !== workspaceId || !isKept(newest)) return undefined;
    creation = toCreation(newest);
    lastKnown = addressIn(newest, changesIn(newest));
  }
  const entries = found.filter((one) => isKept(one)).map(toEntry);
  const last = found.at(-1);
  if (last && found.length === limit) return { entries, next: toKey(last).sk, address };
  if (creation) entries.push(creationEntry(linkId, creation, lastKnown));
  return { entries, next: undefined, address };
}

/** The facts about a creation in the entry of a deletion. */
function toCreation(item: Item): Creation | undefined {
  const map = maybeMap(item, 'creation');
  return (
    map && {
      createdAt: text(map, 'createdAt'),
      createdBy: text(map, 'createdBy'),
      requestId: maybeText(map, 'requestId') ?? null,
      restoredFrom: maybeText(map, 'restoredFrom'),
    }
  );
}

/** An entry, and the fields that later entries changed again. */
export type FoundEntry = { readonly entry: HistoryEntry; readonly changedSince: ReadonlySet<string> };

/**
 * An entry of a link's history by its id, with what was changed since. Undefined if there is none, or a text isn't such
 * an id. A change is recorded a moment after it was made.
 */
export async function findEntry(workspaceId: string, linkId: string, entryId: string): Promise<FoundEntry | undefined> {
  const position = locationInId(linkId) === undefined ? undefined : positionOf(entryId);
  if (position === undefined) return undefined;
  const from = { pk: historyKey(linkId, '').pk, between: [position, anyEntry[1]] } as const;
  const [item, ...later] = await Array.fromAsync(query(from));
  if (!item || toKey(item).sk !== position || item.workspaceId !== workspaceId || !isKept(item)) return undefined;
  // A link with later changes than its deletion is in a table that was restored. The deletion changed no field of it.
  const updates = later.filter(({ action }) => action === 'link.updated');
  return { entry: toEntry(item), changedSince: new Set(updates.flatMap((update) => Object.keys(changesIn(update)))) };
}

/** The entry of a deletion, by the ids of both. */
export type DeletionEntry = { readonly subjectId: string; readonly entryId: string };

const keyOfEntry = ({ subjectId, entryId }: DeletionEntry): Key => historyKey(subjectId, positionOf(entryId) ?? '');

/**
 * What the entry of a deletion stores besides what it shows: when the operator had disabled the link, and as what it
 * was restored.
 */
export async function findDeletion(entry: DeletionEntry) {
  const item = (await getItem(keyOfEntry(entry))) ?? {};
  return { disabledAt: maybeText(item, 'disabledAt') ?? null, restoredAs: maybeText(item, 'restoredAs') };
}

/**
 * The entry of a deletion, with everything that restoring needs. Undefined if there is no such entry. Its action may be
 * another one.
 */
export async function findLoss(workspaceId: string, entry: DeletionEntry) {
  const item = positionOf(entry.entryId) === undefined ? undefined : await getItem(keyOfEntry(entry));
  if (!item || item.workspaceId !== workspaceId || !isKept(item)) return undefined;
  const { action, at, changes, restoredAs } = toEntry(item);
  const { createdAt, createdBy } = toCreation(item) ?? { createdAt: at, createdBy: text(item, 'by') };
  const revision = number(item, 'revision', 0);
  return { action, restoredAs, lost: lostFields(changes), creation: { createdAt, createdBy }, revision };
}

/** Whether something has a deletion that was not undone. */
export async function hasOpenDeletion(subjectId: string): Promise<boolean> {
  const [first, last] = [lastHistoryPosition(''), anyEntry[1]];
  const deletions = await Array.fromAsync(query({ pk: historyKey(subjectId, '').pk, between: [first, last] }));
  return deletions.some((item) => isKept(item) && item.restoredAs === undefined);
}

/**
 * The write that marks a deletion as undone. It fails if the mark has changed since it was read, so a deletion is
 * undone once.
 *
 * @param lost what the mark named when it was read, if that does not exist; undefined if there was no mark.
 */
export const markingRestored = (entry: DeletionEntry, restoredAs: string, lost: string | undefined): Write =>
  updating(
    keyOfEntry(entry),
    set({ restoredAs }),
    all(isPresent, lost === undefined ? lacks('restoredAs') : is('restoredAs', lost)),
  );

/** Whether the newest entry of a link is its deletion. It is recorded a moment after the link is gone. */
export async function hasDeletionEntry(linkId: string): Promise<boolean> {
  const from = { pk: historyKey(linkId, '').pk, between: anyEntry };
  const [newest] = await Array.fromAsync(query(from, { backwards: true, limit: 1 }));
  return newest !== undefined && isKept(newest) && newest.action === 'link.deleted';
}

/** What part of a workspace's history to list: changes by an actor, of times from `from` on and before `to`. */
type HistoryFilter = {
  /** The id of a key, or `operator`. */
  readonly actor?: string | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
};

/** The most entries of the index that a page looks at. It only looks at that many if few are by the actor. */
const mostLookedAt = 5_000;

/**
 * The history of all subjects of a workspace, newest first. Of creations, only those of keys and members are in it:
 * lists of links are sorted by creation anyway. The index lags a moment behind.
 *
 * @returns the entries; fewer than `limit` if the page has looked at `mostLookedAt` entries of the index.
 */
export async function workspaceHistory(
  workspaceId: string,
  { actor, from = '', to }: HistoryFilter,
  { limit, after: before }: PageRange,
): Promise<HistoryPage> {
  const partitions = historyIndexes(workspaceId).map((gsi1pk) =>
    query({ gsi1pk, of: 'Activity', before: before ?? to }, { backwards: true, pageSize: Math.ceil(limit / 4) }),
  );
  const read = async (entries: readonly Item[]) =>
    (await getItems(entries.map(toKey))).map((item) => (item && isKept(item) ? toEntry(item) : null));
  const mayShow = (position: string) => actor === undefined || actorAt(position) === actor;
  const { shown, next } = await pageOf(since(from, inOneOrder(partitions, 'gsi1sk')), limit, read, {
    most: mostLookedAt,
    mayShow,
  });
  return { entries: shown.filter((entry) => entry !== null), next };
}

/** Entries, newest first, of a time and later. */
async function* since(from: string, entries: AsyncGenerator<Item>): AsyncGenerator<Item> {
  for await (const entry of entries) {
    if (text(entry, 'gsi1sk') < from) return;
    yield entry;
  }
}
