import type { Domain } from '../../core/domain/domain.ts';
import { RequestError } from '../../core/errors.ts';
import { type Creation, creationMark, onlyLink, slugToTry } from '../../core/link/creation.ts';
import type { TagsOfTemplate } from '../../core/link/given-settings.ts';
import { linkDeleted, slugTaken } from '../../core/link/import.ts';
import { type Link, type LinkSettings, newLink } from '../../core/link/link.ts';
import { locationOf, newLinkId } from '../../core/link/location.ts';
import type { Tag } from '../../core/tag/tag.ts';
import { commitPlain } from '../table/commit.ts';
import type { Expression } from '../table/expressions.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { putting } from '../table/writes.ts';
import { getTags } from '../tags/tags.ts';
import { findOwn, found, untouched } from './addresses.ts';
import { settingCap } from './caps.ts';
import { type ExternalId, externalIdRefused, findExternalId, takingExternalId } from './external-ids.ts';
import { linkItem } from './links.ts';
import { asTransaction, changeTo, linkWrite, refuseUnknownTags, type TaggedChange } from './tagging.ts';

/** A new link's destination, and every setting that differs from the default. */
export type NewLink = Partial<LinkSettings> &
  Pick<LinkSettings, 'url'> &
  TagsOfTemplate & {
    readonly customSlug?: string | undefined;
    /** Where the request names each of its tags, as a JSON Pointer. */
    readonly tagPaths?: readonly string[] | undefined;
  };

/** A created link with its tags, so that the response needs no further read. */
export type CreatedLink = { readonly link: Link; readonly tags: readonly Tag[] };

const deletedSince = () => new RequestError('link_deleted', `${linkDeleted.message}.`);

/**
 * Creates a link with one conditional write. If it has tags, a cap or an external id, the write is a transaction that
 * also updates the tags' counts, and creates the cap and the item of the external id.
 *
 * The link carries its request's creation mark. If its address is taken, the mark tells whether an earlier attempt of
 * the same request created that link, and then lost its response or died. If a generated slug is taken by another link,
 * the next one is tried.
 *
 * @throws RequestError `slug_taken`, `external_id_taken`, `tag_not_found`; `link_deleted` if an earlier attempt created
 *   the link and it was deleted since
 */
export async function createLink(
  domain: Domain,
  { customSlug, tagPaths, dropsGoneTags, ...settings }: NewLink,
  creation: Creation,
): Promise<CreatedLink> {
  const { workspaceId } = domain;
  const wantedTags = settings.tagIds ?? [];
  const wanted = onlyLink(customSlug);
  const mark = creationMark(creation, wanted);
  let there = untouched;
  let slugsTaken = 0;
  return retrying(async () => {
    const tags = await getTags(workspaceId, wantedTags);
    const live = new Set(tags.map(({ id }) => id));
    if (!dropsGoneTags) refuseUnknownTags(wantedTags, live, tagPaths);
    const tagIds = wantedTags.filter((id) => live.has(id));
    const external = settings.externalId == null ? undefined : await findExternalId(workspaceId, settings.externalId);
    if (external?.is === 'taken') {
      const { holder } = external;
      if (holder.creationMark === mark) return { link: holder, tags: ofLink(holder, tags) };
      throw externalIdRefused();
    }
    const shortCode = slugToTry(creation, wanted, slugsTaken, new Set());
    const { formerMarks, condition } = there;
    const id = newLinkId(locationOf(domain.domainId, shortCode));
    const identity = { id, shortCode, creationMark: mark, formerMarks };
    const link = newLink(domain, creation.createdAt, identity, { ...settings, tagIds });
    const change = creating(link, condition, external);
    const { failed, items } = await commitPlain(asTransaction(workspaceId, [change], live));
    if (!failed) return { link, tags };
    const now = await found(items[linkWrite(link)], mark);
    if (now.is === 'own') return { link: now.link, tags: ofLink(now.link, tags) };
    if (now.is === 'deleted') throw deletedSince();
    // An empty address means that a tag, or a tombstone, has gone in between, or that another link has the external id.
    // The next attempt replaces a tombstone or a stray alias.
    if (now === untouched || (now.is === 'free' && customSlug !== undefined)) there = now;
    else if (customSlug !== undefined) throw new RequestError('slug_taken', `${slugTaken.message}.`);
    else slugsTaken++;
    return overtaken;
  });
}

const ofLink = (link: Link, tags: readonly Tag[]): Tag[] => tags.filter(({ id }) => link.tagIds.includes(id));

/**
 * A new link as part of a transaction, with its tags, cap and external id.
 *
 * @param condition that its address still is as it was read.
 * @param external its external id as it was read.
 */
export function creating(link: Link, condition: Expression, external: ExternalId | undefined): TaggedChange {
  const isFree = external?.is === 'free' && link.externalId !== null;
  return changeTo({ ...link, tagIds: [] }, link.tagIds, {
    link: putting(linkItem(link), condition),
    cap: link.maxClicks === null ? undefined : settingCap({ id: link.id, capGeneration: 0 }, undefined, 0).write,
    externalId: isFree ? takingExternalId(link, link.externalId, external.condition) : undefined,
  });
}

/**
 * The link that an earlier attempt of the same request created; undefined if none did.
 *
 * @throws RequestError `link_deleted` if it was deleted since.
 */
export async function findCreated(
  domainId: string,
  customSlug: string | undefined,
  creation: Creation,
): Promise<Link | undefined> {
  const own = (await findOwn(domainId, creation, [onlyLink(customSlug)], new Set())).get(0);
  if (own?.is === 'deleted') throw deletedSince();
  return own?.link;
}
