import { isPending } from '../../domain/link.ts';
import type { Tag } from '../../domain/tag.ts';
import { memory } from '../../runtime/memory.ts';
import { toDomain } from '../domains.ts';
import { domainKey, type Key, tagKey } from '../table/keys.ts';
import { getItems } from '../table/reads.ts';
import { toTag } from '../tags.ts';
import type { FoundLink } from './links.ts';

/** A link with what an answer says of it besides. */
export type LinkDetails = FoundLink & {
  readonly tags: readonly Pick<Tag, 'id' | 'name' | 'color'>[];
  /** Its domain does not serve yet. */
  readonly pending: boolean;
};

/** The domains that serve, by their `domainId`. One that does not serve yet is read each time. The redirect remembers domains as long. */
const serving = memory<true>({ forMs: 60_000, most: 1_000 });

/** The tags of lists, or that a tag is gone. The tags of a few pages fit, even if each link has 20. */
const listedTags = memory<Tag | undefined>({ forMs: 5_000, most: 5_000 });

/**
 * Reads the tags of links, and whether their domains serve: with one batch read, or none if all of it was read a moment ago.
 *
 * @param tagsOf `now` reads the tags as they are, since entity tags are made of a single link's answer. `lately` allows for tags as they were
 *   at most 5 seconds ago, which will do for lists.
 */
export async function detailsOf(found: readonly FoundLink[], tagsOf: 'now' | 'lately' = 'now'): Promise<LinkDetails[]> {
  const now = Date.now();
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
  const domains = new Map(hosts.map((host, place) => [host, items[place] && toDomain(items[place])]));
  for (const [place, name] of [...unknown.keys()].entries()) {
    const item = items[hosts.length + place];
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

/** The same for one link. */
export async function detailsOfOne(found: FoundLink): Promise<LinkDetails> {
  const [details] = await detailsOf([found]);
  return details as LinkDetails;
}

const nameOf = (workspaceId: string, tagId: string): string => `${workspaceId}/${tagId}`;
