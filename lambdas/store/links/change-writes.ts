import { RequestError } from '../../core/errors.ts';
import type { SlugChange } from '../../core/link/aliases.ts';
import { slugTaken } from '../../core/link/import.ts';
import { dependentSettings, type Link, type LinkSettings, refuseContradiction } from '../../core/link/link.ts';
import { locationOf } from '../../core/link/location.ts';
import { signed } from '../table/authorship.ts';
import type { Writes } from '../table/commit.ts';
import { all, any, type Expression, has, is, lacks, plus, set } from '../table/expressions.ts';
import { linkKeyOf, linksIndex } from '../table/keys.ts';
import { overtaken } from '../table/retrying.ts';
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

/**
 * A change as part of a transaction, on the condition that the link's tags, if they are to be changed, are as they were
 * read. A link without a cap that gets one takes one read, if it had a cap before, and one more write.
 *
 * @returns `overtaken` if the link has changed since it was read, so that the caller reads it again.
 * @throws RequestError `slug_taken`, `external_id_taken`, `validation_failed`
 */
export async function settingsChange(change: Change): Promise<TaggedChange | typeof overtaken> {
  const { link, clickCount, changes, slugs } = change;
  refuseContradiction({ ...changes, customSlug: slugs?.shortCode }, link);
  const condition = changes.tagIds ? all(changeCondition(change), hasTags(link.tagIds)) : changeCondition(change);
  const before = isNewCap(link, changes) && link.capGeneration > 0 ? await getCap(link) : undefined;
  const cap = isNewCap(link, changes) ? settingCap(link, before, clickCount) : undefined;
  const slug = await slugWrite(link, slugs);
  const externalIds = await externalIdWrites(link, changes);
  if (slug === overtaken || externalIds === overtaken) return overtaken;
  return changeTo(link, changes.tagIds ?? link.tagIds, {
    link: updating(linkKeyOf(link.id), settingsUpdate(change, cap?.generation), condition),
    cap: cap?.write,
    slug,
    ...externalIds,
  });
}

/** The update expression for a change. @param capGeneration of its new cap, if it gets one */
const settingsUpdate = ({ link, changes, slugs, changeToken }: Change, capGeneration?: number): Expression =>
  signed(
    set({
      ...changes,
      ...(changes.isArchived !== undefined && { gsi1pk: linksIndex(link.workspaceId, changes.isArchived) }),
      ...shownSlugs(slugs),
      capGeneration,
      [latestTokenName]: changeToken,
      ...movedTokens,
      updatedAt: new Date().toISOString(),
      revision: plus(1),
    }),
  );

/** A link's slugs after a change. */
export const shownSlugs = (slugs: SlugChange | undefined) => slugs && { shortCode: slugs.shortCode, aliases: slugs.aliases };

/** The condition that a change was not made yet, and that what it depends on is as it was read. */
function changeCondition({ link, changes, slugs, changeToken, asRead = false }: Change): Expression {
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

/** The condition that `forwardPath` is as it was read, because not every slug allows it. */
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
const isCappedAsRead = ({ maxClicks, capGeneration }: Link): Expression =>
  maxClicks === null ? all(lacks('maxClicks'), hasGeneration(capGeneration)) : has('maxClicks');

/**
 * The write of the alias that a link gives up or gets.
 *
 * @throws RequestError `slug_taken`
 */
async function slugWrite(link: Link, slugs: SlugChange | undefined): Promise<Write | typeof overtaken | undefined> {
  const { taken, freed } = slugs ?? {};
  if (freed !== undefined) return freeing(locationOf(link.domainId, freed), link.id);
  if (taken === undefined) return undefined;
  const location = locationOf(link.domainId, taken);
  const [there] = await readAddresses([location]);
  const alias = await aliasAt(location, there, link.id);
  if (alias) return putting(alias.item, alias.condition);
  return refuseUnlessChanged(link, new RequestError('slug_taken', `${slugTaken.message}.`));
}

/**
 * The writes to the items of the external ids that a link gives up and gets.
 *
 * @throws RequestError `external_id_taken`
 */
async function externalIdWrites(link: Link, { externalId }: Settings): Promise<Writes | typeof overtaken> {
  if (externalId === undefined || externalId === link.externalId) return {};
  const freedId = freeingExternalId(link, link.externalId);
  if (externalId === null) return { freedId };
  const there = await findExternalId(link.workspaceId, externalId);
  if (there.is === 'free') return { freedId, takenId: takingExternalId(link, externalId, there.condition) };
  return refuseUnlessChanged(link, externalIdRefused());
}

/**
 * Refuses a slug or an external id that another link seems to have. The refusal must be true of the link as it now is:
 * it may have the slug itself by now, or be gone.
 *
 * @throws the refusal, unless the link has changed since it was read
 */
async function refuseUnlessChanged(link: Link, refusal: RequestError): Promise<typeof overtaken> {
  const now = await findLink(link.workspaceId, link.id);
  if (now?.revision === link.revision) throw refusal;
  return overtaken;
}
