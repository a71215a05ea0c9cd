import { RequestError } from '../../core/errors.ts';
import type { SlugChange } from '../../core/link/aliases.ts';
import { slugTaken } from '../../core/link/import.ts';
import { dependentSettings, type Link, type LinkSettings, refuseContradiction } from '../../core/link/link.ts';
import { locationOf } from '../../core/link/location.ts';
import { signed } from '../table/authorship.ts';
import { all, any, ConditionFailed, type Expression, has, is, lacks } from '../table/conditions.ts';
import { linkKeyOf } from '../table/keys.ts';
import { putting, updating, type Write } from '../table/writes.ts';
import { aliasAt, freeing, readAddresses } from './addresses.ts';
import { getCap, settingCap } from './caps.ts';
import { isUnmade, latestTokenName, movedTokens } from './change-tokens.ts';
import { hasGeneration, hasSlugs, hasTags, isAsRead, isUnchanged } from './conditions.ts';
import { externalIdRefused, findExternalId, freeingExternalId, takingExternalId } from './external-ids.ts';
import { type FoundLink, findLink } from './links.ts';
import { changeTo, type TaggedChange } from './tagging.ts';

/** The settings to change. Absent ones stay as they are; null clears a setting. */
type Settings = Partial<LinkSettings>;

/** A link as it was read, its click count, and how to change it. */
export type Change = FoundLink & {
  readonly changes: Settings;
  readonly slugs?: SlugChange | undefined;
  /** Identifies the change across retries. */
  readonly changeToken: string;
  /** Changes the link only if its settings are still as they were read. */
  readonly asRead?: boolean;
};

/**
 * Whether the changes add a cap to a link that has none. A cap counts all clicks, so a new one starts at the clicks so
 * far, or at what earlier caps have used if that is more. Changing a cap keeps what is used.
 */
const isNewCap = (link: Link, { maxClicks }: Settings): boolean => typeof maxClicks === 'number' && link.maxClicks === null;

/** Whether the changes give a link another external id, or none. */
const isOtherExternalId = (link: Link, { externalId }: Settings): boolean =>
  externalId !== undefined && externalId !== link.externalId;

/** Whether a change, apart from tags, writes more items than the link: for a cap, a slug or an external id. */
export const changesMoreItems = ({ link, changes, slugs }: Change): boolean =>
  isNewCap(link, changes) || slugs?.taken !== undefined || slugs?.freed !== undefined || isOtherExternalId(link, changes);

/**
 * A change as part of a transaction, on the condition that the link's tags, if they are to be changed, are as they were
 * read. A link without a cap that gets one takes one read, if it had a cap before, and one more write.
 *
 * @throws RequestError `slug_taken`, `external_id_taken`, `validation_failed`; ConditionFailed if the link has changed
 *   since it was read, so that the caller reads it again
 */
export async function settingsChange(change: Change): Promise<TaggedChange> {
  const { link, clickCount, changes, slugs } = change;
  refuseContradiction({ ...changes, customSlug: slugs?.shortCode }, link);
  const condition = changes.tagIds ? all(changeCondition(change), hasTags(link.tagIds)) : changeCondition(change);
  const writes = [updating(linkKeyOf(link.id), settingsUpdate(change), condition)];
  if (isNewCap(link, changes)) {
    const before = link.capEpoch === 0 ? undefined : await getCap(link);
    writes.push(settingCap(link.id, before, clickCount));
  }
  if (slugs) writes.push(...(await slugWrites(link, slugs)));
  if (isOtherExternalId(link, changes)) writes.push(...(await externalIdWrites(link, changes)));
  return changeTo(link, changes.tagIds ?? link.tagIds, writes);
}

