import { aliasLocations, type SlugChange, withoutAlias, withSlug } from '../../domain/aliases.ts';
import { notFound, preconditionFailed, RequestError, unsettled } from '../../domain/errors.ts';
import { locationOf, newChangeMark, newRequestToken } from '../../domain/ids.ts';
import { slugTaken } from '../../domain/import.ts';
import { dependentSettings, type Link, type LinkSettings, refuseContradiction } from '../../domain/link.ts';
import { backOff, timeLeft, withDeadline } from '../../runtime/deadline.ts';
import { closedCounter } from '../clicks/counts.ts';
import { signed } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import {
  all,
  any,
  ConditionFailed,
  type Expression,
  has,
  ifConditionFails,
  is,
  isAtRevision,
  lacks,
} from '../table/conditions.ts';
import { capKey, linkKeyOf } from '../table/keys.ts';
import { deleting, putting, transact, updateItem, updating, type Write } from '../table/writes.ts';
import { getTags } from '../tags/tags.ts';
import { getCap, settingCap } from './caps.ts';
import { hasCapEpoch, hasSlugs, hasTags, isStillThere } from './conditions.ts';
import { externalIdRefused, findExternalId, freeingExternalId, takingExternalId } from './external-ids.ts';
import { type FoundLink, findLink, getLink, toLink } from './links.ts';
import { aliasAt, freeing, readPlaces, tombstone } from './places.ts';
import { changeTo, isUntagged, type TaggedChange, together } from './tagging.ts';

/** The fields to change. Absent fields stay as they are; null clears a field. */
export type LinkChanges = Partial<LinkSettings>;

/** Changes, also of the link's slugs. */
export type LinkEdits = LinkChanges & {
  /** The slug to show. The former one becomes an alias. */
  readonly customSlug?: string | undefined;
  /** The alias to remove. */
  readonly removedAlias?: string | undefined;
};

type Options = {
  /** Changes the link only if its settings are still as they were read. */
  readonly asRead?: boolean;
  /** Identifies the change across retries. */
  readonly mark?: string;
};

/** How long a change that conflicts with others is retried, in milliseconds. */
const changeBudget = 8_000;

/**
 * Applies changes to a link, all or none, and returns the link as it then is. A conflict with a concurrent change is
 * retried with the link as it then is.
 *
 * @throws RequestError `not_found`, `tag_not_found`, `slug_taken`, `slug_in_use`, `alias_limit_reached`,
 *   `external_id_taken`, `precondition_failed`; `temporarily_unavailable` if time ran out, or if it cannot tell whether the change was made
 */
