import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { backOff, timeLeft, withDeadline } from '../deadline.ts';
import { notFound, RequestError } from '../domain/errors.ts';
import { locationInId, locationOf, newRequestToken } from '../domain/ids.ts';
import { type Link, type LinkSettings, linkDefaults } from '../domain/link.ts';
import type { Tag } from '../domain/tag.ts';
import type { Item } from './client.ts';
import { clicksKey, indexed, type Key, linkKey, linksIndex, pairKey, tagKey } from './keys.ts';
import { getItem, getItems } from './reads.ts';
import { getTags } from './tags.ts';
import { ConditionFailed, deleting, type Expression, putting, transact, updateItem, updating } from './writes.ts';

/** A link's changes: what is absent is left alone, null clears. */
export type LinkChanges = Partial<LinkSettings>;

const linkFields = [
  'id',
  'workspaceId',
  'domain',
  'domainId',
  'shortCode',
  'url',
  'createdAt',
  'updatedAt',
  ...(Object.keys(linkDefaults) as (keyof typeof linkDefaults)[]),
] as const satisfies (keyof Link)[];

/** A link from its item. */
export const toLink = (item: Item): Link =>
  Object.fromEntries(linkFields.map((field) => [field, item[field] ?? (linkDefaults as Record<string, unknown>)[field]])) as Link;

/** The item of a new link: what is as by default is left out, to keep it within one write unit. */
export function linkItem(link: Link): Key & Item {
  const said = Object.entries(link).filter(
    ([field, value]) => JSON.stringify(value) !== JSON.stringify((linkDefaults as Record<string, unknown>)[field]),
  );
  return {
    ...linkKey(locationInId(link.id) ?? ''),
    ...indexed(linksIndex(link.workspaceId), `${link.createdAt}#${link.id}`),
    ...Object.fromEntries(said),
  };
}

/** A link with what else the table knows of it. */
export type FoundLink = { readonly link: Link; readonly clickCount: number };

/** The workspace's link of that id, with its count of clicks. One batch read; none where the text is no link id. */
export async function getLink(workspaceId: string, id: string): Promise<FoundLink | undefined> {
  const location = locationInId(id);
  if (!location) return undefined;
  const [item, clicks] = await getItems([linkKey(location), clicksKey(location, id)]);
  // The address may have been given out again, to another link or another workspace.
  if (item?.id !== id || item.workspaceId !== workspaceId) return undefined;
  return { link: toLink(item), clickCount: Number(clicks?.count ?? 0) };
}

/** The link at an address, whosever it is. One read. */
export async function getLinkAt(domainId: string, slug: string): Promise<Link | undefined> {
  const item = await getItem(linkKey(locationOf(domainId, slug)));
  return item && toLink(item);
}

/** How long an update is tried again while others change the link's tags, in milliseconds. */
const updateBudget = 8_000;

/**
 * Applies changes to a link that was found, all or none, and gives it as it then is, with its tags. Where others were faster
 * it is tried again with what is there by then.
 *
 * @throws RequestError `not_found`, `tag_not_found`
 */
export const updateLink = (found: FoundLink, changes: LinkChanges): Promise<FoundLink & { readonly tags: Tag[] }> =>
  withDeadline(Math.min(timeLeft(), updateBudget), async () => {
    const { id, workspaceId } = found.link;
    let { link, clickCount } = found;
    for (let attempt = 0; ; attempt++) {
      try {
        const updated = await applyChanges(link, clickCount, changes);
        return { link: updated, clickCount, tags: await getTags(workspaceId, updated.tagIds) };
      } catch (error) {
        if (!(error instanceof ConditionFailed)) throw error;
      }
      await backOff(attempt);
      const again = await getLink(workspaceId, id);
      if (!again) throw notFound('link');
      ({ link, clickCount } = again);
    }
  });

/**
 * Applies changes to a link as it was read, and gives it as it then is.
 *
 * Changed tags go into one transaction with their counts and pairs, conditioned on the tags that were read.
 *
 * @throws ConditionFailed where the link is gone, or its tags or those to be added have changed since they were read.
 */
