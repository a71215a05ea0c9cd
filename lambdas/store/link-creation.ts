import { backOff } from '../deadline.ts';
import type { Domain } from '../domain/domain.ts';
import { RequestError } from '../domain/errors.ts';
import { locationOf, makeLinkId, newRequestToken, newSalt } from '../domain/ids.ts';
import { candidate, slugTaken } from '../domain/import.ts';
import { type Link, type LinkSettings, newLink } from '../domain/link.ts';
import type { Tag } from '../domain/tag.ts';
import type { Lease } from './idempotency.ts';
import { refuseUnknownTags } from './link-changes.ts';
import { linkItem, toLink } from './links.ts';
import { changeTo, together } from './tagging.ts';
import { getTags } from './tags.ts';
import { ConditionFailed, putItem, putting, transact } from './writes.ts';

/** What a new link is to be: its destination, and whatever else is not as by default. */
export type NewLink = Partial<LinkSettings> & Pick<LinkSettings, 'url'> & { readonly customSlug?: string | undefined };

/** A link that was made, with its tags: all that there is to be said of it is known without another look. */
export type CreatedLink = { readonly link: Link; readonly tags: readonly Tag[] };

/**
 * Creates a link, with its tags and their counts where it has any, by one conditional write.
 *
 * It carries the mark of its request: where its place is found to be taken, the own mark says that an earlier write, whose
 * answer was lost or whose function died, was ours. A made slug that is another's is made anew.
 *
 * @throws RequestError `slug_taken`, `tag_not_found`
 */
export async function createLink(domain: Domain, { customSlug, ...settings }: NewLink, lease: Lease): Promise<CreatedLink> {
  const { workspaceId } = domain;
  const tagIds = settings.tagIds ?? [];
  const entry = { index: 0, url: settings.url, customSlug };
  const importMark = `${lease.importId}#${entry.index}`;
  const isFree = { text: 'attribute_not_exists(pk)' };
  let madeBefore = 0;
  for (let attempt = 0; ; attempt++) {
    if (attempt > 0) await backOff(attempt);
    const tags = await getTags(workspaceId, tagIds);
    const live = new Set(tags.map(({ id }) => id));
    refuseUnknownTags(tagIds, live);
    const { shortCode } = candidate(domain, lease, entry, madeBefore, new Set());
    // A fresh one for each attempt: a repetition that finds its link deleted again makes another link, not the same anew.
    const id = makeLinkId(locationOf(domain.domainId, shortCode), newSalt(), 0);
    const link = newLink(domain, lease.createdAt, { id, shortCode }, settings);
    const item = { ...linkItem(link), importMark };
    lease.assertCurrent();
    try {
      if (tagIds.length === 0) await putItem(item, isFree);
      else {
        const change = changeTo({ ...link, tagIds: [] }, tagIds, [putting(item, isFree)]);
        await transact(together(workspaceId, [change], live), newRequestToken());
      }
      return { link, tags };
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      const [there] = error.items;
      if (there?.importMark === importMark) return { link: toLink(there), tags };
      // Nothing there, nor on the next try, says that a tag has gone in between.
      if (there?.id === undefined) continue;
      if (customSlug !== undefined) throw new RequestError('slug_taken', `${slugTaken.message}.`);
      madeBefore++;
    }
  }
}
