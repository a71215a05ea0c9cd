import { isDeepStrictEqual } from 'node:util';
import { fieldRefused, fieldsRefused, RequestError, RuleError } from '../errors.ts';
import { tagsPerLink } from '../limits.ts';
import { foldTagName } from '../tag/tag.ts';

/** Tags as requests give them: by their ids and by their names. */
export type SentTags = {
  readonly tagIds?: readonly string[] | undefined;
  readonly tagNames?: readonly string[] | undefined;
};

/** The tags of a request, in order and without duplicates, and the JSON Pointer to each in the request. */
export type GivenTags = { readonly tagIds: readonly string[]; readonly paths: readonly string[] };

/** The JSON Pointers of the fields that give tags by their ids and by their names. */
export type TagFields = { readonly ids: string; readonly names: string };

/**
 * The tags that a request gives, those by their ids first.
 *
 * @param idOf the ids of the workspace's tags by their folded names.
 * @throws RequestError `tag_not_found` if a name is unknown; `validation_failed` if there are too many
 */
export function givenTags({ tagIds = [], tagNames = [] }: SentTags, idOf: ReadonlyMap<string, string>, at: TagFields): GivenTags {
  refuseUnknownNames(tagNames, idOf, at.names);
  const byId = tagIds.map((id, index) => [id, `${at.ids}/${index}`] as const);
  const byName = tagNames.map((name, index) => [idOf.get(foldTagName(name)) ?? '', `${at.names}/${index}`] as const);
  const pathOf = new Map<string, string>();
  for (const [id, path] of [...byId, ...byName]) if (!pathOf.has(id)) pathOf.set(id, path);
  if (pathOf.size > tagsPerLink) {
    const message = `must have at most ${tagsPerLink} entries together with "${at.ids.slice(at.ids.lastIndexOf('/') + 1)}"`;
    throw fieldRefused(at.names, new RuleError('too_many', message));
  }
  return { tagIds: [...pathOf.keys()], paths: [...pathOf.values()] };
}

function refuseUnknownNames(names: readonly string[], idOf: ReadonlyMap<string, string>, path: string): void {
  const fieldErrors = names.flatMap((name, index) =>
    idOf.has(foldTagName(name))
      ? []
      : { path: `${path}/${index}`, code: 'tag_not_found', message: `names "${name}", which does not exist in this workspace` },
  );
  const [first] = fieldErrors;
  if (first) throw new RequestError('tag_not_found', `${first.path} ${first.message}.`, { fieldErrors });
}

/** Tags to add to links, and to remove from them. */
export type TagEdits = { readonly added: readonly string[]; readonly removed: readonly string[] };

/**
 * The tags of a link after edits: those that it keeps, and then the new ones. Deleted tags are dropped too, but if
 * nothing else changes, the tags are returned unchanged.
 *
 * @param live the tags that exist.
 * @throws RequestError `validation_failed` if the link would have too many
 */
export function editedTags(
  tagIds: readonly string[],
  { added, removed }: TagEdits,
  live: ReadonlySet<string>,
): readonly string[] {
  const before = tagIds.filter((id) => live.has(id));
  const edited = [...new Set([...before.filter((id) => !removed.includes(id)), ...added])];
  if (edited.length > tagsPerLink)
    throw new RequestError('validation_failed', `The link would have more than ${tagsPerLink} tags.`);
  return isDeepStrictEqual(edited, before) ? tagIds : edited;
}

/** Refuses tags that are both added and removed. @throws RequestError `validation_failed` */
export function refuseContraryTags(added: GivenTags, removed: GivenTags): void {
  const fieldErrors = removed.tagIds.flatMap((id, index) =>
    added.tagIds.includes(id)
      ? { path: removed.paths[index] ?? '', code: 'not_together', message: 'must not be added as well' }
      : [],
  );
  if (fieldErrors.length > 0) throw fieldsRefused(fieldErrors);
}
