import { aliasLocations } from '../core/link/aliases.ts';
import type { Link } from '../core/link/link.ts';
import { urlsOf } from '../core/webhook/webhook.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { toApiKey } from '../store/api-keys/items.ts';
import { closedCounter } from '../store/clicks/counts.ts';
import { noteGone } from '../store/clicks/erased-notes.ts';
import { removingFiles } from '../store/domains/files.ts';
import { isStillThere } from '../store/links/conditions.ts';
import { isLink, toLink } from '../store/links/links.ts';
import { dropMembership, peopleWithMembership } from '../store/members/memberships.ts';
import { everyMember } from '../store/members/roster.ts';
import { everybody } from '../store/people/people.ts';
import type { Item } from '../store/table/client.ts';
import { tableTime } from '../store/table/clock.ts';
import { commit } from '../store/table/commit.ts';
import { all, failedCondition, has, ifConditionFails, is, isPresent, set, unlessSet } from '../store/table/expressions.ts';
import { text } from '../store/table/fields.ts';
import {
  apiKeyKeyOf,
  apiKeysIndex,
  capKey,
  clicksOf,
  deliveriesIndexes,
  domainCheckKey,
  domainsIndex,
  dueKey,
  duesOf,
  erasedNotesOf,
  everythingIn,
  externalIdKey,
  historyIndexes,
  type Key,
  linkKey,
  linkKeyOf,
  linksIndexes,
  madeKeyKey,
  madeKeysSweepKey,
  memberKey,
  pairKey,
  pairsOf,
  type ReceiverPk,
  receiverPk,
  rosterKey,
  secretsKey,
  signInKeysIndex,
  tagsOf,
  tailEntryKey,
  tailOf,
  templatesOf,
  toKey,
  webhooksIn,
  workspaceKey,
} from '../store/table/keys.ts';
import { getItems, query } from '../store/table/reads.ts';
import { deleteItem, deleting, putItem, updateItem } from '../store/table/writes.ts';

/**
 * Deletes a workspace with everything in it, in an order that leaves nothing behind and lets nothing come back:
 *
 * 1. The workspace gets `deletingSince`. From then on, nobody gets a new key or domain for it.
 * 2. Its access is deleted: keys, members, domains, webhooks. New requests are refused, links lead nowhere, and no more
 *    webhooks are sent. The gateway and the redirect have caches of up to 60 seconds.
 * 3. Two minutes later, the requests that were under way have ended. Until then, they may still create things. Each run
 *    waits, because an earlier one may have died before it had removed all access.
 * 4. Its content is deleted, with what those requests have created. Each thing is found by something that is deleted
 *    after it: a link's clicks by the link, a tag's pairs by the tag.
 * 5. Once a pass finds nothing more, the workspace itself is deleted. If a pass finds access, another wait follows: the
 *    index may show a key late.
 *
 * For example, if the command dies while a client still creates links:
 *
 *     command   sets `deletingSince`, and dies before it deletes the key
 *     command   the second run, ten minutes later: deletes the key, the domain and the webhooks
 *     client    creates the link L with its key, which the gateway still has in its cache
 *     command   waits two minutes, deletes the clicks of the link K, and dies before it deletes K
 *     command   the third run: finds no access, and waits two minutes anyway
 *     command   finds K and L, deletes what belongs to them, and then both. The next pass finds nothing
 *     command   deletes the workspace
 *
 * Links are removed without tombstones: the stream's readers ignore removals, so they neither write history nor send
 * webhooks. What they write late expires: entries of the history, clicks. So do closed counters, the clicks and
 * addresses of links that were deleted before, guesses at passwords, and what senders leave of receivers. `seal-clicks`
 * deletes the files of clicks within the hour, by a note (`../store/clicks/erased-notes.ts`).
 */

/**
 * How long a request can still be under way after its key was deleted, in milliseconds: the key is in the gateway's
 * cache for 60 s, and the request takes up to 29 s.
 */
const settledMs = 120_000;

/** How many things are removed at a time. */
const concurrency = 25;

