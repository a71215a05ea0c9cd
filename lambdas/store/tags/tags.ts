import { tagLoss } from '../../core/history/history.ts';
import { isTagId, newTagId } from '../../core/ids.ts';
import { tagsPerWorkspace } from '../../core/limits.ts';
import type { Tag } from '../../core/tag/tag.ts';
import { createNamed, deleteNamed, findNamed, type Kind, updateNamed } from '../names/unique-names.ts';
import { newSweep } from '../sweeps/sweeps.ts';
import type { Item } from '../table/client.ts';
import { number, text } from '../table/fields.ts';
import { sweepKey, tagKey, tagNameKey, tagsOf } from '../table/keys.ts';
import { getItems, query } from '../table/reads.ts';
import { putting } from '../table/writes.ts';

export const toTag = (item: Item): Tag => ({
  id: text(item, 'id'),
  name: text(item, 'name'),
  color: text(item, 'color'),
  createdAt: text(item, 'createdAt'),
  linkCount: number(item, 'linkCount'),
  revision: number(item, 'revision', 0),
});

const kind: Kind<Tag> = {
  what: 'tag',
  isId: isTagId,
  keyOf: tagKey,
  nameKeyOf: tagNameKey,
  read: toTag,
  most: tagsPerWorkspace,
};

/** Creates a tag. @throws RequestError `tag_name_taken`, `tag_limit_reached` */
export async function createTag(workspaceId: string, { name, color }: Pick<Tag, 'name' | 'color'>): Promise<Tag> {
  const tag: Tag = { id: newTagId(), name, color, createdAt: new Date().toISOString(), linkCount: 0, revision: 0 };
  return createNamed(kind, workspaceId, tag, tag);
}

export type TagChanges = Partial<Pick<Tag, 'name' | 'color'>>;

/**
 * Changes a tag's name and colour, both or neither, and returns the changed tag.
 *
 * @param asRead the tag as it was read, to change it only if it is still the same.
 * @throws RequestError `not_found`, `tag_name_taken`, `precondition_failed`
 */
export const updateTag = (workspaceId: string, id: string, changes: TagChanges, asRead?: Tag): Promise<Tag> =>
  updateNamed<Tag>(kind, workspaceId, id, changes, asRead);

/** The workspace's tag with that id; undefined if it has none. */
export async function getTag(workspaceId: string, id: string): Promise<Tag | undefined> {
  const item = await findNamed(kind, workspaceId, id);
  return item && toTag(item);
}

/** The workspace's tags with those ids, in that order. Tags that do not exist are left out. */
export async function getTags(workspaceId: string, ids: readonly string[]): Promise<Tag[]> {
  const items = await getItems(ids.filter(isTagId).map((id) => tagKey(workspaceId, id)));
  return items.filter((item) => item !== undefined).map(toTag);
}

/**
 * The ids of a workspace's tags by their folded names, without names that don't exist. Each batch read covers 100
 * names.
 */
export async function tagIdsByName(workspaceId: string, foldedNames: Iterable<string>): Promise<ReadonlyMap<string, string>> {
  const names = [...new Set(foldedNames)];
  const items = await getItems(names.map((name) => tagNameKey(workspaceId, name)));
  return new Map(names.flatMap((name, index) => (items[index] ? [[name, text(items[index], 'tagId')]] : [])));
}

/** All tags of a workspace, in arbitrary order. */
export async function listTags(workspaceId: string): Promise<Tag[]> {
  const parts = await Promise.all(tagsOf(workspaceId).map((part) => Array.fromAsync(query(part))));
  return parts.flat().map(toTag);
}

/**
 * Deletes a tag at once, however many links have it. Readers ignore tags that are gone. The sweep, which starts in the
 * same transaction, removes it from its links.
 *
 * @param asRead the tag as it was read, to delete it only if it is still the same.
 * @throws RequestError `not_found`, `precondition_failed`
 */
export const deleteTag = (workspaceId: string, id: string, asRead?: Tag): Promise<void> =>
  deleteNamed(kind, workspaceId, id, tagLoss, asRead, {
    sweep: putting(newSweep(sweepKey(id), id, { tagId: id, workspaceId }, new Date().toISOString())),
  });
