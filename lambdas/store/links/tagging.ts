import { RequestError } from '../../core/errors.ts';
import type { Link } from '../../core/link/link.ts';
import type { Item } from '../table/client.ts';
import type { Writes } from '../table/commit.ts';
import { isPresent, plus, set } from '../table/expressions.ts';
import { text } from '../table/fields.ts';
import { type Key, pairKey, tagKey, toKey } from '../table/keys.ts';
import { deleting, putting, updating } from '../table/writes.ts';
import { getTags } from '../tags/tags.ts';

/** Says that a link has a tag. */
export type Pair = { readonly key: Key; readonly linkId: string; readonly workspaceId: string };

export const toPair = (item: Item): Pair => ({
  key: toKey(item),
  linkId: text(item, 'linkId'),
  workspaceId: text(item, 'workspaceId'),
});

const pairItem = (tagId: string, link: Link): Key & Item => ({
  ...pairKey(tagId, link),
  linkId: link.id,
  workspaceId: link.workspaceId,
});

/** The ids of those tags that exist. */
export const liveTags = async (workspaceId: string, tagIds: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set((await getTags(workspaceId, [...new Set(tagIds)])).map(({ id }) => id));

/**
 * @param paths where the request names each of the tags, as a JSON Pointer.
 * @throws RequestError `tag_not_found`
 */
export function refuseUnknownTags(tagIds: readonly string[], live: ReadonlySet<string>, paths: readonly string[] = []): void {
  const fieldErrors = tagIds.flatMap((tagId, index) => {
    const path = paths[index] ?? `/tagIds/${index}`;
    return live.has(tagId) ? [] : { path, code: 'tag_not_found', message: 'does not exist in this workspace' };
  });
  if (fieldErrors.length > 0) {
    throw new RequestError('tag_not_found', 'The tag does not exist in this workspace.', { fieldErrors });
  }
}

/** One link's part of a transaction: its own writes, and the tags that it gains and loses. */
export type TaggedChange = {
  readonly link: Link;
  /** The write of the link itself is named `link`. */
  readonly writes: Writes;
  readonly added: readonly string[];
  readonly removed: readonly string[];
};

/** A change that gives a link exactly these tags. */
export const changeTo = (link: Link, tagIds: readonly string[], writes: Writes): TaggedChange => ({
  link,
  writes,
  added: tagIds.filter((tagId) => !link.tagIds.includes(tagId)),
  removed: link.tagIds.filter((tagId) => !tagIds.includes(tagId)),
});

/**
 * The writes of several changes as one transaction: the links' own writes, their pairs, and the tags' counts, with one
 * update per tag. An added tag must exist. If a removed tag is gone, only its pair is deleted.
 *
 * @param live the tags that exist.
 * @returns the writes. Those of the links themselves are named by `linkWrite`.
 */
export function asTransaction(workspaceId: string, changes: readonly TaggedChange[], live: ReadonlySet<string>): Writes {
  const counts = new Map<string, number>();
  const count = (tagId: string, by: number) => counts.set(tagId, (counts.get(tagId) ?? 0) + by);
  for (const { added, removed } of changes) {
    for (const tagId of added) count(tagId, 1);
    for (const tagId of removed) if (live.has(tagId)) count(tagId, -1);
  }
  return Object.fromEntries([
    ...changes.flatMap(({ link, writes, added, removed }) => [
      ...Object.entries(writes).map(([name, write]) => [nameOf(link, name), write] as const),
      ...added.map((tagId) => [nameOf(link, tagId), putting(pairItem(tagId, link))] as const),
      ...removed.map((tagId) => [nameOf(link, tagId), deleting(pairKey(tagId, link))] as const),
    ]),
    ...[...counts].map(
      ([tagId, by]) => [tagId, updating(tagKey(workspaceId, tagId), set({ linkCount: plus(by) }), isPresent)] as const,
    ),
  ]);
}

const nameOf = ({ id }: Pick<Link, 'id'>, write: string): string => `${id} ${write}`;

/** What a transaction calls the write of a link itself. */
export const linkWrite = (link: Pick<Link, 'id'>): string => nameOf(link, 'link');

/**
 * Writes per transaction: DynamoDB's limit
 * (https://docs.aws.amazon.com/amazondynamodb/latest/APIReference/API_TransactWriteItems.html). A link that replaces
 * twenty tags with twenty others takes 81 of them: its own, 40 pairs and 40 counts.
 */
const mostWrites = 100;
/**
 * Links per transaction: this many of the largest links stay far below its limit of 4 MB, even if each is written as a
 * whole.
 */
const mostLinks = 50;

/** Splits changes into groups that each fit into one transaction. */
export function transactions(changes: readonly TaggedChange[]): TaggedChange[][] {
  const groups: TaggedChange[][] = [];
  let group: TaggedChange[] | undefined;
  let size = 0;
  let tags = new Set<string>();
  for (const change of changes) {
    const own = Object.values(change.writes).filter(Boolean).length + change.added.length + change.removed.length;
    const touched = [...change.added, ...change.removed];
    if (!group || group.length === mostLinks || size + own + new Set([...tags, ...touched]).size > mostWrites) {
      group = [];
      groups.push(group);
      size = 0;
      tags = new Set();
    }
    group.push(change);
    size += own;
    for (const tagId of touched) tags.add(tagId);
  }
  return groups;
}
