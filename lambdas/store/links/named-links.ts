import type { Link } from '../../core/link/link.ts';
import { parseLinkName } from '../../core/link/link-name.ts';
import { findExternalId, getLinkByExternalId, linkIdsOf } from './external-ids.ts';
import { type FoundLink, findLink, getLink, getLinks } from './links.ts';

/*
 * Links by their names: an id, or `ext_` and an external id, which takes one more read. The link decides: it is found
 * only if it has the external id when it is read. After that, a request uses the id, so its own retries never find
 * another link that has got the external id meanwhile.
 */

/** The workspace's link with that name, and its click count. */
export async function getNamedLink(workspaceId: string, name: string): Promise<FoundLink | undefined> {
  const { id, externalId } = parseLinkName(name) ?? {};
  if (externalId !== undefined) return getLinkByExternalId(workspaceId, externalId);
  return id === undefined ? undefined : getLink(workspaceId, id);
}

/** The same without the click count. */
export async function findNamedLink(workspaceId: string, name: string): Promise<Link | undefined> {
  const { id, externalId } = parseLinkName(name) ?? {};
  if (id !== undefined) return findLink(workspaceId, id);
  const there = externalId === undefined ? undefined : await findExternalId(workspaceId, externalId);
  return there?.is === 'taken' ? there.holder : undefined;
}

/**
 * The workspace's links with those names, in that order; undefined for a name that no link has. Each batch read covers
 * 50 links, or 100 external ids.
 */
export async function getNamedLinks(workspaceId: string, names: readonly string[]): Promise<(FoundLink | undefined)[]> {
  const parsed = names.map(parseLinkName);
  const externalIds = parsed.flatMap((name) => name?.externalId ?? []);
  const idOf = await linkIdsOf(workspaceId, externalIds);
  const ids = parsed.map((name) => name?.id ?? idOf.get(name?.externalId ?? '') ?? '');
  const found = await getLinks(workspaceId, ids);
  return found.map((one, index) => {
    const externalId = parsed[index]?.externalId;
    return externalId === undefined || one?.link.externalId === externalId ? one : undefined;
  });
}

/** A link's id, and the external id that it must have if it was named by that. */
export type LinkIdNamed = { readonly linkId: string; readonly externalId?: string | undefined };

/** The id of the link that has, or lately had, that name in the workspace. No read for an id. */
export async function linkIdNamed(workspaceId: string, name: string): Promise<LinkIdNamed | undefined> {
  const { id, externalId } = parseLinkName(name) ?? {};
  if (externalId === undefined) return id === undefined ? undefined : { linkId: id };
  const linkId = (await linkIdsOf(workspaceId, [externalId])).get(externalId);
  return linkId === undefined ? undefined : { linkId, externalId };
}
