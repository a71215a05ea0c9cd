import { notFound, preconditionFailed } from '../../core/errors.ts';
import { newChangeToken, newRequestToken } from '../../core/ids.ts';
import { type SlugChange, withoutAlias, withSlug } from '../../core/link/aliases.ts';
import { type Link, type LinkSettings, refuseContradiction } from '../../core/link/link.ts';
import { editedTags, type TagEdits } from '../../core/link/link-tags.ts';
import { backOff, timeLeft, withDeadline } from '../../runtime/deadline.ts';
import { all, type Expression, ifConditionFails } from '../table/conditions.ts';
import { linkKeyOf } from '../table/keys.ts';
import { transact, updateItem } from '../table/writes.ts';
import { findEarlierChange } from './change-tokens.ts';
import { type Change, changeCondition, changesMoreItems, settingsChange, settingsUpdate, shownSlugs } from './change-writes.ts';
import { hasTags } from './conditions.ts';
import { type FoundLink, getLink, toLink } from './links.ts';
import { asTransaction, isUntagged, liveTags, refuseUnknownTags } from './tagging.ts';

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
  /** What gives each of the tags in the request, as a JSON Pointer. */
  readonly tagPaths?: readonly string[] | undefined;
};

type Options = Partial<Pick<Change, 'asRead' | 'changeToken'>>;

/** How long a change that conflicts with others is retried, in milliseconds. */
const changeBudget = 8_000;

/**
 * Applies changes to a link, all or none, and returns the link as it then is. A conflict with a concurrent change is
 * retried with the link as it then is.
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
  return retryWithCurrentLink(found, asRead, async (current) => {
    const changed = await ifConditionFails(applyEdits(current, edits, { asRead, changeToken }), (failed) => {
      isAmbiguous ||= failed.isAmbiguous;
      const there = findEarlierChange(failed.items[0], { asRead: found.link, changeToken, isAmbiguous });
      if (!there) throw failed;
      return there;
    });
    return { ...current, link: changed };
  });
}

/**
 * Refuses edits that `updateLink` would refuse by now with `asRead`, and writes nothing.
 *
 * @throws RequestError, as `updateLink` does
 */
export async function checkEdits(found: FoundLink, edits: LinkEdits): Promise<void> {
  const { customSlug: _, removedAlias: __, tagEdits: ___, tagPaths, ...changes } = edits;
  const slugs = slugChange(found.link, edits);
  const { tagIds = [] } = changes;
  if (tagIds.length > 0) refuseUnknownTags(tagIds, await liveTags(found.link.workspaceId, tagIds), tagPaths);
  await ifConditionFails(settingsChange({ ...found, changes, slugs, changeToken: newChangeToken() }), () => {
    throw preconditionFailed();
  });
}

/**
 * Makes a change whose conditions depend on the link as it was read. Retries it with the current link if a condition
 * fails.
 *
 * @param asRead fails instead if the link's settings have changed.
 * @throws RequestError `not_found`, `precondition_failed`, `temporarily_unavailable`, and whatever `change` throws
 */
export const retryWithCurrentLink = <T>(
  found: FoundLink,
  asRead: boolean,
  change: (current: FoundLink) => Promise<T>,
): Promise<T> =>
  withDeadline(Math.min(timeLeft(), changeBudget), async () => {
    const { id, workspaceId, revision } = found.link;
    let current = found;
    for (let attempt = 0; ; attempt++) {
      const result = change(current).then((value) => ({ value }));
      const done = await ifConditionFails(result, () => undefined);
      if (done) return done.value;
      await backOff(attempt);
      const again = await getLink(workspaceId, id);
      if (!again) throw notFound('link');
      if (asRead && again.link.revision !== revision) throw preconditionFailed();
      current = again;
    }
  });

/**
 * Applies edits to a link as it was read, and returns the link as it then is. Changed tags are written in one
 * transaction with their counts and pairs, on the condition that the link's tags are as they were read. So is a cap for
 * a link that has none, with the cap's own item, and a slug or an external id that the link gets or gives up, with the
 * item of that. Everything else is one update.
 *
 * @throws ConditionFailed if the link is gone or has changed too much since it was read, or if a tag to add was deleted
 *   in between
 */
async function applyEdits(found: FoundLink, edits: LinkEdits, options: Required<Options>): Promise<Link> {
  const { link } = found;
  const { id, workspaceId } = link;
  const { customSlug, removedAlias, tagEdits, tagPaths, ...sent } = edits;
  const slugs = slugChange(link, edits);
  const wanted = tagEdits?.added ?? sent.tagIds;
  const live = wanted ? await liveTags(workspaceId, [...link.tagIds, ...wanted]) : new Set<string>();
  refuseUnknownTags(wanted ?? [], live, tagPaths);
  const changes = withEditedTags(link, sent, tagEdits, live);
  if (!slugs && Object.keys(changes).length === 0) return link;
  const change = { ...found, changes, slugs, ...options };
  const { tagIds } = changes;
  refuseContradiction({ ...changes, customSlug: slugs?.shortCode }, link);
  const applyUpdate = async (condition: Expression) => toLink(await updateItem(linkKeyOf(id), settingsUpdate(change), condition));
  const hasMoreItems = changesMoreItems(change);
  if (!tagIds && !hasMoreItems) return applyUpdate(changeCondition(change));

  const tagged = await settingsChange(change);
  if (isUntagged(tagged) && !hasMoreItems) return applyUpdate(all(changeCondition(change), hasTags(link.tagIds)));
  await transact(asTransaction(workspaceId, [tagged], live), newRequestToken());
  // Another request may have changed other fields. If the link is gone by now, it was deleted after this update.
  return (await getLink(workspaceId, id))?.link ?? { ...link, ...changes, ...shownSlugs(slugs) };
}

/** Changes of a link with its tags after edits, if those change them. @throws RequestError `validation_failed` */
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
