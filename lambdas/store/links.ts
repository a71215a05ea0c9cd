import type { TransactWriteItem } from '@aws-sdk/client-dynamodb';
import { backOff } from '../deadline.ts';
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
const retagBudget = 8_000;

/**
 * Applies changes to a link that was found, all or none, and gives it as it then is, with its tags.
 *
 * Changed tags go into one transaction with their counts and pairs, conditioned on the tags that were read; where others
 * were faster it is tried again with what is there by then.
 *
 * @throws RequestError `not_found`, `tag_not_found`
 */
export async function updateLink(found: FoundLink, changes: LinkChanges): Promise<FoundLink & { readonly tags: Tag[] }> {
  const { id, workspaceId } = found.link;
  const until = Date.now() + retagBudget;
  for (let attempt = 0; ; attempt++) {
    const { link, clickCount } = found;
    const mentioned = await getTags(workspaceId, [...new Set([...link.tagIds, ...(changes.tagIds ?? [])])]);
    const live = new Map(mentioned.map((tag) => [tag.id, tag]));
    refuseUnknownTags(changes.tagIds ?? [], live);
    if (Object.keys(changes).length === 0) return { ...found, tags: tagsOf(link, live) };

    const update = settingsUpdate({ ...changes, updatedAt: new Date().toISOString() }, clickCount);
    const own = { text: '#id = :id AND #workspaceId = :workspaceId', values: { ':id': id, ':workspaceId': workspaceId } };
    const condition = changes.tagIds ? withTags(own, link.tagIds) : own;
    try {
      if (!changes.tagIds || changes.tagIds.join() === link.tagIds.join()) {
        const updated = toLink(await updateItem(linkKey(locationInId(id) ?? ''), update, condition));
        return { link: updated, clickCount, tags: tagsOf(updated, live) };
      }
      await transact(retagging(link, changes.tagIds, live, update, condition), newRequestToken());
      // What remains is to read the link as it now is.
      changes = {};
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
      await backOff(attempt, until);
    }
    const again = await getLink(workspaceId, id);
    if (!again) throw notFound('link');
    found = again;
  }
}

/** A link's tags in its order, without those that are gone: the sweep has not come to this link yet. */
const tagsOf = (link: Link, live: ReadonlyMap<string, Tag>): Tag[] => link.tagIds.flatMap((tagId) => live.get(tagId) ?? []);

function refuseUnknownTags(tagIds: readonly string[], live: ReadonlyMap<string, Tag>): void {
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

/** The writes that replace a link's tags: the link, its pairs, and the counts of the tags that still exist. */
function retagging(
  link: Link,
  tagIds: readonly string[],
  live: ReadonlyMap<string, Tag>,
  update: Expression,
  condition: Expression,
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
    updating(linkKey(locationInId(link.id) ?? ''), update, condition),
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
