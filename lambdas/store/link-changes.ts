import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { backOff, timeLeft, withDeadline } from '../deadline.ts';
import { notFound, preconditionFailed, RequestError } from '../domain/errors.ts';
import { locationInId, newRequestToken } from '../domain/ids.ts';
import type { Link, LinkSettings } from '../domain/link.ts';
import { closedCounter } from './click-counts.ts';
import { linkKey } from './keys.ts';
import { tombstone } from './link-places.ts';
import { type FoundLink, getLink, toLink } from './links.ts';
import { changeTo, isUntagged, type TaggedChange, together } from './tagging.ts';
import { getTags } from './tags.ts';
import { ConditionFailed, type Expression, putting, transact, updateItem, updating } from './writes.ts';

/** A link's changes: what is absent is left alone, null clears. */
export type LinkChanges = Partial<LinkSettings>;

/** How a link is changed. */
type Options = {
  /** Only while its settings are as they were read; else nothing is changed. */
  readonly asRead?: boolean;
};

/** How long a change is tried again while others change the link's tags, in milliseconds. */
const changeBudget = 8_000;

/**
 * Applies changes to a link that was found, all or none, and gives it as it then is. Where others were faster it is tried again
 * with what is there by then.
 *
 * @throws RequestError `not_found`, `tag_not_found`, `precondition_failed`
 */
export const updateLink = (found: FoundLink, changes: LinkChanges, { asRead = false }: Options = {}): Promise<FoundLink> =>
  whileOthersChange(found, asRead, async ({ link, clickCount }) => ({
    link: await applyChanges(link, clickCount, changes, asRead),
    clickCount,
  }));

/**
 * Deletes a link that was found with its count of clicks, takes it off its tags, and sets its address free. Its id finds nothing from
 * then on, and the clicks that are still on their way count for nothing else.
 *
 * @throws RequestError `not_found`, `precondition_failed`
 */
export const deleteLink = (found: FoundLink, { asRead = false }: Options = {}): Promise<void> =>
  whileOthersChange(found, asRead, async ({ link }) => {
    const live = await liveTags(link.workspaceId, link.tagIds);
    await transact(together(link.workspaceId, [deletion(link, asRead)], live), newRequestToken());
  });

/** Does what is conditioned on a link as it was read, and again with what is there by then where others were faster. */
const whileOthersChange = <T>(found: FoundLink, asRead: boolean, change: (found: FoundLink) => Promise<T>): Promise<T> =>
  withDeadline(Math.min(timeLeft(), changeBudget), async () => {
    const { id, workspaceId, revision } = found.link;
    let current = found;
    for (let attempt = 0; ; attempt++) {
      try {
        return await change(current);
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
      }
      await backOff(attempt);
      const again = await getLink(workspaceId, id);
      if (!again) throw notFound('link');
      if (asRead && again.link.revision !== revision) throw preconditionFailed();
      current = again;
    }
  });

/**
 * Applies changes to a link as it was read, and gives it as it then is.
 *
 * Changed tags go into one transaction with their counts and pairs, conditioned on the tags that were read. So does what is
 * conditioned on the link's revision: its own lost answer would look like another's change, and a transaction can be repeated.
 *
 * @throws ConditionFailed where the link is gone, or its tags, those to be added or its revision have changed since they were read.
 */
async function applyChanges(link: Link, clickCount: number, changes: LinkChanges, asRead: boolean): Promise<Link> {
  if (Object.keys(changes).length === 0) return link;
  const { id, workspaceId } = link;
  const key = linkKey(locationInId(id) ?? '');
  const { tagIds } = changes;
  const update = settingsUpdate(changes, clickCount);
  if (!tagIds && !asRead) return toLink(await updateItem(key, update, isOurs(link)));

  const live = tagIds ? await liveTags(workspaceId, [...link.tagIds, ...tagIds]) : new Set<string>();
  if (tagIds) refuseUnknownTags(tagIds, live);
  const change = settingsChange(link, clickCount, changes, asRead);
  if (!asRead && isUntagged(change)) return toLink(await updateItem(key, update, withTags(isOurs(link), link.tagIds)));
  await transact(together(workspaceId, [change], live), newRequestToken());
  // Others may have changed other fields; and if the link is gone by now, then after this update.
  return (await getLink(workspaceId, id))?.link ?? { ...link, ...changes };
}

