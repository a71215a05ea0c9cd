import * as z from 'zod/mini';
import { RequestError } from '../core/errors.ts';
import { tagsPerLink } from '../core/limits.ts';
import { foldTagName } from '../core/tag/tag.ts';
import { capitalised } from '../core/text.ts';
import { getTags, tagIdsByName } from '../store/tags/tags.ts';
import { tagIdList, tagMatch, tagNameList } from './fields.ts';
import { parameterRefused } from './parse-query.ts';
import { maxName } from './validation.ts';

/** The query parameters that choose links by their tags. */
export const tagFilter = {
  tagIds: z.optional(tagIdList),
  tagNames: z.optional(tagNameList),
  match: z.optional(tagMatch),
};

/** A tag that a query names: its id, and the parameter and the text that name it. */
type QueriedTag = { readonly id: string; readonly parameter: 'tagId' | 'tagIds' | 'tagNames'; readonly text: string };

/**
 * The tags that a query names; undefined if it names none. Ids are not checked. One batch read if there are names.
 *
 * @throws RequestError `tag_not_found` if a name is unknown; `validation_failed` if there are too many
 */
export async function queriedTags(
  workspaceId: string,
  { tagId, tagIds, tagNames }: { [parameter in QueriedTag['parameter']]?: string | readonly string[] | undefined },
): Promise<QueriedTag[] | undefined> {
  if (tagId === undefined && tagIds === undefined && tagNames === undefined) return undefined;
  const names = [tagNames ?? []].flat();
  const idOf = await tagIdsByName(workspaceId, names.map(foldTagName));
  const named = names.map((text): QueriedTag => {
    const id = idOf.get(foldTagName(text));
    if (id === undefined) throw unknownTag('tagNames', text);
    return { id, parameter: 'tagNames', text };
  });
  const byId = (['tagId', 'tagIds'] as const).flatMap((parameter) =>
    [{ tagId, tagIds }[parameter] ?? []].flat().map((id): QueriedTag => ({ id, parameter, text: id })),
  );
  const all = [...new Map([...named, ...byId].map((tag) => [tag.id, tag])).values()];
  if (all.length > tagsPerLink)
    throw parameterRefused('tagNames', 'too_many', `must have at most ${tagsPerLink} tags together with "tagIds"`);
  return all;
}

/**
 * The ids of the tags that a query names, those with the fewest links first. One batch read.
 *
 * @throws RequestError `tag_not_found` if one doesn't exist in the workspace
 */
export async function rarestFirst(workspaceId: string, queried: readonly QueriedTag[]): Promise<string[]> {
  const tags = await getTags(
    workspaceId,
    queried.map(({ id }) => id),
  );
  const found = new Set(tags.map(({ id }) => id));
  const unknown = queried.find(({ id }) => !found.has(id));
  if (unknown) throw unknownTag(unknown.parameter, unknown.text);
  return tags.toSorted((one, other) => one.linkCount - other.linkCount).map(({ id }) => id);
}

function unknownTag(parameter: QueriedTag['parameter'], text: string): RequestError {
  const name = text.slice(0, maxName).toWellFormed();
  const message = `the query parameter "${parameter}" names "${name}", which does not exist in this workspace`;
  const fieldErrors = [{ path: '', code: 'tag_not_found', message }];
  return new RequestError('tag_not_found', `${capitalised(message)}.`, { fieldErrors });
}