export function updateLink(
  found: FoundLink,
  changes: LinkEdits,
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
 * Deletes a link with its click count, its cap and its aliases, removes it from its tags, and frees its addresses and its
 * external id. From then on its id finds nothing, and clicks that have not been counted yet are dropped.
 *
 * @throws RequestError `not_found`, `precondition_failed`; `temporarily_unavailable` if time ran out
 */
export const deleteLink = (found: FoundLink, { asRead = false }: Pick<Options, 'asRead'> = {}): Promise<void> =>
  whileOthersChange(found, asRead, async ({ link }) => {
    const live = await liveTags(link.workspaceId, link.tagIds);
    await transact(together(link.workspaceId, [deletion(link, asRead)], live), newRequestToken());
  });

/**
 * Makes a change whose conditions depend on the link as it was read. Retries it with the current link if a condition
 * fails.
 */
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

/** A link as it was read, its click count, and the changes with their mark. */
type Change = FoundLink & {
  readonly changes: LinkChanges;
  readonly slugs?: SlugChange | undefined;
  readonly mark: string;
  readonly asRead?: boolean;
};

/**
 * Applies changes to a link as it was read, and returns the link as it then is. Changed tags are written in one
 * transaction with their counts and pairs, on the condition that the link's tags are as they were read. So is a cap for
 * a link that has none, with the cap's own item, and a slug or an external id that the link gets or gives up, with the
 * item of that. Everything else is one update.
 *
 * @throws ConditionFailed if the link is gone or has changed too much since it was read, or if a tag to add was deleted
 *   in between
 */
async function applyChanges({ changes: edits, ...read }: Omit<Change, 'changes'> & { changes: LinkEdits }): Promise<Link> {
  const { link } = read;
  const { id, workspaceId } = link;
  const { customSlug, removedAlias, ...changes } = edits;
  const slugs = slugChange(link, edits);
  if (!slugs && Object.keys(changes).length === 0) return link;
  const change = { ...read, changes, slugs };
  const { tagIds } = changes;
  refuseContradiction(changes, link);
  const applyUpdate = async (condition: Expression) => toLink(await updateItem(linkKeyOf(id), settingsUpdate(change), condition));
  const hasMoreItems =
    isNewCap(link, changes) || slugs?.taken !== undefined || slugs?.freed !== undefined || isOtherExternalId(link, changes);
  if (!tagIds && !hasMoreItems) return applyUpdate(isToBeMade(change));

  const live = tagIds ? await liveTags(workspaceId, [...link.tagIds, ...tagIds]) : new Set<string>();
  refuseUnknownTags(tagIds ?? [], live);
  const tagged = await settingsChange(change);
  if (isUntagged(tagged) && !hasMoreItems) return applyUpdate(all(isToBeMade(change), hasTags(link.tagIds)));
  await transact(together(workspaceId, [tagged], live), newRequestToken());
  // Another request may have changed other fields. If the link is gone by now, it was deleted after this update.
  return (await getLink(workspaceId, id))?.link ?? { ...link, ...changes, ...shownSlugs(slugs) };
}

/** How the slugs of a link change; undefined if they stay. @throws RequestError, as `withSlug` and `withoutAlias` do */
function slugChange(link: Link, { customSlug, removedAlias }: LinkEdits): SlugChange | undefined {
  if (removedAlias !== undefined) return withoutAlias(link, removedAlias);
  return customSlug === undefined ? undefined : withSlug(link, customSlug);
}

const shownSlugs = (slugs: SlugChange | undefined) => slugs && { shortCode: slugs.shortCode, aliases: slugs.aliases };

/**
 * The writes to the items of a link's slugs besides the link.
 *
 * @throws RequestError `slug_taken`; ConditionFailed if the link has changed since it was read, so that it decides anew
 */
async function slugWrites(link: Link, { taken, freed }: SlugChange): Promise<Write[]> {
  if (freed !== undefined) return [freeing(locationOf(link.domainId, freed), link.id)];
  if (taken === undefined) return [];
  const location = locationOf(link.domainId, taken);
  const [there] = await readPlaces([location]);
  const alias = aliasAt(location, there, link.id);
  if (alias) return [putting(alias.item, alias.condition)];
  // The refusal must be true of the link at the time of that read. Perhaps it has the slug itself by now, or is gone.
  const now = await findLink(link.workspaceId, link.id);
  if (now?.revision !== link.revision) throw new ConditionFailed([]);
  throw new RequestError('slug_taken', `${slugTaken.message}.`);
}

/** Whether the changes give a link another external id, or none. */
const isOtherExternalId = (link: Link, { externalId }: LinkChanges): boolean =>
  externalId !== undefined && externalId !== link.externalId;

/**
 * The writes to the items of the external ids that a link gives up and gets.
 *
 * @throws RequestError `external_id_taken`; ConditionFailed if the link has changed since it was read, so that it decides
 *   anew
 */
async function externalIdWrites(link: Link, { externalId }: LinkChanges): Promise<Write[]> {
  const freeing = freeingExternalId(link, link.externalId);
  if (externalId == null) return freeing;
  const there = await findExternalId(link.workspaceId, externalId);
  if (there.is === 'free') return [...freeing, takingExternalId(link, externalId, there.condition)];
  // As for a slug: perhaps it is the link itself that has the id by now.
  const now = await findLink(link.workspaceId, link.id);
  if (now?.revision !== link.revision) throw new ConditionFailed([]);
  throw externalIdRefused();
}

/**
 * A link's new settings as part of a transaction, on the condition that its tags, if they are to be changed, are as
 * they were read. A link without a cap that gets one takes one read, if it had a cap before, and one more write.
 */
export async function settingsChange(change: Change): Promise<TaggedChange> {
  const { link, clickCount, changes, slugs } = change;
  refuseContradiction(changes, link);
  const condition = changes.tagIds ? all(isToBeMade(change), hasTags(link.tagIds)) : isToBeMade(change);
  const writes = [updating(linkKeyOf(link.id), settingsUpdate(change), condition)];
  if (isNewCap(link, changes)) {
    const before = link.capEpoch === 0 ? undefined : await getCap(link);
    writes.push(settingCap(link.id, before, clickCount));
  }
  if (slugs) writes.push(...(await slugWrites(link, slugs)));
  if (isOtherExternalId(link, changes)) writes.push(...(await externalIdWrites(link, changes)));
  return changeTo(link, changes.tagIds ?? link.tagIds, writes);
}

/**
 * A link's deletion as part of a transaction, on the condition that its tags, slugs and external id are as they were read. A link that
 * ever had a cap has an item for it. No late visit can bring it back, because taking a turn creates nothing.
 */
export function deletion(link: Link, asRead = false): TaggedChange {
  const condition = all(
    isUnchanged(link, asRead),
    hasTags(link.tagIds),
    hasCapEpoch(link.capEpoch),
    hasSlugs(link),
    isAsRead('externalId', link.externalId),
  );
  const writes: Write[] = [putting(tombstone(link), condition), putting(closedCounter(link))];
  if (link.capEpoch > 0) writes.push(deleting(capKey(link.id)));
  writes.push(...aliasLocations(link).map((location) => freeing(location, link.id)));
  writes.push(...freeingExternalId(link, link.externalId));
  return changeTo(link, [], writes);
}

/** The ids of those tags that exist. */
export const liveTags = async (workspaceId: string, tagIds: readonly string[]): Promise<ReadonlySet<string>> =>
  new Set((await getTags(workspaceId, [...new Set(tagIds)])).map(({ id }) => id));

/** @throws RequestError `tag_not_found` */
export function refuseUnknownTags(tagIds: readonly string[], live: ReadonlySet<string>, path = '/tagIds'): void {
  const fieldErrors = tagIds.flatMap((tagId, index) =>
    live.has(tagId) ? [] : { path: `${path}/${index}`, code: 'tag_not_found', message: 'does not exist in this workspace' },
  );
  if (fieldErrors.length > 0) {
    throw new RequestError('tag_not_found', 'The tag does not exist in this workspace.', { fieldErrors });
  }
}

/**
 * A link stores the marks of its last ten changes. A change is sent again if a failure leaves open whether it was made.
 * Its mark then keeps it from being made twice, which could undo another request's change in between. Once ten others
 * have been made since the link was read, the change is refused too, because its mark may already have been dropped.
 * The attribute names are short because every update pays for them.
 */
const markNames = Array.from({ length: 10 }, (_, place) => `m${place + 1}`);

/** The update expression for changes to a link. The newest mark comes first; the others move along by one. */
function settingsUpdate({ link, changes, slugs, mark }: Change): Expression {
  const newCap = isNewCap(link, changes) && { capEpoch: link.capEpoch + 1 };
  const fields = Object.entries({ ...changes, ...shownSlugs(slugs), ...newCap, m1: mark, updatedAt: new Date().toISOString() });
  const kept = fields.filter(([, value]) => value !== null);
  const set = [
    ...kept.map(([field]) => `#${field} = :${field}`),
    ...markNames.slice(1).map((name, before) => `#${name} = if_not_exists(#${markNames[before]}, :none)`),
  ];
  const remove = fields.filter(([, value]) => value === null).map(([field]) => `#${field}`);
  const removal = remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : '';
  const values = { ...Object.fromEntries(kept.map(([field, value]) => [`:${field}`, value])), ':none': '-', ':one': 1 };
  return signed({ text: `SET ${set.join(', ')}${removal} ADD #revision :one`, values });
}

/**
 * Whether the changes add a cap to a link that has none. A cap counts all clicks, so a new one starts at the clicks so
 * far, or at what earlier caps have used if that is more. Changing a cap keeps what is used.
 */
const isNewCap = (link: Link, { maxClicks }: LinkChanges): boolean => typeof maxClicks === 'number' && link.maxClicks === null;

/** The condition that the change was not made yet, and that what it depends on is as it was read. */
function isToBeMade({ link, changes, slugs, mark, asRead = false }: Change): Expression {
  const remembersMark = any(lacks('revision'), {
    text: '#revision < :bound',
    values: { ':bound': link.revision + markNames.length },
  });
  const isUnmade = {
    text: `NOT (${markNames.map((name) => `#${name} = :mine`).join(' OR ')})`,
    values: { ':mine': mark },
  };
  const conditions = [
    isUnchanged(link, asRead),
    remembersMark,
    isUnmade,
    ...stillFits(link, changes),
    ...(slugs ? [hasSlugs(link)] : []),
    ...(changes.externalId === undefined ? [] : [isAsRead('externalId', link.externalId)]),
  ];
  return typeof changes.maxClicks === 'number' ? all(...conditions, isCappedAsRead(link)) : all(...conditions);
}

/** The conditions that settings on which a change depends are as they were read. */
const stillFits = (link: Link, changes: LinkChanges): Expression[] =>
  dependentSettings.flatMap((fields) =>
    fields.some((field) => changes[field] != null)
      ? fields.filter((field) => changes[field] === undefined).map((field) => isAsRead(field, link[field]))
      : [],
  );

const isAsRead = (field: string, value: unknown): Expression => {
  const isEmpty = value === null || (Array.isArray(value) && value.length === 0);
  return isEmpty ? any(lacks(field), is(field, value)) : is(field, value);
};

/**
 * The condition that a link that had a cap still has one, and that a link without a cap has not had another one since.
 */
const isCappedAsRead = ({ maxClicks, capEpoch }: Link): Expression =>
  maxClicks === null ? all(lacks('maxClicks'), hasCapEpoch(capEpoch)) : has('maxClicks');

/**
 * Finds out if a change whose condition failed was already made by an earlier attempt whose response was lost. Returns
 * the link as it now is; undefined if the change was not made.
 *
 * @param item what the table held when the condition failed.
 * @throws RequestError `temporarily_unavailable` if the link no longer shows whether the change was made.
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

/** The condition that the link still exists and, if `asRead`, that its settings have not changed. */
const isUnchanged = (link: Link, asRead: boolean): Expression =>
  asRead ? all(isStillThere(link), isAtRevision(link.revision)) : isStillThere(link);
