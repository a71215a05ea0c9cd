import { isPending, type LinkView, linkView } from '../domain/link.ts';
import type { Tag } from '../domain/tag.ts';
import { toDomain } from './domains.ts';
import { domainKey, type Key, tagKey } from './keys.ts';
import type { FoundLink } from './links.ts';
import { getItems } from './reads.ts';
import { toTag } from './tags.ts';

/** For how long a domain that serves is taken to go on serving, in milliseconds: the redirect does the same. */
const rememberedMs = 60_000;

/** Until when domains are known to serve, by their `domainId`. One that does not yet is looked at each time. */
const serving = new Map<string, number>();

/** For how long a list may show a tag as it was, in milliseconds. */
const tagsAreOldMs = 5_000;

/** The tags of lists, or that there is none any more, and when they were read. */
const listedTags = new Map<string, { readonly tag: Tag | undefined; readonly readAt: number }>();

/** How tags are shown: as they are now, or as they were at most 5 s ago, which is for lists. */
type TagsOf = 'now' | 'lately';

/**
 * Links as the API answers with them: with their tags, and whether their domains serve. No call for links whose domain and tags were seen a
 * moment ago, if that will do; else one batch read of what they have in common.
 *
 * @param origin of their short URLs, with `{domain}`.
 * @param tagsOf `now` unless given: entity tags are made of a single link's answer, so that it has to be exact.
 */
export async function linkViews(found: readonly FoundLink[], origin: string, tagsOf: TagsOf = 'now'): Promise<LinkView[]> {
  const now = Date.now();
  const isServing = (domainId: string) => (serving.get(domainId) ?? 0) > now;
  const hosts = [...new Set(found.flatMap(({ link }) => (isServing(link.domainId) ? [] : link.domain)))];
  const tags = new Map<string, Tag | undefined>();
  const unknown = new Map<string, Key>();
  for (const { workspaceId, tagIds } of found.map(({ link }) => link)) {
    for (const id of tagIds) {
      const known = tagsOf === 'lately' ? listedTags.get(nameOf(workspaceId, id)) : undefined;
      if (known && known.readAt <= now && now < known.readAt + tagsAreOldMs) tags.set(nameOf(workspaceId, id), known.tag);
      else unknown.set(nameOf(workspaceId, id), tagKey(workspaceId, id));
    }
  }
  const items = await getItems([...hosts.map(domainKey), ...unknown.values()]);
  const domains = new Map(hosts.map((host, place) => [host, items[place] && toDomain(items[place])]));
  for (const [place, name] of [...unknown.keys()].entries()) {
    const item = items[hosts.length + place];
    tags.set(name, item && toTag(item));
    if (tagsOf === 'lately') rememberTag(name, tags.get(name), now);
  }
  for (const domain of domains.values()) if (domain?.status === 'ACTIVE') remember(domain.domainId, now);
  return found.map(({ link, clickCount }) =>
    linkView(link, {
      origin,
      clickCount,
      tags: link.tagIds.flatMap((tagId) => tags.get(nameOf(link.workspaceId, tagId)) ?? []),
      pending: !isServing(link.domainId) && isPending(link, domains.get(link.domain)),
    }),
  );
}

const nameOf = (workspaceId: string, tagId: string): string => `${workspaceId}/${tagId}`;

/** So many tags are remembered at most: those of a few pages, each of whose links may have 20. */
const mostTags = 5_000;

function rememberTag(name: string, tag: Tag | undefined, readAt: number): void {
  if (listedTags.size >= mostTags) listedTags.clear();
  listedTags.set(name, { tag, readAt });
}

/** So many domains are remembered at most. */
const mostRemembered = 1_000;

function remember(domainId: string, now: number): void {
  if (serving.size >= mostRemembered) serving.clear();
  serving.set(domainId, now + rememberedMs);
}