/** The most passes to make. The second one finds nothing, unless something was created meanwhile. */
const mostPasses = 5;

export type DeletionOptions = {
  /** Prints what was done, in lines for people. */
  readonly report?: (line: string) => void;
  /** Waits for that many milliseconds. */
  readonly wait?: (ms: number) => Promise<unknown>;
  /** Deletes the workspace's gateway key, before the workspace itself. May be called again. */
  readonly deleteGatewayKey?: () => Promise<void>;
};

/** How many of each kind of thing were removed. */
export type Removed = Readonly<Record<string, number>>;

/**
 * Deletes a workspace: see above.
 *
 * @returns what this run has removed; undefined if there is no such workspace.
 * @throws Error if things keep being created. After any error, the same call continues the deletion.
 */
export async function deleteWorkspace(
  workspaceId: string,
  { report = () => {}, wait = pause, deleteGatewayKey = async () => {} }: DeletionOptions = {},
): Promise<Removed | undefined> {
  if (!(await beginDeletion(workspaceId))) return undefined;
  const removed: Record<string, number> = {};
  const doAll = async (steps: readonly Step[]) => {
    let sum = 0;
    for (const [what, remove] of steps) {
      const count = await remove(workspaceId, (soFar) => report(`${what}: ${soFar} …`));
      if (count > 0) report(`${what}: ${count} removed`);
      removed[what] = (removed[what] ?? 0) + count;
      sum += count;
    }
    return sum;
  };
  const settle = () => {
    report(`waiting ${settledMs / 1_000} s for requests that are under way`);
    return wait(settledMs);
  };
  await doAll(access);
  await settle();
  for (let pass = 1; ; pass++) {
    const opened = await doAll(access);
    if (opened + (await doAll(content)) === 0) break;
    if (pass === mostPasses) throw new Error('things keep being created in the workspace: delete it again');
    if (opened > 0) await settle();
  }
  await deleteGatewayKey();
  await ifConditionFails(deleteItem(workspaceKey(workspaceId), has('deletingSince')), () => undefined);
  return removed;
}

const pause = (ms: number) => process.getBuiltinModule('node:timers/promises').setTimeout(ms);

/**
 * Marks the workspace as being deleted. A second call keeps the time of the first.
 *
 * @returns whether the workspace exists.
 */
export async function beginDeletion(workspaceId: string): Promise<boolean> {
  const update = set({ deletingSince: unlessSet(new Date(tableTime()).toISOString()) });
  return !(await failedCondition(updateItem(workspaceKey(workspaceId), update, isPresent)));
}

/** A kind of thing, and the function that removes all of them. It reports progress, and returns how many there were. */
type Step = readonly [what: string, remove: (workspaceId: string, progress: (soFar: number) => void) => Promise<number>];

/** Step 2: the ways in which requests, visits and webhooks reach a workspace. */
const access: readonly Step[] = [
  ['keys', removeKeys],
  ['keys of sign-ins', (workspaceId) => removeListed({ gsi1pk: signInKeysIndex(workspaceId) })],
  ['members', removeMembers],
  ['former memberships', removeMemberships],
  ['domains', removeDomains],
  ['webhooks', removeWebhooks],
  ['secrets', (workspaceId) => removeListed(everythingIn(secretsKey(workspaceId, null).pk))],
];

/** Step 4: everything else. */
const content: readonly Step[] = [
  ['links', removeLinks],
  ['rows', removeTail],
  ['deliveries', removeDeliveries],
  ['receivers', removeDueReceivers],
  ['history', (workspaceId) => removeAll(historyIndexes(workspaceId).map((gsi1pk) => ({ gsi1pk, of: 'Activity' as const })))],
  ['tags', removeTags],
  ['templates', (workspaceId) => removeListed(everythingIn(templatesOf(workspaceId).pk))],
  ['other', removeRest],
];

/** What `query` reads. */
type Source = Parameters<typeof query>[0];

