import { isPending } from '../../core/link/link.ts';
import type { Tag } from '../../core/tag/tag.ts';
import type { WebhookStatus } from '../../core/webhook/delivery.ts';
import { instant } from '../../runtime/instant.ts';
import { memory } from '../../runtime/memory.ts';
import { toDomain } from '../domains/domains.ts';
import { domainKey, type Key, tagKey } from '../table/keys.ts';
import { getItems } from '../table/reads.ts';
import { toTag } from '../tags/tags.ts';
import { statusOfUrls } from '../webhooks/status.ts';
import type { FoundLink } from './links.ts';

/** A link with the other facts that responses show. */
export type LinkDetails = FoundLink & {
  readonly tags: readonly Pick<Tag, 'id' | 'name' | 'color'>[];
  /** The link's domain isn't active yet. */
  readonly pending: boolean;
  /** The status of its `webhookUrls`. Absent in lists. */
  readonly webhookStatus?: readonly WebhookStatus[];
};

/** Caches which domains are active, by `domainId`, for as long as the redirect does. Others are read each time. */
const serving = memory<true>({ forMs: 60_000, most: 1_000 });

/** Caches the tags of lists, and which tags are gone. The tags of a few pages fit, even if each link has 20. */
const listedTags = memory<Tag | undefined>({ forMs: 5_000, most: 5_000 });

/**
 * Reads the tags of links, and whether their domains are active. Reads 100 items per call, and nothing if everything is
 * cached.
 *
 * @param tagsOf `now` reads the current tags, because entity tags are derived from the response for a single link.
 *   `lately` allows tags that are up to 5 seconds old, which is enough for lists.
 */
export async function detailsOf(found: readonly FoundLink[], tagsOf: 'now' | 'lately' = 'now'): Promise<LinkDetails[]> {
  const now = instant();
  const hosts = [...new Set(found.flatMap(({ link }) => (serving.get(link.domainId, now) ? [] : link.domain)))];
  const tags = new Map<string, Tag | undefined>();
  const unknown = new Map<string, Key>();
  for (const { workspaceId, tagIds } of found.map(({ link }) => link)) {
    for (const id of tagIds) {
      const name = nameOf(workspaceId, id);
      const known = tagsOf === 'lately' ? listedTags.get(name, now) : undefined;
      if (known) tags.set(name, known.value);
      else unknown.set(name, tagKey(workspaceId, id));
    }
  }
  const items = await getItems([...hosts.map(domainKey), ...unknown.values()]);
  const domains = new Map(hosts.map((host, index) => [host, items[index] && toDomain(items[index])]));
  for (const [index, name] of [...unknown.keys()].entries()) {
    const item = items[hosts.length + index];
    tags.set(name, item && toTag(item));
    if (tagsOf === 'lately') listedTags.set(name, tags.get(name), now);
  }
  for (const domain of domains.values()) if (domain?.status === 'ACTIVE') serving.set(domain.domainId, true, now);
  return found.map(({ link, clickCount }) => ({
    link,
    clickCount,
    tags: link.tagIds.flatMap((tagId) => tags.get(nameOf(link.workspaceId, tagId)) ?? []),
    pending: !serving.get(link.domainId, now) && isPending(link, domains.get(link.domain)),
  }));
}

/** Like `detailsOf`, for one link. If it has `webhookUrls`, another read finds their status. */
export async function detailsOfOne(found: FoundLink): Promise<LinkDetails> {
  const [[details], webhookStatus] = await Promise.all([detailsOf([found]), statusOfUrls(found.link)]);
  return { ...(details as LinkDetails), webhookStatus };
}

const nameOf = (workspaceId: string, tagId: string): string => `${workspaceId}/${tagId}`;
