import { orNotFound, preconditionFailed } from '../../core/errors.ts';
import { newChangeToken } from '../../core/ids.ts';
import { type SlugChange, withoutAlias, withSlug } from '../../core/link/aliases.ts';
import type { Link, LinkSettings } from '../../core/link/link.ts';
import { editedTags, type TagEdits } from '../../core/link/link-tags.ts';
import { commitPlain } from '../table/commit.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { findEarlierChange } from './change-tokens.ts';
import { type Change, settingsChange, shownSlugs } from './change-writes.ts';
import { type FoundLink, getLink, toLink } from './links.ts';
import { asTransaction, linkWrite, liveTags, refuseUnknownTags } from './tagging.ts';

/**
 * How a link is changed, while others change it:
 *
 * 1. The writes of a change follow from the link as it was read (`change-writes.ts`). Their condition is that what the
 *    change depends on has not changed since, and that the change was not made yet (`change-tokens.ts`).
 * 2. If the condition fails because an earlier attempt made the change, the change is done.
 * 3. If it fails for another reason, the link is read again, and the change starts over with the link as it now is.
 *
 * For example, A sets the tags of a link to X and Y, while B sets them to X and Z:
 *
 *     A   reads the link: its tag is X
 *     B   reads the link: its tag is X
 *     B   transaction: tags X, Z; adds the pair of Z, and counts it for Z               if the tags are X
 *     A   transaction: tags X, Y; adds the pair of Y, and counts it for Y               if the tags are X: refused
 *     A   reads the link again: its tags are X and Z, and A's token isn't there
 *     A   transaction: tags X, Y; adds the pair of Y, removes that of Z, counts both    if the tags are X, Z
 *
 * A function that dies in between leaves nothing behind: each change is one write, or one transaction.
 */

/** The fields to change. Absent fields stay as they are; null clears a field. */
export type LinkChanges = Partial<LinkSettings>;

/** Changes, also of the link's slugs. */
export type LinkEdits = LinkChanges & {
  /** The slug to show. The former one becomes an alias. */
  readonly customSlug?: string | undefined;
  /** The alias to remove. */
  readonly removedAlias?: string | undefined;
  /** Tags to add and to remove, instead of `tagIds`. */
  readonly tagEdits?: TagEdits | undefined;
  /** Where the request names each of the tags, as a JSON Pointer. */
  readonly tagPaths?: readonly string[] | undefined;
};

type Options = Partial<Pick<Change, 'asRead' | 'changeToken'>>;

/** How long a change that conflicts with others is retried, in milliseconds. */
const changeBudget = 8_000;

/**
 * Applies changes to a link, all or none, and returns the changed link. A conflict with a concurrent change is retried
 * with the current link.
 *
 * @throws RequestError `not_found`, `tag_not_found`, `slug_taken`, `slug_in_use`, `alias_limit_reached`,
 *   `external_id_taken`, `precondition_failed`; `temporarily_unavailable` if time ran out, or if it cannot tell whether
 *   the change was made
 */
export function updateLink(
  found: FoundLink,
  edits: LinkEdits,
  { asRead = false, changeToken = newChangeToken() }: Options = {},
): Promise<FoundLink> {
  let isAmbiguous = false;
  return withCurrentLink(found, asRead, async (current) => {
    const { id, workspaceId } = current.link;
    const { changes, slugs, live } = await changesOf(current.link, edits);
    if (!slugs && Object.keys(changes).length === 0) return current;
    const part = await settingsChange({ ...current, changes, slugs, asRead, changeToken });
    if (part === overtaken) return overtaken;
    const { failed, items } = await commitPlain(asTransaction(workspaceId, [part], live));
    const item = items[linkWrite(current.link)];
    if (failed) {
      isAmbiguous ||= failed.isAmbiguous;
      const there = findEarlierChange(item, { asRead: found.link, changeToken, isAmbiguous });
      return there ? { ...current, link: there } : overtaken;
    }
    // Another request may have changed other fields. If the link is gone by now, it was deleted after this update.
    const link = item ? toLink(item) : (await getLink(workspaceId, id))?.link;
    return { ...current, link: link ?? { ...current.link, ...changes, ...shownSlugs(slugs) } };
  });
}

/**
 * Refuses edits that `updateLink` would now refuse with `asRead`, and writes nothing.
 *
 * @throws RequestError, as `updateLink` does
 */
export async function checkEdits(found: FoundLink, edits: LinkEdits): Promise<void> {
  const { customSlug: _, removedAlias: __, tagEdits: ___, tagPaths, ...changes } = edits;
  const slugs = slugChange(found.link, edits);
  const { tagIds = [] } = changes;
  if (tagIds.length > 0) refuseUnknownTags(tagIds, await liveTags(found.link.workspaceId, tagIds), tagPaths);
  const part = await settingsChange({ ...found, changes, slugs, changeToken: newChangeToken() });
  if (part === overtaken) throw preconditionFailed();
}

/**
 * Makes a change whose conditions depend on the link as it was read. If it is overtaken, it is retried with the current
 * link.
 *
 * @param asRead fails instead if the link's settings have changed.
 * @throws RequestError `not_found`, `precondition_failed`, `temporarily_unavailable`, and whatever `change` throws
 */
export function withCurrentLink<T>(
  found: FoundLink,
  asRead: boolean,
  change: (current: FoundLink) => Promise<T | typeof overtaken>,
): Promise<T> {
  const { id, workspaceId, revision } = found.link;
  let known: FoundLink | undefined = found;
  return retrying(async () => {
    const current = known ?? orNotFound(await getLink(workspaceId, id), 'link');
    known = undefined;
    if (asRead && current.link.revision !== revision) throw preconditionFailed();
    return change(current);
  }, changeBudget);
}

/**
 * The settings that edits change, how the link's slugs change, and which of the tags exist.
 *
 * @throws RequestError `tag_not_found`, `validation_failed`, and as `slugChange` does
 */
async function changesOf(link: Link, edits: LinkEdits) {
  const { customSlug: _, removedAlias: __, tagEdits, tagPaths, ...sent } = edits;
  const slugs = slugChange(link, edits);
  const wanted = tagEdits?.added ?? sent.tagIds;
  const live = wanted ? await liveTags(link.workspaceId, [...link.tagIds, ...wanted]) : new Set<string>();
  refuseUnknownTags(wanted ?? [], live, tagPaths);
  return { changes: withEditedTags(link, sent, tagEdits, live), slugs, live };
}

/**
 * Adds a link's tags after the edits to its changes, if the edits change them.
 *
 * @throws RequestError `validation_failed`
 */
export function withEditedTags(
  link: Link,
  changes: LinkChanges,
  tagEdits: TagEdits | undefined,
  live: ReadonlySet<string>,
): LinkChanges {
  const tagIds = tagEdits ? editedTags(link.tagIds, tagEdits, live) : link.tagIds;
  return tagIds === link.tagIds ? changes : { ...changes, tagIds };
}

/** How the slugs of a link change; undefined if they stay. @throws RequestError, as `withSlug` and `withoutAlias` do */
function slugChange(link: Link, { customSlug, removedAlias }: LinkEdits): SlugChange | undefined {
  if (removedAlias !== undefined) return withoutAlias(link, removedAlias);
  return customSlug === undefined ? undefined : withSlug(link, customSlug);
}
