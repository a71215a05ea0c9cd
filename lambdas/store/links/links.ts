import { leadsTo } from '../../core/link/aliases.ts';
import { type Link, linkDefaults, redirectTypes } from '../../core/link/link.ts';
import { locationInId, locationOf } from '../../core/link/location.ts';
import type { Rule } from '../../core/link/rules.ts';
import type { Variant } from '../../core/link/variants.ts';
import { toClickCount, toLastClickedAt } from '../clicks/counts.ts';
import { created } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import { flag, map, maps, maybeNumber, maybeText, number, numbers, oneOf, text, texts } from '../table/fields.ts';
import { countKey, indexed, type Key, linkKey, linkKeyOf, linkPosition, linksIndex } from '../table/keys.ts';
import { getItem, getItems, type Reading } from '../table/reads.ts';

/** Whether the item at an address is a link, and neither a tombstone nor another link's alias. */
export const isLink = (item: Item): boolean => 'id' in item;

export const toLink = (item: Item): Link => ({
  id: text(item, 'id'),
  workspaceId: text(item, 'workspaceId'),
  domain: text(item, 'domain'),
  domainId: text(item, 'domainId'),
  shortCode: text(item, 'shortCode'),
  aliases: texts(item, 'aliases', linkDefaults.aliases),
  url: text(item, 'url'),
  creationMark: text(item, 'creationMark'),
  createdAt: text(item, 'createdAt'),
  updatedAt: text(item, 'updatedAt'),
  title: maybeText(item, 'title') ?? linkDefaults.title,
  description: maybeText(item, 'description') ?? linkDefaults.description,
  image: maybeText(item, 'image') ?? linkDefaults.image,
  notes: maybeText(item, 'notes') ?? linkDefaults.notes,
  redirectType: oneOf(item, 'redirectType', redirectTypes, linkDefaults.redirectType),
  isActive: flag(item, 'isActive', linkDefaults.isActive),
  isArchived: flag(item, 'isArchived', linkDefaults.isArchived),
  cloaked: flag(item, 'cloaked', linkDefaults.cloaked),
  forwardParameters: flag(item, 'forwardParameters', linkDefaults.forwardParameters),
  forwardPath: flag(item, 'forwardPath', linkDefaults.forwardPath),
  hideReferrer: flag(item, 'hideReferrer', linkDefaults.hideReferrer),
  blockBots: flag(item, 'blockBots', linkDefaults.blockBots),
  confirmVisit: flag(item, 'confirmVisit', linkDefaults.confirmVisit),
  rules: item.rules === undefined ? linkDefaults.rules : maps(item, 'rules').map(toRule),
  variants: item.variants === undefined ? linkDefaults.variants : maps(item, 'variants').map(toVariant),
  startsAt: maybeText(item, 'startsAt') ?? linkDefaults.startsAt,
  expiresAt: maybeText(item, 'expiresAt') ?? linkDefaults.expiresAt,
  expiredUrl: maybeText(item, 'expiredUrl') ?? linkDefaults.expiredUrl,
  maxClicks: maybeNumber(item, 'maxClicks') ?? linkDefaults.maxClicks,
  capGeneration: number(item, 'capGeneration', linkDefaults.capGeneration),
  clickEpoch: number(item, 'clickEpoch', linkDefaults.clickEpoch),
  revision: number(item, 'revision', linkDefaults.revision),
  disabledAt: maybeText(item, 'disabledAt') ?? linkDefaults.disabledAt,
  formerMarks: numbers(item, 'formerMarks'),
  restoredFrom: maybeText(item, 'restoredFrom') ?? linkDefaults.restoredFrom,
  tagIds: texts(item, 'tagIds', linkDefaults.tagIds),
  externalId: maybeText(item, 'externalId') ?? linkDefaults.externalId,
  managedBy: maybeText(item, 'managedBy') ?? linkDefaults.managedBy,
  metaPixelId: maybeText(item, 'metaPixelId') ?? linkDefaults.metaPixelId,
  googleTagId: maybeText(item, 'googleTagId') ?? linkDefaults.googleTagId,
  webhookUrls: maybeText(item, 'webhookUrls') ?? linkDefaults.webhookUrls,
  passwordHash: maybeText(item, 'passwordHash') ?? linkDefaults.passwordHash,
  unframeableUrl: maybeText(item, 'unframeableUrl') ?? linkDefaults.unframeableUrl,
});

/** A condition that this version does not know is kept, so that the rule never matches. */
const toRule = (rule: Item): Rule => ({ if: map(rule, 'if'), url: text(rule, 'url') });

const toVariant = (variant: Item): Variant => ({
  id: text(variant, 'id'),
  url: text(variant, 'url'),
  weight: number(variant, 'weight'),
});