/** The update expression for a change. */
export function settingsUpdate({ link, changes, slugs, changeToken }: Change): Expression {
  const fields = Object.entries({
    ...changes,
    ...shownSlugs(slugs),
    ...(isNewCap(link, changes) && { capEpoch: link.capEpoch + 1 }),
    [latestTokenName]: changeToken,
    updatedAt: new Date().toISOString(),
  });
  const kept = fields.filter(([, value]) => value !== null);
  const set = [...kept.map(([field]) => `#${field} = :${field}`), ...movedTokens];
  const remove = fields.filter(([, value]) => value === null).map(([field]) => `#${field}`);
  const removal = remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : '';
  const values = { ...Object.fromEntries(kept.map(([field, value]) => [`:${field}`, value])), ':none': '-', ':one': 1 };
  return signed({ text: `SET ${set.join(', ')}${removal} ADD #revision :one`, values });
}

/** A link's slugs after a change. */
export const shownSlugs = (slugs: SlugChange | undefined) => slugs && { shortCode: slugs.shortCode, aliases: slugs.aliases };

/** The condition that a change was not made yet, and that what it depends on is as it was read. */
export function changeCondition({ link, changes, slugs, changeToken, asRead = false }: Change): Expression {
  const conditions = [
    isUnchanged(link, asRead),
    ...isUnmade(link, changeToken),
    ...stillFits(link, changes),
    ...(slugs ? [hasSlugs(link), forwardsPathAsRead(link)] : []),
    ...(changes.forwardPath ? [isAsRead('shortCode', link.shortCode)] : []),
    ...(changes.externalId === undefined ? [] : [isAsRead('externalId', link.externalId)]),
  ];
  return typeof changes.maxClicks === 'number' ? all(...conditions, isCappedAsRead(link)) : all(...conditions);
}

/** The link still takes paths behind its slug, or still doesn't: it must have a slug that allows that. */
const forwardsPathAsRead = ({ forwardPath }: Link): Expression =>
  forwardPath ? is('forwardPath', true) : any(lacks('forwardPath'), is('forwardPath', false));

/** The conditions that settings on which a change depends are as they were read. */
const stillFits = (link: Link, changes: Settings): Expression[] =>
  dependentSettings.flatMap((fields) =>
    fields.some((field) => changes[field] != null)
      ? fields.filter((field) => changes[field] === undefined).map((field) => isAsRead(field, link[field]))
      : [],
  );

/**
 * The condition that a link that had a cap still has one, and that a link without a cap has not had another one since.
 */
const isCappedAsRead = ({ maxClicks, capEpoch }: Link): Expression =>
  maxClicks === null ? all(lacks('maxClicks'), hasGeneration(capEpoch)) : has('maxClicks');

/**
 * The writes to the items of a link's slugs besides the link.
 *
 * @throws RequestError `slug_taken`; ConditionFailed if the link has changed since it was read
 */
async function slugWrites(link: Link, { taken, freed }: SlugChange): Promise<Write[]> {
  if (freed !== undefined) return [freeing(locationOf(link.domainId, freed), link.id)];
  if (taken === undefined) return [];
  const location = locationOf(link.domainId, taken);
  const [there] = await readAddresses([location]);
  const alias = await aliasAt(location, there, link.id);
  if (alias) return [putting(alias.item, alias.condition)];
  return refuseUnlessChanged(link, new RequestError('slug_taken', `${slugTaken.message}.`));
}

/**
 * The writes to the items of the external ids that a link gives up and gets.
 *
 * @throws RequestError `external_id_taken`; ConditionFailed if the link has changed since it was read
 */
async function externalIdWrites(link: Link, { externalId }: Settings): Promise<Write[]> {
  const freeing = freeingExternalId(link, link.externalId);
  if (externalId == null) return freeing;
  const there = await findExternalId(link.workspaceId, externalId);
  if (there.is === 'free') return [...freeing, takingExternalId(link, externalId, there.condition)];
  return refuseUnlessChanged(link, externalIdRefused());
}

/**
 * Refuses a slug or an external id that another link seems to have. The refusal must be true of the link as it now is:
 * it may have the slug itself by now, or be gone.
 *
 * @throws the refusal; ConditionFailed if the link has changed since it was read
 */
async function refuseUnlessChanged(link: Link, refusal: RequestError): Promise<never> {
  const now = await findLink(link.workspaceId, link.id);
  throw now?.revision === link.revision ? refusal : new ConditionFailed([]);
}