/** The keys of a source, in chunks that one batch read covers. */
async function* keysIn(source: Source): AsyncGenerator<Key[]> {
  let keys: Key[] = [];
  for await (const item of query(source)) {
    keys.push(toKey(item));
    if (keys.length < 100) continue;
    yield keys;
    keys = [];
  }
  if (keys.length > 0) yield keys;
}

/** The items of an index's partition. Those that are gone already, which the index may still show, are left out. */
async function* itemsIn(source: Source): AsyncGenerator<Item[]> {
  for await (const keys of keysIn(source)) {
    const items = (await getItems(keys)).filter((item) => item !== undefined);
    if (items.length > 0) yield items;
  }
}

/** Removes the items of a partition of a table or an index. Returns how many there were. */
async function removeListed(source: Source): Promise<number> {
  let count = 0;
  const isIndex = 'gsi1pk' in source;
  for await (const keys of keysIn(source)) {
    const there = isIndex ? (await getItems(keys)).flatMap((item) => (item ? toKey(item) : [])) : keys;
    await inParallel(there, concurrency, (key) => deleteItem(key));
    count += there.length;
  }
  return count;
}

const removeAll = async (sources: readonly Source[]): Promise<number> =>
  (await inParallel(sources, sources.length, removeListed)).reduce((sum, count) => sum + count, 0);

/** Removes keys, each after the item that says which member made it: the member may have expired. */
async function removeKeys(workspaceId: string): Promise<number> {
  let count = 0;
  for await (const items of itemsIn({ gsi1pk: apiKeysIndex(workspaceId) })) {
    await inParallel(items.map(toApiKey), concurrency, async ({ id, madeBy }) => {
      if (madeBy !== undefined) await deleteItem(madeKeyKey(madeBy, id));
      await deleteItem(apiKeyKeyOf(id));
    });
    count += items.length;
  }
  return count;
}

/**
 * Removes members, each after what only it leads to: the person's membership, and the items that say which keys they
 * made.
 */
async function removeMembers(workspaceId: string): Promise<number> {
  const members = await everyMember(workspaceId);
  await inParallel(members, concurrency, async ({ id, personId }) => {
    if (personId !== undefined) await dropMembership(personId, workspaceId);
    await removeListed(everythingIn(madeKeysSweepKey(id).pk));
    await deleteItem(memberKey(workspaceId, id));
  });
  await deleteItem(rosterKey(workspaceId));
  return members.length;
}

/** Removes the memberships of people who were members, and whose members have expired. */
async function removeMemberships(workspaceId: string): Promise<number> {
  const left = await peopleWithMembership(workspaceId, [...(await everybody()).keys()]);
  await inParallel(left, concurrency, (personId) => dropMembership(personId, workspaceId));
  return left.length;
}

/** Removes a workspace's domains with their files. A domain that belongs to another workspace by now stays. */
async function removeDomains(workspaceId: string): Promise<number> {
  let count = 0;
  for await (const items of itemsIn({ gsi1pk: domainsIndex(workspaceId) })) {
    for (const item of items) {
      const [host, domainId] = [text(item, 'host'), text(item, 'domainId')];
      const { failed } = await commit({
        domain: deleting(toKey(item), all(is('workspaceId', workspaceId), is('domainId', domainId))),
        check: deleting(domainCheckKey(host)),
        ...removingFiles({ host, domainId }),
      });
      if (!failed) count++;
    }
  }
  return count;
}

/** Removes webhooks with their secrets and receivers. */
async function removeWebhooks(workspaceId: string): Promise<number> {
  const webhooks = await Array.fromAsync(query(webhooksIn(workspaceId)));
  await inParallel(webhooks, concurrency, async (item) => {
    await deleteItem(secretsKey(workspaceId, text(item, 'id')));
    await removeReceiver(receiverPk(workspaceId, text(item, 'url')));
    await deleteItem(toKey(item));
  });
  return webhooks.length;
}

/** Removes a receiver with its queue, and its due entry. */
async function removeReceiver(pk: ReceiverPk): Promise<void> {
  await removeListed(everythingIn(pk));
  await deleteItem(dueKey(pk));
}

