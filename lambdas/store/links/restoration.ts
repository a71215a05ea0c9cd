import type { Domain } from '../../core/domain/domain.ts';
import { type FieldError, RequestError } from '../../core/errors.ts';
import { revertRefused } from '../../core/history/history.ts';
import { type Creation, creationMark, onlyLink } from '../../core/link/creation.ts';
import { type Link, type LinkSettings, newLink } from '../../core/link/link.ts';
import { locationOf, newLinkId } from '../../core/link/location.ts';
import { type DeletionEntry, findDeletion, hasDeletionEntry, markingRestored } from '../history/history.ts';
import { commit } from '../table/commit.ts';
import { linkKeyOf } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { putting } from '../table/writes.ts';
import { aliasAt, found, readAddresses } from './addresses.ts';
import { creating } from './create.ts';
import { findExternalId } from './external-ids.ts';
import { type FoundLink, getLink } from './links.ts';
import { asTransaction, liveTags } from './tagging.ts';

/**
 * How a deletion is undone: one transaction makes a new link at the deleted one's addresses, and marks the entry of the
 * deletion with the new link's id, if it has no such mark. So a deletion is undone once, however many requests ask for
 * it:
 *
 *     A   reads the entry: no mark
 *     B   reads the entry: no mark
 *     A   transaction: link N1, the entry becomes N1's. A dies before it responds
 *     B   transaction: link N2, the entry becomes N2's      refused: nothing was written
 *     B   reads the entry: N1, and returns it
 *     A's client sends the request again, and gets N1, too
 *
 * If N1 has been deleted since, that deletion has its own entry, and can be undone. If the entry was restored from a
 * backup, and lost its mark, the link at the address still says from which link it was made. If the tables were
 * restored to different times, and the mark names a link that neither exists nor was deleted, the mark is ignored.
 */

/** What to make again: the settings of the deleted link, and its slugs. */
export type WantedAgain = Partial<LinkSettings> & Pick<LinkSettings, 'url'> & Pick<Link, 'shortCode' | 'aliases'>;

/**
 * The link that was made from a deleted one; undefined if none was yet, or if restored tables have no trace of it.
 *
 * @throws RequestError `link_deleted` if it was deleted again
 */
export async function restoredLink(workspaceId: string, entry: DeletionEntry): Promise<FoundLink | undefined> {
  return made(workspaceId, (await findDeletion(entry)).restoredAs);
}

async function made(workspaceId: string, id: string | undefined): Promise<FoundLink | undefined> {
  if (id === undefined) return undefined;
  const link = await getLink(workspaceId, id);
  if (link) return link;
  const left = await getItem(linkKeyOf(id));
  // The tombstone shows a deletion before the history records it, and the history keeps it for longer.
  if (left?.deletedId !== id && !(await hasDeletionEntry(id))) return undefined;
  throw new RequestError('link_deleted', 'The link was restored and has been deleted again since: revert that deletion instead.');
}

/**
 * Makes a deleted link again, with a new id, without clicks, and without tags that are gone. A link that the operator
 * disabled comes back disabled.
 *
 * @returns the link, or the one that another request has made from the same deletion.
 * @throws RequestError `revert_refused`, which names the addresses and the external id that are taken; `link_deleted`
 */
export async function restoreLink(
  domain: Domain,
  { shortCode, aliases, ...settings }: WantedAgain,
  entry: DeletionEntry,
  creation: Creation,
): Promise<FoundLink> {
  const { workspaceId, domainId } = domain;
  const mark = creationMark(creation, onlyLink(shortCode));
  const locations = [shortCode, ...aliases].map((slug) => locationOf(domainId, slug));
  return retrying(async () => {
    const { disabledAt, restoredAs } = await findDeletion(entry);
    const before = await made(workspaceId, restoredAs);
    if (before) return before;
    const live = await liveTags(workspaceId, settings.tagIds ?? []);
    const tagIds = (settings.tagIds ?? []).filter((tagId) => live.has(tagId));
    const external = settings.externalId == null ? undefined : await findExternalId(workspaceId, settings.externalId);
    const [item, ...aliasItems] = await readAddresses(locations);
    if (item?.restoredFrom === entry.subjectId) {
      const again = await made(workspaceId, String(item.id));
      // If there is none, it has moved or been deleted since it was read.
      return again ?? overtaken;
    }
    const there = await found(item, mark);
    const id = newLinkId(locations[0] ?? '');
    const free = await Promise.all(aliasItems.map((one, index) => aliasAt(locations[index + 1] ?? '', one, id)));
    const taken: FieldError[] = [
      ...(there.is === 'free' ? [] : [takenAt('/customSlug', domain, shortCode)]),
      ...aliases.flatMap((slug, index) => (free[index] ? [] : takenAt(`/aliases/${index}`, domain, slug))),
      ...(external?.is === 'taken' ? [externalIdTaken(settings.externalId)] : []),
    ];
    if (there.is !== 'free' || taken.length > 0) throw revertRefused(taken);
    const identity = { id, shortCode, creationMark: mark, formerMarks: there.formerMarks };
    const again = newLink(domain, creation.createdAt, identity, { ...settings, tagIds });
    const link: Link = { ...again, aliases, disabledAt, restoredFrom: entry.subjectId };
    const { failed } = await commit({
      ...asTransaction(workspaceId, [creating(link, there.condition, external)], live),
      entry: markingRestored(entry, id, restoredAs),
      ...Object.fromEntries(
        aliases.map((slug, index) => [slug, free[index] && putting(free[index].item, free[index].condition)]),
      ),
    });
    // If it failed, another request was first, or somebody has taken an address or the external id, or deleted a tag.
    return failed ? overtaken : { link, clickCount: 0 };
  });
}

const takenAt = (path: string, { host }: Domain, slug: string): FieldError => ({
  path,
  code: 'slug_taken',
  message: `cannot be restored, because ${host}/${slug} is taken by another link`,
});

const externalIdTaken = (externalId: string | null | undefined): FieldError => ({
  path: '/externalId',
  code: 'external_id_taken',
  message: `cannot be restored, because another link has the external id ${externalId}`,
});
