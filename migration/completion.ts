import { createHash } from 'node:crypto';
import { tagsPerLink } from '../lambdas/domain/limits.ts';
import { foldTagName } from '../lambdas/domain/tag.ts';
import type { LinkView } from '../lambdas/views/link.ts';
import { ApiError, type Client } from './api.ts';
import type { PlannedLink } from './plan.ts';
import type { Entry, Found } from './results.ts';

/** The ids of tags by their folded names. */
export type TagIds = ReadonlyMap<string, string>;

/** What the completion of a link changes in what is said of it. */
type Completed = Pick<Found, 'reason'> & Partial<Pick<Found, 'outcome'>>;

/** Whether a link gets something by an update. */
export const needsCompletion = ({ tags, expiresAt }: PlannedLink): boolean => tags.length > 0 || expiresAt !== undefined;

/** The ids of all tags that are wanted; those that are not there are made. */
export async function makeTags(client: Client, entries: readonly Entry[], isStopped: () => boolean): Promise<TagIds> {
  const wanted = new Map(entries.flatMap(({ link }) => link.tags.map((name) => [foldTagName(name), name] as const)));
  if (wanted.size === 0) return new Map();
  const known = async () => new Map((await client.listTags()).map(({ id, name }) => [foldTagName(name), id]));
  const ids = await known();
  for (const [folded, name] of wanted) {
    if (ids.has(folded) || isStopped()) continue;
    try {
      ids.set(folded, (await client.createTag(name, colorOf(folded))).id);
    } catch (error) {
      // Somebody else, or an earlier attempt of this very request, was faster.
      const id = error instanceof ApiError && error.code === 'tag_name_taken' ? (await known()).get(folded) : undefined;
      if (id === undefined) throw error;
      ids.set(folded, id);
    }
  }
  return ids;
}

/** The same colour for the same name, whoever makes the tag. */
const colorOf = (name: string): string => `#${createHash('sha256').update(name).digest('hex').slice(0, 6)}`;

/** Puts tags and expiry on a link where they are not there yet; tags that it has besides stay. */
export async function complete(client: Client, answered: LinkView, wanted: PlannedLink, tagIds: TagIds): Promise<Completed> {
  if (!needsCompletion(wanted)) return { reason: '' };
  // An import without slugs may have been answered as it was before: what was done to its links since is not in that.
  const link = wanted.slug === undefined ? await client.lookUp(answered.domain, answered.shortCode) : answered;
  if (!link) return { outcome: 'refused', reason: 'an earlier run has made it, and it was deleted since' };
  const has = link.tags.map(({ id }) => id);
  const missing = [...new Set(wanted.tags.flatMap((name) => tagIds.get(foldTagName(name)) ?? []))].filter(
    (id) => !has.includes(id),
  );
  const fit = missing.slice(0, Math.max(0, tagsPerLink - has.length));
  const changes = {
    ...(fit.length > 0 && { tagIds: [...has, ...fit] }),
    ...(wanted.expiresAt !== undefined && wanted.expiresAt !== link.expiresAt && { expiresAt: wanted.expiresAt }),
  };
  if (Object.keys(changes).length > 0) await client.updateLink(link.id, changes);
  const left = missing.length - fit.length;
  return { reason: left > 0 ? `${left} of its tags are left out: a link has at most ${tagsPerLink}` : '' };
}