/** The item of a new link. Defaults are left out, to keep it within one write unit. */
export function linkItem(link: Link): Key & Item {
  const said = Object.entries(link).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify((linkDefaults as Record<string, unknown>)[field]),
  );
  return {
    ...linkKeyOf(link.id),
    ...indexed(linksIndex(link.workspaceId, link.isArchived), linkPosition(link)),
    ...Object.fromEntries(said),
    ...created(),
  };
}

/**
 * A link with its click count, and when its newest click was recorded; undefined if it has none, or that isn't known.
 */
export type FoundLink = { readonly link: Link; readonly clickCount: number; readonly lastClickedAt?: string | undefined };

/** The workspace's link with that id, and its click count. One batch read; none if the text isn't a link id. */
export async function getLink(workspaceId: string, id: string): Promise<FoundLink | undefined> {
  return (await getLinks(workspaceId, [id]))[0];
}

/** The same without the click count. One read of one item. */
export async function findLink(workspaceId: string, id: string): Promise<Link | undefined> {
  const link = await findAnyLink(id);
  return link?.workspaceId === workspaceId ? link : undefined;
}

/** The workspace's links with those ids, without their counts. Each batch read covers 100 links. */
export async function findLinks(workspaceId: string, ids: readonly string[], reading?: Reading): Promise<Link[]> {
  const known = ids.filter((id) => locationInId(id) !== undefined);
  const items = await getItems(known.map(linkKeyOf), reading);
  return items.flatMap((item, index) =>
    item && item.id === known[index] && item.workspaceId === workspaceId ? toLink(item) : [],
  );
}

/** The same by their ids. Each link is read once. */
export const findLinksById = async (workspaceId: string, ids: readonly string[]): Promise<ReadonlyMap<string, Link>> =>
  new Map((await findLinks(workspaceId, [...new Set(ids)])).map((link) => [link.id, link]));

/** The link with that id, of any workspace. One read of one item. */
export async function findAnyLink(id: string): Promise<Link | undefined> {
  if (locationInId(id) === undefined) return undefined;
  const item = await getItem(linkKeyOf(id));
  return item?.id === id ? toLink(item) : undefined;
}

/**
 * The workspace's links with those ids, in that order; undefined for an id that the workspace does not have. Each batch
 * read covers 50 links.
 */
export async function getLinks(
  workspaceId: string,
  ids: readonly string[],
  reading?: Reading,
): Promise<(FoundLink | undefined)[]> {
  const known = ids.filter((id) => locationInId(id) !== undefined);
  const items = await getItems(
    known.flatMap((id) => [linkKeyOf(id), countKey(id)]),
    reading,
  );
  const found = known.map((id, index): [string, FoundLink | undefined] => {
    const [item, clicks] = [items[2 * index], items[2 * index + 1]];
    // The address may since have been reused, by another link or another workspace.
    if (item?.id !== id || item.workspaceId !== workspaceId) return [id, undefined];
    const link = toLink(item);
    return [id, { link, clickCount: toClickCount(clicks, link), lastClickedAt: toLastClickedAt(clicks, link) }];
  });
  const byId = new Map(found);
  return ids.map((id) => byId.get(id));
}

/**
 * The link at the first of these places that has one; undefined if none does. One batch read, and another one if a slug
 * isn't its link's first.
 *
 * @param places `behind` is the path after the slug: only a link with `forwardPath` is at such a place.
 */
export async function getFirstLink<P extends { readonly slug: string; readonly behind?: string }>(
  domainId: string,
  places: readonly P[],
): Promise<{ readonly link: Link; readonly at: P } | undefined> {
  const there = await getItems(places.map(({ slug }) => linkKey(locationOf(domainId, slug))));
  const ids = there.map((item) => item && maybeText(item, 'aliasOf'));
  const keys = ids.flatMap((id) => (id === undefined ? [] : linkKeyOf(id)));
  const named = keys.length > 0 ? await getItems(keys) : [];
  for (const [index, at] of places.entries()) {
    const id = ids[index];
    const link = linkAt(domainId, at.slug, id === undefined ? there[index] : named.shift(), id);
    if (link && (at.behind === undefined || link.forwardPath)) return { link, at };
  }
  return undefined;
}

/** The link that a slug leads to, of any workspace. One read, or two if the slug is not the link's first one. */
export async function getLinkAt(domainId: string, slug: string): Promise<Link | undefined> {
  const there = await getItem(linkKey(locationOf(domainId, slug)));
  const id = there && maybeText(there, 'aliasOf');
  const item = id === undefined ? there : await getItem(linkKeyOf(id));
  return linkAt(domainId, slug, item, id);
}

/** The link of an item that was read for a slug. @param aliasOf the id of the link, if the slug is not its first one */
function linkAt(domainId: string, slug: string, item: Item | undefined, aliasOf: string | undefined): Link | undefined {
  if (!item || !isLink(item) || (aliasOf !== undefined && item.id !== aliasOf)) return undefined;
  // The reads aren't a snapshot, and an alias may be stray. So the link's own slugs decide.
  const link = toLink(item);
  return link.domainId === domainId && leadsTo(link, slug) ? link : undefined;
}