/** A link's new settings as a part of a transaction, on the condition that its tags are as they were read. */
export function settingsChange(link: Link, clickCount: number, changes: LinkChanges, asRead = false): TaggedChange {
  const condition = withTags(asRead ? withRevision(isOurs(link), link.revision) : isOurs(link), link.tagIds);
  const update = updating(linkKey(locationInId(link.id) ?? ''), settingsUpdate(changes, clickCount), condition);
  return changeTo(link, changes.tagIds ?? link.tagIds, [update]);
}

/** A link's deletion as a part of a transaction, on the condition that its tags are as they were read. */
export function deletion(link: Link, asRead = false): TaggedChange {
  const condition = withTags(asRead ? withRevision(isOurs(link), link.revision) : isOurs(link), link.tagIds);
  const writes: TransactWriteItem[] = [putting(tombstone(link), condition), putting(closedCounter(link))];
  return changeTo(link, [], writes);
}

/** Those of the tags that exist. */
export const liveTags = async (workspaceId: string, tagIds: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set((await getTags(workspaceId, [...new Set(tagIds)])).map(({ id }) => id));

/** @throws RequestError `tag_not_found` */
export function refuseUnknownTags(tagIds: readonly string[], live: ReadonlySet<string>, path = '/tagIds'): void {
  const fieldErrors = tagIds.flatMap((tagId, index) =>
    live.has(tagId) ? [] : { path: `${path}/${index}`, code: 'tag_not_found', message: 'is no tag of this workspace' },
  );
  if (fieldErrors.length > 0) {
    throw new RequestError('tag_not_found', 'The workspace has no tag of that id.', { fieldErrors });
  }
}

/** The update expression for changes of a link. */
function settingsUpdate(changes: LinkChanges, clickCount: number): Expression {
  const fields = Object.entries({ ...changes, updatedAt: new Date().toISOString() });
  const kept = fields.filter(([, value]) => value !== null);
  const set = kept.map(([field]) => `#${field} = :${field}`);
  const remove = fields.filter(([, value]) => value === null).map(([field]) => `#${field}`);
  const values: Record<string, unknown> = Object.fromEntries(kept.map(([field, value]) => [`:${field}`, value]));
  values[':one'] = 1;
  if (changes.maxClicks === null) remove.push('#capUsed');
  if (typeof changes.maxClicks === 'number') {
    // A cap counts all clicks: a new one begins with those of today, a changed one keeps what is used.
    set.push('#capUsed = if_not_exists(#capUsed, :clickCount)');
    values[':clickCount'] = clickCount;
  }
  const removal = remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : '';
  return { text: `SET ${set.join(', ')}${removal} ADD #revision :one`, values };
}

/** The condition that the link is still there, and has not been replaced at its address. */
const isOurs = ({ id, workspaceId }: Link): Expression => ({
  text: '#id = :id AND #workspaceId = :workspaceId',
  values: { ':id': id, ':workspaceId': workspaceId },
});

/** The condition, and that the link's tags are these. */
const withTags = (condition: Expression, tagIds: readonly string[]): Expression => ({
  text: `${condition.text} AND (#tagIds = :oldTagIds${tagIds.length === 0 ? ' OR attribute_not_exists(#tagIds)' : ''})`,
  values: { ...condition.values, ':oldTagIds': tagIds },
});

/** The condition, and that nobody has changed the link's settings. */
const withRevision = (condition: Expression, revision: number): Expression => ({
  text: `${condition.text} AND (#revision = :revision${revision === 0 ? ' OR attribute_not_exists(#revision)' : ''})`,
  values: { ...condition.values, ':revision': revision },
});
