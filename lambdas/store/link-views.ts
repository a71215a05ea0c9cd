import { isPending, type LinkView, linkView } from '../domain/link.ts';
import { toDomain } from './domains.ts';
import { domainKey, tagKey } from './keys.ts';
import type { FoundLink } from './links.ts';
import { getItems } from './reads.ts';
import { toTag } from './tags.ts';

/** For how long a domain that serves is taken to go on serving, in milliseconds: the redirect does the same. */
const rememberedMs = 60_000;

/** Until when domains are known to serve, by their `domainId`. One that does not yet is looked at each time. */
const serving = new Map<string, number>();

/**
 * Links as the API answers with them: with their tags as they are now, and whether their domains serve. No call for links without tags
 * on a domain that was seen to serve a moment ago; else one batch read of what they have in common.
 *
 * @param origin of their short URLs, with `{domain}`.
 */
export async function linkViews(found: readonly FoundLink[], origin: string): Promise<LinkView[]> {
  const now = Date.now();
  const isServing = (domainId: string) => (serving.get(domainId) ?? 0) > now;
  const hosts = [...new Set(found.flatMap(({ link }) => (isServing(link.domainId) ? [] : link.domain)))];
  const tagKeys = found.flatMap(({ link }) => link.tagIds.map((tagId) => tagKey(link.workspaceId, tagId)));
  const items = await getItems([...hosts.map(domainKey), ...tagKeys]);
  const domains = new Map(hosts.map((host, place) => [host, items[place] && toDomain(items[place])]));
  const tags = new Map(items.slice(hosts.length).flatMap((item) => (item ? [[String(item.id), toTag(item)]] : [])));
  for (const domain of domains.values()) if (domain?.status === 'ACTIVE') remember(domain.domainId, now);
  return found.map(({ link, clickCount }) =>
    linkView(link, {
      origin,
      clickCount,
      tags: link.tagIds.flatMap((tagId) => tags.get(tagId) ?? []),
      pending: !isServing(link.domainId) && isPending(link, domains.get(link.domain)),
    }),
  );
}

/** So many domains are remembered at most. */
const mostRemembered = 1_000;

function remember(domainId: string, now: number): void {
  if (serving.size >= mostRemembered) serving.clear();
  serving.set(domainId, now + rememberedMs);
}
