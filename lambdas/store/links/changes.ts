import { notFound, preconditionFailed, RequestError, unsettled } from '../../domain/errors.ts';
import { newChangeMark, newRequestToken } from '../../domain/ids.ts';
import type { Link, LinkSettings } from '../../domain/link.ts';
import { backOff, timeLeft, withDeadline } from '../../runtime/deadline.ts';
import { closedCounter } from '../clicks/counts.ts';
import type { Item } from '../table/client.ts';
import { all, any, type Expression, has, ifConditionFails, is, isAtRevision, lacks } from '../table/conditions.ts';
import { linkKeyOf } from '../table/keys.ts';
import { putting, transact, updateItem, updating, type Write } from '../table/writes.ts';
import { getTags } from '../tags.ts';
import { hasTags, isStillThere } from './conditions.ts';
import { type FoundLink, getLink, toLink } from './links.ts';
import { tombstone } from './places.ts';
import { changeTo, isUntagged, type TaggedChange, together } from './tagging.ts';

/** A link's changes: what is absent is left alone, null clears. */
export type LinkChanges = Partial<LinkSettings>;

/** How a link is changed. */
type Options = {
  /** Only while its settings are as they were read; else nothing is changed. */
  readonly asRead?: boolean;
  /** What a change is known by if it is tried more than once. */
  readonly mark?: string;
};

/** How long a change is tried again while others change the link, in milliseconds. */
const changeBudget = 8_000;

/**
 * Applies changes to a link that was found, all or none, and gives it as it then is. Where others were faster it is tried again
 * with what is there by then.
 *
 * @throws RequestError `not_found`, `tag_not_found`, `precondition_failed`; `temporarily_unavailable` if nobody can tell whether it was done
 */
export function updateLink(
  found: FoundLink,
  changes: LinkChanges,
  { asRead = false, mark = newChangeMark() }: Options = {},
): Promise<FoundLink> {
  let isAmbiguous = false;
  return whileOthersChange(found, asRead, async ({ link, clickCount }) => {
    const changed = await ifConditionFails(applyChanges({ link, clickCount, changes, mark, asRead }), (failed) => {
      isAmbiguous ||= failed.isAmbiguous;
      const there = changedUnheard(failed.items[0], { asRead: found.link, mark, isAmbiguous });
      if (!there) throw failed;
      return there;
    });
    return { link: changed, clickCount };
  });
}

/**
 * Deletes a link that was found with its count of clicks, takes it off its tags, and sets its address free. Its id finds nothing from
 * then on, and the clicks that are still on their way count for nothing else.
 *
 * @throws RequestError `not_found`, `precondition_failed`
 */
export const deleteLink = (found: FoundLink, { asRead = false }: Pick<Options, 'asRead'> = {}): Promise<void> =>
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

/** Changes of a link as it was read, with its clicks by then, under their mark. */
type Change = FoundLink & { readonly changes: LinkChanges; readonly mark: string; readonly asRead?: boolean };

/**
 * Applies changes to a link as it was read, and gives it as it then is. Changed tags go into one transaction with their counts and pairs,
 * conditioned on the tags that were read; all else is one update.
 *
 * @throws ConditionFailed if the link is gone, or too much of it or the tags to be added have changed since they were read.
 */
async function applyChanges(change: Change): Promise<Link> {
  const { link, changes } = change;
  const { id, workspaceId } = link;
  const { tagIds } = changes;
  if (Object.keys(changes).length === 0) return link;
  const update = settingsUpdate(change);
  const applyUpdate = async (condition: Expression) => toLink(await updateItem(linkKeyOf(id), update, condition));
  if (!tagIds) return applyUpdate(isToBeMade(change));

  const live = await liveTags(workspaceId, [...link.tagIds, ...tagIds]);
  refuseUnknownTags(tagIds, live);
  const tagged = settingsChange(change);
  if (isUntagged(tagged)) return applyUpdate(all(isToBeMade(change), hasTags(link.tagIds)));
  await transact(together(workspaceId, [tagged], live), newRequestToken());
  // Others may have changed other fields; and if the link is gone by now, then after this update.
  return (await getLink(workspaceId, id))?.link ?? { ...link, ...changes };
}

/** A link's new settings as a part of a transaction, on the condition that its tags are as they were read. */
export function settingsChange(change: Change): TaggedChange {
  const { link, changes } = change;
  const condition = all(isToBeMade(change), hasTags(link.tagIds));
  const update = updating(linkKeyOf(link.id), settingsUpdate(change), condition);
  return changeTo(link, changes.tagIds ?? link.tagIds, [update]);
}

