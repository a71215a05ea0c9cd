import { type Creation, creationMark, customSlugs, slugToTry } from '../../domain/creation.ts';
import type { Domain } from '../../domain/domain.ts';
import { RequestError, type RuleError } from '../../domain/errors.ts';
import { locationOf, newLinkId, newRequestToken } from '../../domain/ids.ts';
import {
  type Created,
  externalIdTaken,
  type Failure,
  type ImportEntry,
  type ImportTags,
  importedSettings,
  linkDeleted,
  noTags,
  notWritten,
  plannedFailures,
  slugTaken,
  tagsOfEntry,
} from '../../domain/import.ts';
import { type Link, type LinkSettings, newLink } from '../../domain/link.ts';
import { backOff, timeLeft, withDeadline } from '../../runtime/deadline.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import type { Lease } from '../idempotency/idempotency.ts';
import { type ConditionFailed, type Expression, failedCondition } from '../table/conditions.ts';
import { chunks } from '../table/reads.ts';
import { type Insert, insertItems, putItem, putting, transact } from '../table/writes.ts';
import { settingCap } from './caps.ts';
import { liveTags } from './changes.ts';
import { findExternalIds, takingExternalId } from './external-ids.ts';
import { findLinks, linkItem } from './links.ts';
import { type Found, type Free, fence, findOwn, found, readPlaces, untouched } from './places.ts';
import { changeTo, type TaggedChange, together, transactions } from './tagging.ts';

/** Statements per call: DynamoDB's limit. */
const batchSize = 25;
/** Calls at a time: enough to hide the latency of the table, few enough for the throughput of a new table. */
const inFlight = 8;
/** The share of a request's time that is reserved for finding out what became of unanswered writes. */
const settlingPart = 1 / 5;

/** How many transactions run at a time, if they have no tags in common. Each has up to 100 writes. */
const transactionsInFlight = 4;

/** A link that an import created, and its tags. */
type CreatedWithTags = Omit<Created, 'tags'> & { readonly tagIds?: readonly string[] };

/** The results of the entries, by their places in the request. */
type WrittenResults = Record<number, CreatedWithTags | Failure>;

/** What an import needs to know besides its entries. */
type Knowledge = {
  /** The tags that its entries name. */
  readonly tags?: ImportTags;
  /** Finds out settings that take time, for each of these entries, such as the hash of a password. */
  readonly settingsOf?: (entries: readonly ImportEntry[]) => Promise<readonly Partial<LinkSettings>[]>;
};

/** An entry without a result yet, and the slug to try. */
type Open = {
  readonly entry: ImportEntry;
  /** What was found at the address: an empty one, or a tombstone that the link replaces. */
  readonly there: Free;
  readonly attempt: number;
  readonly shortCode: string;
  readonly location: string;
  readonly mark: string;
};

type Import = {
  readonly domain: Domain;
  readonly creation: Creation;
  readonly tryAt: (entry: ImportEntry, attempt: number) => Open;
  /** The settings of an entry that take time to find out. */
  readonly settings: Map<number, Partial<LinkSettings>>;
  /** Its tags. */
  readonly tagIds: (entry: ImportEntry) => readonly string[];
  /** The results so far. */
  readonly results: WrittenResults;
  /** The marks of entries with an unanswered write, which may still be executed. */
  readonly unanswered: Set<string>;
};

/**
 * Creates the links of an import, each with one conditional insert, and returns a result for each entry. Links with tags,
 * a cap or an external id are created in transactions, many in each.
 *
 * Each link carries the mark of its entry. If an insert finds its address taken, the mark there tells whether an
 * earlier insert of the same entry created that link, and then lost its response or died. An entry whose link was
 * created and then deleted fails with `link_deleted`. If a generated slug is taken by another link, the next one is
 * tried.
 *
 * @param refusals the refused hosts. Entries with such a destination fail, unless an earlier attempt created them.
 * @throws RequestError `temporarily_unavailable` if not everything could be written in time and the request can be
 *   repeated, or if the table does not even answer what was written. Otherwise the entries that were not written fail
 *   with that code, and none of their writes can land later.
 */