async function applyChanges(link: Link, clickCount: number, changes: LinkChanges): Promise<Link> {
  if (Object.keys(changes).length === 0) return link;
  const { id, workspaceId, tagIds: before } = link;
  const key = linkKey(locationInId(id) ?? '');
  const update = settingsUpdate({ ...changes, updatedAt: new Date().toISOString() }, clickCount);
  const isOurs = { text: '#id = :id AND #workspaceId = :workspaceId', values: { ':id': id, ':workspaceId': workspaceId } };
  const { tagIds } = changes;
  if (!tagIds) return toLink(await updateItem(key, update, isOurs));

  const known = await getTags(workspaceId, [...new Set([...before, ...tagIds])]);
  const live = new Set(known.map((tag) => tag.id));
  refuseUnknownTags(tagIds, live);
  const condition = withTags(isOurs, before);
  if (tagIds.join() === before.join()) return toLink(await updateItem(key, update, condition));
  await transact(retagging(link, tagIds, live, updating(key, update, condition)), newRequestToken());
  // Others may have changed other fields; and if the link is gone by now, then after this update.
  return (await getLink(workspaceId, id))?.link ?? { ...link, ...changes };
}

function refuseUnknownTags(tagIds: readonly string[], live: ReadonlySet<string>): void {
  const fieldErrors = tagIds.flatMap((tagId, index) =>
    live.has(tagId) ? [] : { path: `/tagIds/${index}`, code: 'tag_not_found', message: 'is no tag of this workspace' },
  );
  if (fieldErrors.length > 0) {
    throw new RequestError('tag_not_found', 'The workspace has no tag of that id.', { fieldErrors });
  }
}

/** The update expression for changes of a link. */
function settingsUpdate(changes: LinkChanges & { updatedAt: string }, clickCount: number): Expression {
  const fields = Object.entries(changes);
  const kept = fields.filter(([, value]) => value !== null);
  const set = kept.map(([field]) => `#${field} = :${field}`);
  const remove = fields.filter(([, value]) => value === null).map(([field]) => `#${field}`);
  const values = Object.fromEntries(kept.map(([field, value]) => [`:${field}`, value]));
  if (changes.maxClicks === null) remove.push('#capUsed');
  if (typeof changes.maxClicks === 'number') {
    // A cap counts all clicks: a new one begins with those of today, a changed one keeps what is used.
    set.push('#capUsed = if_not_exists(#capUsed, :clickCount)');
    values[':clickCount'] = clickCount;
  }
  const text = `SET ${set.join(', ')}${remove.length > 0 ? ` REMOVE ${remove.join(', ')}` : ''}`;
  return { text, values };
}

/** The writes that replace a link's tags: the link's own update, its pairs, and the counts of the tags that still exist. */
function retagging(
  link: Link,
  tagIds: readonly string[],
  live: ReadonlySet<string>,
  update: TransactWriteItem,
): TransactWriteItem[] {
  const added = tagIds.filter((tagId) => !link.tagIds.includes(tagId));
  const removed = link.tagIds.filter((tagId) => !tagIds.includes(tagId));
  const counted = (tagId: string, by: number) =>
    updating(
      tagKey(link.workspaceId, tagId),
      { text: 'ADD #linkCount :by', values: { ':by': by } },
      { text: 'attribute_exists(pk)' },
    );
  return [
    update,
    ...added.flatMap((tagId) => [
      putting({ ...pairKey(tagId, link), linkId: link.id, workspaceId: link.workspaceId }),
      counted(tagId, 1),
    ]),
    ...removed.flatMap((tagId) => [deleting(pairKey(tagId, link)), ...(live.has(tagId) ? [counted(tagId, -1)] : [])]),
  ];
}

/** The condition, and that the link's tags are these. */
const withTags = (condition: Expression, tagIds: readonly string[]): Expression => ({
  text: `${condition.text} AND (#tagIds = :oldTagIds${tagIds.length === 0 ? ' OR attribute_not_exists(#tagIds)' : ''})`,
  values: { ...condition.values, ':oldTagIds': tagIds },
});