/** A link's deletion as a part of a transaction, on the condition that its tags are as they were read. */
export function deletion(link: Link, asRead = false): TaggedChange {
  const condition = all(isUnchanged(link, asRead), hasTags(link.tagIds));
  const writes: Write[] = [putting(tombstone(link), condition), putting(closedCounter(link))];
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
    throw new RequestError('tag_not_found', 'The tag does not exist in this workspace.', { fieldErrors });
  }
}

/**
 * A link keeps the marks of its last ten changes. A change is sent again after a failure that does not say whether it was made: its own mark
 * then keeps it from being made twice, and so from undoing what others have changed in between. Nor is it made once ten others came after the
 * link was read: its mark could have come and gone by then. The names are short, since every update pays for them.
 */
const markNames = Array.from({ length: 10 }, (_, place) => `m${place + 1}`);

/** The update expression for changes of a link. The newest mark comes first, the others move on. */
function settingsUpdate({ link, clickCount, changes, mark }: Change): Expression {
  const newCap = isNewCap(link, changes) && { capUsed: Math.max(link.capUsed ?? 0, clickCount) };
  const fields = Object.entries({ ...changes, ...newCap, m1: mark, updatedAt: new Date().toISOString() });
  const kept = fields.filter(([, value]) => value !== null);
  const set = [
    ...kept.map(([field]) => `#${field} = :${field}`),
    ...markNames.slice(1).map((name, before) => `#${name} = if_not_exists(#${markNames[before]}, :none)`),
  ];
  const remove = fields.filter(([, value]) => value === null).map(([field]) => `#${field}`);
  const removal = remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : '';
  const values = { ...Object.fromEntries(kept.map(([field, value]) => [`:${field}`, value])), ':none': '-', ':one': 1 };
  return { text: `SET ${set.join(', ')}${removal} ADD #revision :one`, values };
}

/**
 * Whether a cap begins. It counts all clicks: so it begins with those so far, or with what earlier caps have used if that is more. A cap that is
 * changed keeps what is used.
 */
const isNewCap = (link: Link, { maxClicks }: LinkChanges): boolean => typeof maxClicks === 'number' && link.maxClicks === null;

/** The condition that a change was not made yet, and that what it follows from is as it was read. */
function isToBeMade({ link, changes, mark, asRead = false }: Change): Expression {
  const remembersMark = any(lacks('revision'), {
    text: '#revision < :bound',
    values: { ':bound': link.revision + markNames.length },
  });
  const isUnmade = {
    text: `NOT (${markNames.map((name) => `#${name} = :mine`).join(' OR ')})`,
    values: { ':mine': mark },
  };
  const conditions = [isUnchanged(link, asRead), remembersMark, isUnmade];
  return typeof changes.maxClicks === 'number' ? all(...conditions, isCappedAsRead(link)) : all(...conditions);
}

/** The condition that a link still has a cap if it had one when it was read, or that it still has none and nothing was used since. */
function isCappedAsRead({ maxClicks, capUsed }: Link): Expression {
  if (maxClicks !== null) return has('maxClicks');
  return all(lacks('maxClicks'), capUsed === null ? lacks('capUsed') : is('capUsed', capUsed));
}

/**
 * The link as it is by now, if a change of it whose condition failed was made all the same, by an earlier attempt whose answer was lost;
 * undefined if it was not made.
 *
 * @param item what the table held when the condition failed.
 * @throws RequestError `temporarily_unavailable` if nobody can tell.
 */
function changedUnheard(
  item: Item | undefined,
  { asRead, mark, isAmbiguous }: { asRead: Link; mark: string; isAmbiguous: boolean },
): Link | undefined {
  if (!item || item.id !== asRead.id || item.workspaceId !== asRead.workspaceId) return undefined;
  if (markNames.some((name) => item[name] === mark)) return toLink(item);
  const isForgotten = Number(item.revision ?? 0) > asRead.revision + markNames.length;
  if (isForgotten && isAmbiguous) throw unsettled();
  return undefined;
}

/** The condition that the link is still there and, if it is to be as it was read, that nobody has changed its settings. */
const isUnchanged = (link: Link, asRead: boolean): Expression =>
  asRead ? all(isStillThere(link), isAtRevision(link.revision)) : isStillThere(link);