export async function createLinks(
  domain: Domain,
  entries: readonly ImportEntry[],
  refusals: ReadonlyMap<string, RuleError>,
  lease: Lease,
  { tags = noTags, settingsOf = async () => [] }: Knowledge = {},
): Promise<WrittenResults> {
  const avoid = customSlugs(entries);
  const batch: Import = {
    domain,
    creation: lease,
    tryAt: (entry, attempt) => {
      const shortCode = slugToTry(lease, entry, attempt, avoid);
      const location = locationOf(domain.domainId, shortCode);
      return { entry, there: untouched, attempt, shortCode, location, mark: creationMark(lease, entry) };
    },
    settings: new Map(),
    tagIds: (entry) => {
      const tagged = tagsOfEntry(entry, tags);
      return 'code' in tagged ? [] : tagged;
    },
    results: {},
    unanswered: new Set(),
  };
  const { results } = batch;
  if (lease.resumed) {
    const own = await findOwn(domain.domainId, lease, entries, avoid);
    for (const [index, there] of own) results[index] = there.is === 'own' ? createdAs(there.link) : linkDeleted;
  }
  for (const [index, failure] of Object.entries(plannedFailures(entries, refusals, tags)))
    results[Number(index)] ??= failure as Failure;
  const wanted = entries.filter(({ index }) => !results[index]);
  for (const [place, settings] of (await settingsOf(wanted)).entries()) batch.settings.set(wanted[place]?.index ?? -1, settings);
  let open = wanted.map((entry) => batch.tryAt(entry, 0));
  try {
    await withDeadline(timeLeft() * (1 - settlingPart), async () => {
      for (let round = 0; open.length > 0; round++) {
        if (round > 0) await backOff(round);
        open = await insertRound(batch, open);
      }
    });
  } catch (error) {
    if (!(error instanceof RequestError) || lease.isRecorded) throw error;
    const unsettled = open.filter(({ entry }) => !results[entry.index]);
    const items = await readPlaces(unsettled.map(({ location }) => location));
    await inParallel(unsettled, inFlight, async (one, place) => {
      results[one.entry.index] = await giveUp(batch, one, found(items[place], one.mark));
    });
  }
  return results;
}

const createdAs = ({ id, shortCode, tagIds }: Link): CreatedWithTags => ({ id, shortCode, ...(tagIds.length > 0 && { tagIds }) });

/** Tries to insert the open entries, records the results, and returns the entries that are left to try. */
async function insertRound(batch: Import, open: readonly Open[]): Promise<Open[]> {
  const { tryAt, results, unanswered } = batch;
  const left: Open[] = [];
  // Two generated slugs may be equal by chance, and one call accepts each key only once. The later entry tries its next
  // slug.
  const seen = new Set<string>();
  const tried = open.filter((one) => {
    if (!seen.has(one.location)) return seen.add(one.location);
    left.push(tryAt(one.entry, one.attempt + 1));
    return false;
  });
  const both = Map.groupBy(
    tried.map((one) => ({ one, link: linkOf(batch, one) })),
    ({ link }) => hasMoreItems(link),
  );
  left.push(...(await createTogether(batch, both.get(true) ?? [])));
  const plain = both.get(false) ?? [];
  const links = plain.map(({ link }) => link);
  const inserts = await insertAll(links);
  const duplicates: { one: Open; link: Link }[] = [];
  plain.forEach(({ one }, place) => {
    const [insert, link] = [inserts[place], links[place] as Link];
    if (insert === 'inserted') results[one.entry.index] = createdAs(link);
    else if (insert === 'duplicate') duplicates.push({ one, link });
    else left.push(one);
    if (insert === 'unknown') unanswered.add(one.mark);
  });
  const items = await readPlaces(duplicates.map(({ one }) => one.location));
  await inParallel(duplicates, inFlight, async ({ one, link }, place) => {
    const settled = await settle(batch, one, link, found(items[place], one.mark));
    if (settled) results[one.entry.index] = settled;
    else left.push(one.entry.customSlug === undefined ? tryAt(one.entry, one.attempt + 1) : one);
  });
  return left;
}

