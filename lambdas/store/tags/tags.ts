import { notFound, preconditionFailed, RequestError } from '../../core/errors.ts';
import { tagLoss } from '../../core/history/history.ts';
import { isTagId, newTagId } from '../../core/ids.ts';
import { tagsPerWorkspace } from '../../core/limits.ts';
import { foldTagName, type Tag } from '../../core/tag/tag.ts';
import { recordingDeletion } from '../history/history.ts';
import { newSweep } from '../sweeps/sweeps.ts';
import { created, signed } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import { commit, type Writes } from '../table/commit.ts';
import { all, any, type Expression, is, isAbsent, isAtRevision, isPresent, lacks, plus, set } from '../table/expressions.ts';
import { number, text } from '../table/fields.ts';
import { type Key, sweepKey, tagKey, tagNameKey, tagsOf, workspaceKey } from '../table/keys.ts';
import { getItem, getItems, query } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { deleting, putting, updating } from '../table/writes.ts';

export const toTag = (item: Item): Tag => ({
  id: text(item, 'id'),
  name: text(item, 'name'),
  color: text(item, 'color'),
  createdAt: text(item, 'createdAt'),
  linkCount: number(item, 'linkCount'),
  revision: number(item, 'revision', 0),
});

/** A tag as stored. Its name was folded by the Unicode version of that time. */
type StoredTag = Tag & { readonly foldedName: string };

const toStoredTag = (item: Item): StoredTag => ({ ...toTag(item), foldedName: text(item, 'foldedName') });

const tagItem = (workspaceId: string, tag: StoredTag): Key & Item => ({ ...tagKey(workspaceId, tag.id), ...tag, ...created() });

/**
 * Creates a tag. The item of its name makes the name unique in the workspace, and the workspace's counter limits the
 * number of tags, however many requests arrive at once.
 *
 * @throws RequestError `tag_name_taken`, `tag_limit_reached`
 */
export async function createTag(workspaceId: string, { name, color }: Pick<Tag, 'name' | 'color'>): Promise<Tag> {
  const tag: Tag = { id: newTagId(), name, color, createdAt: new Date().toISOString(), linkCount: 0, revision: 0 };
  const foldedName = foldTagName(name);
  const hasRoom = any(lacks('tagCount'), { text: '#tagCount < :max', values: { ':max': tagsPerWorkspace } });
  const { failed, items } = await commit({
    name: putting({ ...tagNameKey(workspaceId, foldedName), tagId: tag.id }, isAbsent),
    tag: putting(tagItem(workspaceId, { ...tag, foldedName }), isAbsent),
    count: updating(workspaceKey(workspaceId), set({ tagCount: plus(1) }), all(isPresent, hasRoom)),
  });
  if (!failed) return tag;
  throw items.name
    ? nameTaken()
    : new RequestError('tag_limit_reached', `A workspace may have at most ${tagsPerWorkspace} tags.`);
}

export type TagChanges = Partial<Pick<Tag, 'name' | 'color'>>;

/**
 * Changes a tag's name and colour, both or neither, and returns the tag as it then is. A new name replaces the old one
 * in the same transaction, so that no two tags share a name and no tag lacks one.
 *
 * @param asRead the tag as it was read, to change it only if it is still the same.
 * @throws RequestError `not_found`, `tag_name_taken`, `precondition_failed`
 */
export function updateTag(workspaceId: string, id: string, changes: TagChanges, asRead?: Tag): Promise<Tag> {
  return retrying(async () => {
    const { foldedName, ...tag } = await readTag(workspaceId, id, asRead);
    if (Object.keys(changes).length === 0) return tag;
    const { failed, items } = await commit(changing(workspaceId, tag, foldedName, changes));
    if (!failed) return { ...tag, ...changes, revision: tag.revision + 1 };
    // If the tag has changed since it was read, the new name may already be its own.
    if (!items.tag && items.name && items.name.tagId !== id) throw nameTaken();
    return overtaken;
  });
}

/** Reads a tag to change it. @throws RequestError `not_found`, `precondition_failed` */
async function readTag(workspaceId: string, id: string, asRead: Tag | undefined): Promise<StoredTag> {
  const item = await findTag(workspaceId, id);
  if (!item) throw notFound('tag');
  const tag = toStoredTag(item);
  if (asRead && tag.revision !== asRead.revision) throw preconditionFailed();
  return tag;
}

/** The writes that change a tag as it was read, and its name if the new one folds differently. */
function changing(workspaceId: string, tag: Tag, oldName: string, changes: TagChanges): Writes {
  const { id } = tag;
  const newName = changes.name === undefined ? oldName : foldTagName(changes.name);
  const update = signed(set({ ...changes, foldedName: newName, revision: plus(1) }));
  return {
    tag: updating(tagKey(workspaceId, id), update, isAsRead(tag)),
    ...(newName !== oldName && {
      name: putting({ ...tagNameKey(workspaceId, newName), tagId: id }, isAbsent),
      oldName: deleting(tagNameKey(workspaceId, oldName), is('tagId', id)),
    }),
  };
}

/** The condition that a tag still exists, and that its name and colour have not changed. */
const isAsRead = ({ revision }: Tag): Expression => all(isPresent, isAtRevision(revision));

const nameTaken = () => new RequestError('tag_name_taken', 'The workspace already has a tag with that name.');

/** The workspace's tag with that id; undefined if it has none. */
export async function getTag(workspaceId: string, id: string): Promise<Tag | undefined> {
  const item = await findTag(workspaceId, id);
  return item && toTag(item);
}

/** Texts that aren't tag ids are not looked up: they may be too long for a key. */
const findTag = async (workspaceId: string, id: string): Promise<Item | undefined> =>
  isTagId(id) ? getItem(tagKey(workspaceId, id)) : undefined;

/** The workspace's tags with those ids, in that order. Tags that do not exist are left out. */
export async function getTags(workspaceId: string, ids: readonly string[]): Promise<Tag[]> {
  const items = await getItems(ids.filter(isTagId).map((id) => tagKey(workspaceId, id)));
  return items.filter((item) => item !== undefined).map(toTag);
}

/**
 * The ids of a workspace's tags by their folded names, as far as there are such tags. Each batch read covers 100 names.
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
export function deleteTag(workspaceId: string, id: string, asRead?: Tag): Promise<void> {
  return retrying(async () => {
    const tag = await readTag(workspaceId, id, asRead);
    const { failed } = await commit({
      tag: deleting(tagKey(workspaceId, id), isAsRead(tag)),
      name: deleting(tagNameKey(workspaceId, tag.foldedName), is('tagId', id)),
      count: updating(workspaceKey(workspaceId), set({ tagCount: plus(-1) }), isPresent),
      sweep: putting(newSweep(sweepKey(id), id, { tagId: id, workspaceId }, new Date().toISOString())),
      history: recordingDeletion({ workspaceId, action: 'tag.deleted', subjectId: id, changes: tagLoss(tag) }),
    });
    return failed ? overtaken : undefined;
  });
}
