import type { Domain } from '../../core/domain/domain.ts';
import type { BlockedHosts } from '../../core/link/destination.ts';
import { isPending } from '../../core/link/link.ts';
import { stateOf } from '../../core/link/state.ts';
import type { Tag } from '../../core/tag/tag.ts';
import type { WebhookStatus } from '../../core/webhook/delivery.ts';
import { instant } from '../../runtime/instant.ts';
import { memory } from '../../runtime/memory.ts';
import { type Key, tagKey } from '../table/keys.ts';
import { getItems } from '../table/reads.ts';
import { toTag } from '../tags/tags.ts';
import { statusOfUrls } from '../webhooks/status.ts';
import type { CreatedLink } from './create.ts';
import type { FoundLink } from './links.ts';
import { type LinkStatus, stateReads } from './states.ts';

/** A link with the other facts that responses show. */
export type LinkDetails = FoundLink &
  LinkStatus & {
    readonly tags: readonly Pick<Tag, 'id' | 'name' | 'color'>[];
    /** The status of its `webhookUrls`. Absent in lists. */
    readonly webhookStatus?: readonly WebhookStatus[];
  };

/** Returns the blocked hosts, which a function caches for a while. */
export type BlockedNow = () => Promise<BlockedHosts>;

/** Caches the tags of lists, and which tags are gone. The tags of a few pages fit, even if each link has 20. */
const listedTags = memory<Tag | undefined>({ forMs: 5_000, most: 5_000 });

/**
 * Reads the tags of links, and what their states depend on. Reads 100 items per call, and nothing if everything is
 * cached and no link has a cap.
 *
 * @param found with the status, if a list by state has determined it already.
 * @param asOf `now` reads the current tags and caps, because entity tags are derived from the response for a single
 *   link. `lately` allows those that are up to 5 seconds old, which is enough for lists.
 */
export async function detailsOf(
  found: readonly (FoundLink & { readonly status?: LinkStatus })[],
  blockedNow: BlockedNow,
  asOf: 'now' | 'lately' = 'now',
): Promise<LinkDetails[]> {
  const now = instant();
  const states = stateReads(
    found.flatMap(({ link, status }) => (status ? [] : link)),
    asOf,
  );
  const tags = new Map<string, Tag | undefined>();
  const unknown = new Map<string, Key>();
  for (const { workspaceId, tagIds } of found.map(({ link }) => link)) {
    for (const id of tagIds) {
      const name = nameOf(workspaceId, id);
      const known = asOf === 'lately' ? listedTags.get(name, now) : undefined;
      if (known) tags.set(name, known.value);
      else unknown.set(name, tagKey(workspaceId, id));
    }
  }
  const [blocked, items] = await Promise.all([blockedNow(), getItems([...states.keys, ...unknown.values()])]);
  for (const [index, name] of [...unknown.keys()].entries()) {
    const item = items[states.keys.length + index];
    tags.set(name, item && toTag(item));
    if (asOf === 'lately') listedTags.set(name, tags.get(name), now);
  }
  const statusOf = states.statusOf(items, blocked);
  return found.map(({ link, clickCount, lastClickedAt, status = statusOf(link) }) => ({
    link,
    clickCount,
    lastClickedAt,
    tags: link.tagIds.flatMap((tagId) => tags.get(nameOf(link.workspaceId, tagId)) ?? []),
    ...status,
  }));
}

/** Like `detailsOf`, for one link. If it has `webhookUrls`, another read finds their status. */
export async function detailsOfOne(found: FoundLink, blockedNow: BlockedNow): Promise<LinkDetails> {
  const [[details], webhookStatus] = await Promise.all([detailsOf([found], blockedNow), statusOfUrls(found.link)]);
  return { ...(details as LinkDetails), webhookStatus };
}

/**
 * The details of a link that was just created on a domain. Its destination isn't blocked, or it would have been
 * refused.
 */
export async function detailsOfNew({ link, tags }: CreatedLink, domain: Domain): Promise<LinkDetails> {
  const pending = isPending(link, domain);
  const state = stateOf(link, { blocked: new Set(), now: Date.now(), used: 0, pending });
  return { link, clickCount: 0, tags, pending, state, webhookStatus: await statusOfUrls(link) };
}

const nameOf = (workspaceId: string, tagId: string): string => `${workspaceId}/${tagId}`;