/** The link that an entry becomes at the slug to try. Each attempt has a new id. */
function linkOf({ domain, creation, settings, tagIds }: Import, { entry, there, shortCode, location, mark }: Open): Link {
  const { formerMarks } = there;
  const place = { id: newLinkId(location), shortCode, creationMark: mark, formerMarks };
  const more = { ...settings.get(entry.index), tagIds: tagIds(entry) };
  return newLink(domain, creation.createdAt, place, { ...importedSettings(entry), ...more });
}

/** Whether more items belong to the link, so that it needs a transaction. */
const hasMoreItems = ({ tagIds, maxClicks, externalId }: Link): boolean =>
  tagIds.length > 0 || maxClicks !== null || externalId !== null;

/** A link that is created in a transaction, and the place of its own writes among its writes. */
type Part = { readonly one: Open; readonly link: Link; readonly change: TaggedChange };

/**
 * Creates links with tags, caps or external ids, many with each transaction. If one of them cannot be created, the whole
 * transaction fails, and tells which: those get their result, and the others are tried again without them. Transactions
 * with tags run one after another, because they update the counts of the same tags.
 *
 * @returns the entries that are left to try.
 */
async function createTogether(batch: Import, open: readonly { one: Open; link: Link }[]): Promise<Open[]> {
  const { workspaceId } = batch.domain;
  const live = await liveTags(
    workspaceId,
    open.flatMap(({ link }) => link.tagIds),
  );
  const left: Open[] = [];
  const parts: Part[] = [];
  const ids = await externalIdsOf(batch, open);
  open.forEach(({ one, link }, place) => {
    const external = ids[place];
    const gone = link.tagIds.find((id) => !live.has(id));
    if (gone !== undefined) batch.results[one.entry.index] = tagGone(one.entry, gone);
    else if (external === 'again') left.push(one);
    else if (external && 'result' in external) batch.results[one.entry.index] = external.result;
    else parts.push(partOf(one, link, external?.condition));
  });
  const groupOf = new Map(parts.map((part) => [part.change, part]));
  const groups = transactions(parts.map(({ change }) => change)).map((group) =>
    group.map((change) => groupOf.get(change) as Part),
  );
  const { tagged = [], untagged = [] } = Object.groupBy(groups, (group) =>
    group.some(({ link }) => link.tagIds.length > 0) ? 'tagged' : 'untagged',
  );
  const [some, others] = await Promise.all([
    inParallel(tagged, 1, (group) => createGroup(batch, group, live)),
    inParallel(untagged, transactionsInFlight, (group) => createGroup(batch, group, live)),
  ]);
  return [...left, ...some.flat(), ...others.flat()];
}

const tagGone = (entry: ImportEntry, tagId: string): Failure => {
  const place = entry.tagIds?.indexOf(tagId) ?? -1;
  const path = place >= 0 ? `/tagIds/${place}` : '/tagNames';
  return { code: 'tag_not_found', message: `${path} does not exist in this workspace` };
};

function partOf(one: Open, link: Link, isFree: Expression | undefined): Part {
  const writes = [putting(linkItem(link), one.there.condition)];
  if (link.maxClicks !== null) writes.push(settingCap(link.id, undefined, 0));
  if (isFree && link.externalId !== null) writes.push(takingExternalId(link, link.externalId, isFree));
  return { one, link, change: changeTo({ ...link, tagIds: [] }, link.tagIds, writes) };
}

/** What the external id of a link says about it: that it is free, the entry's result, or that it has to be read again. */
type ExternalIdOfEntry =
  | { readonly condition: Expression }
  | { readonly result: CreatedWithTags | Failure }
  | 'again'
  | undefined;

