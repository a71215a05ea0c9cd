import { locationInId, locationOf } from '../../domain/ids.ts';
import { type Link, linkDefaults } from '../../domain/link.ts';
import type { Item } from '../table/client.ts';
import { clicksKey, indexed, type Key, linkKey, linkKeyOf, linkPosition, linksIndex } from '../table/keys.ts';
import { getItem, getItems } from '../table/reads.ts';

const linkFields = [
  'id',
  'workspaceId',
  'domain',
  'domainId',
  'shortCode',
  'url',
  'creationMark',
  'createdAt',
  'updatedAt',
  ...(Object.keys(linkDefaults) as (keyof typeof linkDefaults)[]),
] as const satisfies (keyof Link)[];

/** Whether a link lies at its address, and not only what a deleted one left there. */
export const isLink = (item: Item): boolean => 'id' in item;

/** A link from its item. */
export const toLink = (item: Item): Link =>
  Object.fromEntries(linkFields.map((field) => [field, item[field] ?? (linkDefaults as Record<string, unknown>)[field]])) as Link;

/** The item of a new link: what is as by default is left out, to keep it within one write unit. */
export function linkItem(link: Link): Key & Item {
  const said = Object.entries(link).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify((linkDefaults as Record<string, unknown>)[field]),
  );
  return {
    ...linkKeyOf(link.id),
    ...indexed(linksIndex(link.workspaceId), linkPosition(link)),
    ...Object.fromEntries(said),
  };
}

/** A link with what else the table knows of it. */
export type FoundLink = { readonly link: Link; readonly clickCount: number };

/** The workspace's link of that id, with its count of clicks. One batch read; none where the text is no link id. */
export async function getLink(workspaceId: string, id: string): Promise<FoundLink | undefined> {
  return (await getLinks(workspaceId, [id]))[0];
}

/** The workspace's links of those ids, in that order; undefined where it has none. 50 links a batch read. */
export async function getLinks(workspaceId: string, ids: readonly string[]): Promise<(FoundLink | undefined)[]> {
  const known = ids.filter((id) => locationInId(id) !== undefined);
  const items = await getItems(known.flatMap((id) => [linkKeyOf(id), clicksKey(id)]));
  const found = known.map((id, place): [string, FoundLink | undefined] => {
    const [item, clicks] = [items[2 * place], items[2 * place + 1]];
    // The address may have been given out again, to another link or another workspace.
    if (item?.id !== id || item.workspaceId !== workspaceId) return [id, undefined];
    return [id, { link: toLink(item), clickCount: Number(clicks?.count ?? 0) }];
  });
  const byId = new Map(found);
  return ids.map((id) => byId.get(id));
}

/** The link at an address, whosever it is. One read. */
export async function getLinkAt(domainId: string, slug: string): Promise<Link | undefined> {
  const item = await getItem(linkKey(locationOf(domainId, slug)));
  return item && isLink(item) ? toLink(item) : undefined;
}