async function removeLinks(workspaceId: string, progress: (soFar: number) => void): Promise<number> {
  let count = 0;
  for (const gsi1pk of linksIndexes(workspaceId)) {
    for await (const items of itemsIn({ gsi1pk })) {
      const links = items.filter((item) => isLink(item) && item.workspaceId === workspaceId).map(toLink);
      await inParallel(links, concurrency, removeLink);
      const before = count;
      count += links.length;
      if (Math.floor(count / 1_000) > Math.floor(before / 1_000)) progress(count);
    }
  }
  return count;
}

/** Removes a link: first everything that is found by it, and then the link itself. */
async function removeLink(link: Link): Promise<void> {
  for (const url of urlsOf(link.webhookUrls)) await removeReceiver(receiverPk(link.workspaceId, url));
  // A click that is counted late would create a counter that nothing removes. The closed one expires.
  await putItem(closedCounter(link));
  await removeAll(clicksOf(link.id).map(everythingIn));
  if (link.capGeneration > 0) await deleteItem(capKey(link.id));
  if (link.externalId !== null) await deleteItem(externalIdKey(link.workspaceId, link.externalId));
  for (const tagId of link.tagIds) await deleteItem(pairKey(tagId, link));
  for (const location of aliasLocations(link)) {
    await ifConditionFails(deleteItem(linkKey(location), is('aliasOf', link.id)), () => undefined);
  }
  await ifConditionFails(deleteItem(linkKeyOf(link.id), isStillThere(link)), () => undefined);
}

/**
 * Removes the newest clicks of a workspace, the entry of its tail, and the notes of erasures. Leaves a note that the
 * workspace is gone, so that `seal-clicks` deletes its files.
 */
async function removeTail(workspaceId: string): Promise<number> {
  await noteGone(workspaceId, tableTime());
  const count = await removeAll([...tailOf(workspaceId).map(everythingIn), erasedNotesOf(workspaceId)]);
  await deleteItem(tailEntryKey(workspaceId));
  return count;
}

/** Removes deliveries, each after its receiver, which may be named nowhere else. */
async function removeDeliveries(workspaceId: string): Promise<number> {
  let count = 0;
  const done = new Set<ReceiverPk>();
  for (const gsi1pk of deliveriesIndexes(workspaceId)) {
    for await (const items of itemsIn({ gsi1pk, of: 'Activity' })) {
      const receivers = new Set(items.map((item) => receiverPk(workspaceId, text(item, 'url'))));
      await inParallel([...receivers.difference(done)], concurrency, removeReceiver);
      for (const pk of receivers) done.add(pk);
      await inParallel(items, concurrency, (item) => deleteItem(toKey(item)));
      count += items.length;
    }
  }
  return count;
}

/** Removes the receivers that have a due entry. */
async function removeDueReceivers(workspaceId: string): Promise<number> {
  let count = 0;
  for (const partition of duesOf(workspaceId)) {
    const due = await Array.fromAsync(query(partition));
    await inParallel(due, concurrency, (item) => removeReceiver(toKey(item).sk as ReceiverPk));
    count += due.length;
  }
  return count;
}

/** Removes tags, each after its pairs, which only the tag leads to. */
async function removeTags(workspaceId: string): Promise<number> {
  let count = 0;
  for (const part of tagsOf(workspaceId)) {
    const tags = await Array.fromAsync(query(part));
    await inParallel(tags, concurrency, async (item) => {
      await removeListed(pairsOf(text(item, 'id')));
      await deleteItem(toKey(item));
    });
    count += tags.length;
  }
  return count;
}

/**
 * Removes everything else in the partition of the workspace: names of tags, domain claims, limits, records of requests.
 */
async function removeRest(workspaceId: string): Promise<number> {
  const { pk, sk } = workspaceKey(workspaceId);
  let count = 0;
  for await (const keys of keysIn(everythingIn(pk))) {
    const others = keys.filter((key) => key.sk !== sk);
    await inParallel(others, concurrency, (key) => deleteItem(key));
    count += others.length;
  }
  return count;
}