/** Reads the external ids of links, 100 with each call, and the links that have them. */
async function externalIdsOf(
  { domain: { workspaceId } }: Import,
  open: readonly { one: Open; link: Link }[],
): Promise<ExternalIdOfEntry[]> {
  const wanted = open.flatMap(({ link }) => link.externalId ?? []);
  const found = await findExternalIds(workspaceId, wanted);
  const holderIds = [...found.values()].flatMap((there) => (there.is === 'taken' ? there.linkId : []));
  const holders = new Map((await findLinks(workspaceId, holderIds)).map((link) => [link.id, link]));
  return open.map(({ one, link: { externalId } }) => {
    const there = externalId === null ? undefined : found.get(externalId);
    if (there?.is !== 'taken') return there;
    const holder = holders.get(there.linkId);
    // Another function may be at work on the same request.
    if (holder?.creationMark === one.mark) return { result: createdAs(holder) };
    return holder?.externalId === externalId ? { result: externalIdTaken } : 'again';
  });
}

/** Creates links with one transaction. Returns the entries that are left to try. */
async function createGroup(batch: Import, group: readonly Part[], live: ReadonlySet<string>): Promise<Open[]> {
  const { results, unanswered, tryAt, domain } = batch;
  const writes = together(
    domain.workspaceId,
    group.map(({ change }) => change),
    live,
  );
  let failed: ConditionFailed | undefined;
  try {
    failed = await failedCondition(transact(writes, newRequestToken()));
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    for (const { one } of group) unanswered.add(one.mark);
    return group.map(({ one }) => one);
  }
  if (!failed) {
    for (const { one, link } of group) results[one.entry.index] = createdAs(link);
    return [];
  }
  let offset = 0;
  return group.flatMap(({ one, change }) => {
    const item = failed.items[offset];
    offset += change.writes.length + change.added.length;
    // Another link of the transaction has failed, or its external id or a tag has: that is read again.
    if (item === undefined) return [one];
    const there = found(item, one.mark);
    const isCustom = one.entry.customSlug !== undefined;
    if (there.is === 'own') results[one.entry.index] = createdAs(there.link);
    else if (there.is === 'deleted') results[one.entry.index] = linkDeleted;
    else if (there.is === 'taken' && isCustom) results[one.entry.index] = slugTaken;
    else
      return [there.is === 'free' && (isCustom || there === untouched) ? { ...one, there } : tryAt(one.entry, one.attempt + 1)];
    return [];
  });
}

/** The result of an entry whose address is taken; undefined if it has to be retried. */
async function settle(batch: Import, one: Open, link: Link, there: Found): Promise<CreatedWithTags | Failure | undefined> {
  if (there.is === 'own') return createdAs(there.link);
  if (there.is === 'deleted') return linkDeleted;
  if (one.entry.customSlug === undefined) return undefined;
  if (there.is === 'taken') return slugTaken;
  // A tombstone is there. The new link keeps its marks.
  try {
    const failed = await failedCondition(putItem(linkItem({ ...link, formerMarks: there.formerMarks }), there.condition));
    return failed ? await settle(batch, one, link, found(failed.items[0], one.mark)) : createdAs(link);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    batch.unanswered.add(one.mark);
    return undefined;
  }
}

/**
 * The result of an entry when time has run out. An unanswered insert may still be on its way. So a tombstone fences it
 * off at its address; otherwise sending the request again could create the link twice.
 *
 * @throws RequestError `temporarily_unavailable` if the fence may not be in place.
 */
async function giveUp(batch: Import, one: Open, there: Found): Promise<CreatedWithTags | Failure> {
  if (there.is === 'own') return createdAs(there.link);
  if (there.is === 'deleted') return linkDeleted;
  if (there.is === 'taken') return one.entry.customSlug === undefined ? notWritten : slugTaken;
  if (!batch.unanswered.has(one.mark)) return notWritten;
  const barrier = fence(one.location, one.mark, there.formerMarks);
  const failed = await failedCondition(putItem(barrier, there.condition));
  if (!failed) return notWritten;
  const now = found(failed.items[0], one.mark);
  if (now.is === 'deleted' && now.deletedId === barrier.deletedId) return notWritten;
  return giveUp(batch, one, now);
}

async function insertAll(links: readonly Link[]): Promise<Insert[]> {
  return (await inParallel(chunks(links.map(linkItem), batchSize), inFlight, insertItems)).flat();
}
