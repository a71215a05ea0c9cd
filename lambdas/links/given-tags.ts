import type { ImportEntry, ImportTags } from '../core/link/import.ts';
import { type GivenTags, givenTags, type SentTags, type TagFields } from '../core/link/link-tags.ts';
import { foldTagName } from '../core/tag/tag.ts';
import { getTags, tagIdsByName } from '../store/tags/tags.ts';

/**
 * The ids of the tags that a request gives. One batch read if it gives names.
 *
 * @throws RequestError `tag_not_found` if a name is unknown; `validation_failed` if there are too many
 */
export const tagsGiven = async (workspaceId: string, { tagIds, tagNames }: SentTags, at: TagFields): Promise<GivenTags> =>
  givenTags({ tagIds, tagNames }, await tagIdsByName(workspaceId, (tagNames ?? []).map(foldTagName)), at);

/** Settings that give tags only by their ids, with the paths of the tags in the request, if it sets any. */
export type WithTagIds<S> = Omit<S, 'tagNames'> & { readonly tagPaths?: readonly string[] | undefined };

/**
 * The same for settings: `tagIds` and `tagNames` together are all tags of the link. Settings that already have
 * `tagPaths` are returned unchanged.
 *
 * @param path of the settings in the request.
 */
export async function withTagIds<S extends SentTags & WithTagIds<SentTags>>(
  workspaceId: string,
  sent: S,
  path = '',
): Promise<WithTagIds<S>> {
  const { tagNames, ...settings } = sent;
  if (sent.tagPaths || (sent.tagIds === undefined && tagNames === undefined)) return settings;
  const { tagIds, paths } = await tagsGiven(workspaceId, sent, { ids: `${path}/tagIds`, names: `${path}/tagNames` });
  return { ...settings, tagIds, tagPaths: paths } as WithTagIds<S>;
}

/**
 * The tags that the entries of an import name, by ids or names. Two batch reads for every 100 tags; none without tags.
 */
export async function tagsOfEntries(workspaceId: string, entries: readonly ImportEntry[]): Promise<ImportTags> {
  const names = entries.flatMap(({ tagNames = [] }) => tagNames.map(foldTagName));
  const idOf = await tagIdsByName(workspaceId, names);
  const ids = new Set([...entries.flatMap(({ tagIds = [] }) => tagIds), ...idOf.values()]);
  const tags = await getTags(workspaceId, [...ids]);
  return { idOf, byId: new Map(tags.map(({ id, name, color }) => [id, { id, name, color }])) };
}
