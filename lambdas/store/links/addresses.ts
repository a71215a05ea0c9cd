import { newChangeToken } from '../../core/ids.ts';
import { aliasLocations } from '../../core/link/aliases.ts';
import { type Creation, creationMark, slugToTry, type WantedLink } from '../../core/link/creation.ts';
import type { Link } from '../../core/link/link.ts';
import { locationOf, newLinkId } from '../../core/link/location.ts';
import { changed, created, signed } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import { all, type Expression, is, isAbsent, set } from '../table/expressions.ts';
import { maybeText, numbers, text } from '../table/fields.ts';
import { type Key, linkKey, linkKeyOf, toKey } from '../table/keys.ts';
import { getItems } from '../table/reads.ts';
import { updating, type Write } from '../table/writes.ts';
import { isLink, toLink } from './links.ts';

/**
 * A deleted link leaves a tombstone at its address, with its id and its creation mark. A link is
 * created on the condition that its address is empty, or has a tombstone without the request's own mark. So a request
 * that is repeated, or that resumes after another function took it over, cannot recreate a link that was created and
 * deleted in between, however late its write arrives. A link that replaces a tombstone keeps its marks.
 */

/** How long a tombstone is kept, in seconds: twice as long as a request may be repeated. */
const keptSeconds = 48 * 60 * 60;

/** How many marks of deleted links an address keeps: the latest. Each takes about 40 bytes of the item. */
const mostMarks = 20;

type Marks = Link['formerMarks'];

/** The marks with one added, without those that have been kept long enough. */
function withMark(marks: Marks, mark: string, now: number): Marks {
  const seconds = Math.floor(now / 1_000);
  const recent = Object.entries(marks).filter(([other, at]) => other !== mark && at > seconds - keptSeconds);
  return Object.fromEntries([...recent.sort(([, a], [, b]) => a - b).slice(1 - mostMarks), [mark, seconds]]);
}

/** The tombstone that replaces a deleted link with this id and these marks. */
export const tombstone = (
  { id, creationMark: mark, formerMarks }: Pick<Link, 'id' | 'creationMark' | 'formerMarks'>,
  now = Date.now(),
): Key & Item => ({
  ...linkKeyOf(id),
  deletedId: id,
  formerMarks: withMark(formerMarks, mark, now),
  ttl: Math.ceil(now / 1_000) + keptSeconds,
  ...changed(),
});

/**
 * An address without a link, which a new link replaces: empty, or with a tombstone of other requests, or with the alias
 * of a link that is gone or does not list the slug. Transactions never leave such an alias, but a partial restoration
 * may. Each time a link takes an alias, `taken` differs, so that an alias is not replaced if its link has just got it
 * back (as with `external-ids.ts`).
 */
export type Free = { readonly is: 'free'; readonly formerMarks: Marks; readonly condition: Expression };

/** What is at an address, from the point of view of a request that wants to create a link there. */
export type Found =
  | Free
  /** The request's own link, created by an earlier attempt. */
  | { readonly is: 'own'; readonly link: Link }
  /** The request's own link was here and has been deleted. */
  | { readonly is: 'deleted'; readonly deletedId: string | undefined }
  | { readonly is: 'taken' };

/**
 * An empty address. Links with generated slugs avoid tombstones, so that every attempt moves on to the same next slug.
 */
export const untouched: Free = { is: 'free', formerMarks: {}, condition: isAbsent };

/** What an earlier attempt of the request with this mark has left at an address; undefined if nothing. */
function ownAt(item: Item | undefined, mark: string): Extract<Found, { is: 'own' | 'deleted' }> | undefined {
  if (item?.creationMark === mark) return { is: 'own', link: toLink(item) };
  if (item?.pk === undefined || !(mark in numbers(item, 'formerMarks'))) return undefined;
  return { is: 'deleted', deletedId: maybeText(item, 'deletedId') };
}

/**
 * What an item at an address means to the request with this mark. Undefined and `{}` stand for no item. One read if it
 * is an alias.
 */
export async function found(item: Item | undefined, mark: string): Promise<Found> {
  if (item?.pk === undefined) return untouched;
  const own = ownAt(item, mark);
  if (own) return own;
  if (isLink(item)) return { is: 'taken' };
  const formerMarks = numbers(item, 'formerMarks');
  const aliasOf = maybeText(item, 'aliasOf');
  if (aliasOf === undefined) return { is: 'free', formerMarks, condition: is('deletedId', text(item, 'deletedId')) };
  if (await isHeld(toKey(item), aliasOf)) return { is: 'taken' };
  return { is: 'free', formerMarks, condition: all(is('aliasOf', aliasOf), is('taken', text(item, 'taken'))) };
}

/** Whether the link that an alias names exists, and has the alias. One read. */
async function isHeld({ pk }: Key, aliasOf: string): Promise<boolean> {
  const [item] = await getItems([linkKeyOf(aliasOf)]);
  return item?.id === aliasOf && aliasLocations(toLink(item)).some((one) => linkKey(one).pk === pk);
}

/**
 * An alias at a free address, which keeps the marks of links that were deleted there. A new link cannot replace it.
 *
 * @param item what was read there.
 * @returns the item and the condition that the address is still as it was read; undefined if it isn't free.
 */
export async function aliasAt(location: string, item: Item | undefined, aliasOf: string) {
  const there = await found(item, '');
  if (there.is !== 'free') return undefined;
  const { formerMarks, condition } = there;
  return { item: { ...linkKey(location), aliasOf, taken: newChangeToken(), formerMarks, ...created() }, condition };
}

/** Frees the address of a link's alias: a tombstone without a mark of its own stays there. */
export const freeing = (location: string, aliasOf: string): Write =>
  updating(
    linkKey(location),
    signed(
      set({
        deletedId: newLinkId(location),
        ttl: Math.ceil(Date.now() / 1_000) + keptSeconds,
        aliasOf: null,
        taken: null,
      }),
    ),
    is('aliasOf', aliasOf),
  );

/** A tombstone that keeps any outstanding write of the request from landing at that address. */
export const fence = (location: string, mark: string, formerMarks: Marks): Key & Item & { deletedId: string } => {
  const id = newLinkId(location);
  return { ...tombstone({ id, creationMark: mark, formerMarks }), deletedId: id };
};

/** How many generated slugs to check per link. The chance that an earlier attempt needed a third one is 1 in 10^9. */
const slugsLookedFor = 3;

/** The items at these locations, in their order. */
export const readAddresses = (locations: readonly string[]): Promise<(Item | undefined)[]> =>
  getItems(locations.map((location) => linkKey(location)));

/**
 * What earlier attempts of the same request created, by the links' positions in the request: links that still exist,
 * and links that were deleted since. Consistent, 100 addresses per call.
 */
export async function findOwn(
  domainId: string,
  creation: Creation,
  wanted: readonly WantedLink[],
  avoid: ReadonlySet<string>,
): Promise<Map<number, Extract<Found, { is: 'own' | 'deleted' }>>> {
  const tried = wanted.flatMap((link) =>
    Array.from({ length: link.customSlug === undefined ? slugsLookedFor : 1 }, (_, attempt) => ({
      index: link.index,
      mark: creationMark(creation, link),
      location: locationOf(domainId, slugToTry(creation, link, attempt, avoid)),
    })),
  );
  const items = await readAddresses(tried.map(({ location }) => location));
  const own = new Map<number, Extract<Found, { is: 'own' | 'deleted' }>>();
  tried.forEach(({ index, mark }, position) => {
    const there = ownAt(items[position], mark);
    if (there) own.set(index, there);
  });
  return own;
}
