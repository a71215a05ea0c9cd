import type { Domain } from '../../core/domain/domain.ts';
import { RequestError, type RuleError } from '../../core/errors.ts';
import { customSlugs } from '../../core/link/creation.ts';
import {
  type Failure,
  type ImportEntry,
  type ImportTags,
  linkDeleted,
  noTags,
  notWritten,
  plannedFailures,
  slugTaken,
  tagsOfEntry,
} from '../../core/link/import.ts';
import type { Link, LinkSettings } from '../../core/link/link.ts';
import { backOff, timeLeft, withDeadline } from '../../runtime/deadline.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import type { Lease } from '../idempotency/leased.ts';
import { failedCondition } from '../table/expressions.ts';
import { chunks } from '../table/reads.ts';
import { type Insert, insertItems, putItem } from '../table/writes.ts';
import { type Found, fence, findOwn, found, readAddresses } from './addresses.ts';
import {
  type Candidate,
  createdAs,
  type EntryResult,
  entryAt,
  type ImportJob,
  linkOf,
  nextSlug,
  type OpenEntry,
  type WrittenResults,
} from './import-job.ts';
import { createInTransactions, hasMoreItems } from './import-transactions.ts';
import { linkItem } from './links.ts';

/**
 * How an import creates each of its links exactly once, although responses get lost and functions die. Each link
 * carries the creation mark of its entry: the request's id, and the entry's position. Generated slugs derive from the
 * request's salt. So whoever works on the request tries the same addresses, and can tell its own links there
 * (`addresses.ts`). For example, the request R has an entry 0 with the slug "sale", and an entry 1 without one. A works
 * on it, and then B, which takes the request over (`leased.ts`):
 *
 *     A   inserts a link with the mark R#0 at /sale            the response is lost, but the link is there
 *     A   inserts a link with the mark R#1 at /x7Kq            another link is there: refused
 *     A   inserts a link with the mark R#1 at /Pm2d, its next slug, and dies. Nobody knows if that was executed
 *     B   reads /sale, and the first three slugs of entry 1    finds R#0 and R#1, or only R#0
 *     B   inserts what is missing, again at /x7Kq, /Pm2d, …
 *
 * Whenever an insert is refused, what is at the address decides: a link with the entry's own mark was created by an
 * earlier write; a tombstone with the own mark says that it has been deleted since; another link takes the slug. If a
 * write of A arrives only now, it finds its address taken, by B's link or by a tombstone, and fails.
 *
 * Without an Idempotency-Key, nobody takes over. If A then runs out of time, it fences off what may still arrive:
 *
 *     A   inserts a link with the mark R#0 at /sale            no response, until the time has run out
 *     A   puts a tombstone with the mark R#0 at /sale          if nothing is there
 *         if that is done, the late insert finds it and fails: the entry fails, and the client may send it again
 *         if it is refused, the insert was faster: the link has been created
 */

/** Statements per call: DynamoDB's limit. */
const batchSize = 25;
/** Concurrent calls: enough to hide the latency of the table, few enough for the throughput of a new table. */
const concurrency = 8;
/** The share of a request's time that is reserved for finding out what became of unanswered writes. */
const settlingPart = 1 / 5;

/** What an import needs to know besides its entries. */
type Knowledge = {
  /** The tags that its entries name. */
  readonly tags?: ImportTags;
  /** Finds out settings that take time, for each of these entries, such as the hash of a password. */
  readonly settingsOf?: (entries: readonly ImportEntry[]) => Promise<readonly Partial<LinkSettings>[]>;
};

/**
 * Creates the links of an import, each with one conditional insert, and returns a result for each entry. Links with
 * tags, a cap or an external id are created in transactions, many in each. An entry whose link was created and then
 * deleted fails with `link_deleted`. If a generated slug is taken by another link, the next one is tried.
 *
 * @param refusals the refused hosts. Entries with such a destination fail, unless an earlier attempt created them.
 * @throws RequestError `temporarily_unavailable` if not everything could be written in time and the request can be
 *   repeated, or if the table does not even say what was written. Otherwise the entries that were not written fail
 *   with that code, and none of their writes can land later.
 */
export async function createLinks(
  domain: Domain,
  entries: readonly ImportEntry[],
  refusals: ReadonlyMap<string, RuleError>,
  lease: Lease,
  { tags = noTags, settingsOf = async () => [] }: Knowledge = {},
): Promise<WrittenResults> {
  const job = newJob(domain, entries, lease, tags);
  const { results } = job;
  if (lease.resumed) Object.assign(results, await earlierResults(job, entries));
  for (const [index, failure] of Object.entries(plannedFailures(entries, refusals, tags)))
    results[Number(index)] ??= failure as Failure;
  const wanted = entries.filter(({ index }) => !results[index]);
  const settings = await settingsOf(wanted);
  for (const [position, one] of settings.entries()) job.settings.set(wanted[position]?.index ?? -1, one);

  let open = wanted.map((entry) => entryAt(job, entry, 0));
  try {
    await withDeadline(timeLeft() * (1 - settlingPart), async () => {
      for (let round = 0; open.length > 0; round++) {
        if (round > 0) await backOff(round);
        open = await insertRound(job, open);
      }
    });
  } catch (error) {
    if (!(error instanceof RequestError) || lease.isRecorded) throw error;
    await giveUpAll(
      job,
      open.filter(({ entry }) => !results[entry.index]),
    );
  }
  return results;
}

const newJob = (domain: Domain, entries: readonly ImportEntry[], lease: Lease, tags: ImportTags): ImportJob => ({
  domain,
  creation: lease,
  customSlugs: customSlugs(entries),
  settings: new Map(),
  tagIdsOf: (entry) => {
    const tagged = tagsOfEntry(entry, tags);
    return 'code' in tagged ? [] : tagged;
  },
  results: {},
  unanswered: new Set(),
});

/** The results of entries whose links were created by an earlier attempt of the request. */
async function earlierResults({ domain, creation, customSlugs }: ImportJob, entries: readonly ImportEntry[]) {
  const results: WrittenResults = {};
  const own = await findOwn(domain.domainId, creation, entries, customSlugs);
  for (const [index, there] of own) results[index] = there.is === 'own' ? createdAs(there.link) : linkDeleted;
  return results;
}

/** Tries to create the links of the open entries, records the results, and returns the entries that are left to try. */
async function insertRound(job: ImportJob, open: readonly OpenEntry[]): Promise<OpenEntry[]> {
  const left: OpenEntry[] = [];
  // Two generated slugs may be equal by chance, and one call accepts each key only once. The later entry tries its next
  // slug.
  const seen = new Set<string>();
  const tried = open.filter((one) => {
    if (!seen.has(one.location)) return seen.add(one.location);
    left.push(nextSlug(job, one));
    return false;
  });
  const candidates = Map.groupBy(
    tried.map((one): Candidate => ({ open: one, link: linkOf(job, one) })),
    ({ link }) => hasMoreItems(link),
  );
  left.push(...(await createInTransactions(job, candidates.get(true) ?? [])));
  left.push(...(await insertCandidates(job, candidates.get(false) ?? [])));
  return left;
}

/** Inserts links that need no transaction, and records the results. Returns the entries that are left to try. */
async function insertCandidates(job: ImportJob, candidates: readonly Candidate[]): Promise<OpenEntry[]> {
  const { results, unanswered } = job;
  const left: OpenEntry[] = [];
  const duplicates: Candidate[] = [];
  const inserts = await insertAll(candidates.map(({ link }) => link));
  candidates.forEach(({ open, link }, position) => {
    const insert = inserts[position];
    if (insert === 'inserted') results[open.entry.index] = createdAs(link);
    else if (insert === 'duplicate') duplicates.push({ open, link });
    else left.push(open);
    if (insert === 'unknown') unanswered.add(open.mark);
  });
  const items = await readAddresses(duplicates.map(({ open }) => open.location));
  await inParallel(duplicates, concurrency, async ({ open, link }, position) => {
    const settled = await settle(job, open, link, await found(items[position], open.mark));
    if (settled) results[open.entry.index] = settled;
    else left.push(open.entry.customSlug === undefined ? nextSlug(job, open) : open);
  });
  return left;
}

async function insertAll(links: readonly Link[]): Promise<Insert[]> {
  return (await inParallel(chunks(links.map(linkItem), batchSize), concurrency, insertItems)).flat();
}

/** The result of an entry whose address is taken; undefined if it has to be retried. */
async function settle(job: ImportJob, open: OpenEntry, link: Link, there: Found): Promise<EntryResult | undefined> {
  if (there.is === 'own') return createdAs(there.link);
  if (there.is === 'deleted') return linkDeleted;
  if (open.entry.customSlug === undefined) return undefined;
  if (there.is === 'taken') return slugTaken;
  // A tombstone or a stray alias is there. The new link keeps its marks.
  try {
    const failed = await failedCondition(putItem(linkItem({ ...link, formerMarks: there.formerMarks }), there.condition));
    return failed ? await settle(job, open, link, await found(failed.items[0], open.mark)) : createdAs(link);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    job.unanswered.add(open.mark);
    return undefined;
  }
}

/** Records the results of entries when time has run out. */
async function giveUpAll(job: ImportJob, unsettled: readonly OpenEntry[]): Promise<void> {
  const items = await readAddresses(unsettled.map(({ location }) => location));
  await inParallel(unsettled, concurrency, async (open, position) => {
    job.results[open.entry.index] = await giveUp(job, open, await found(items[position], open.mark));
  });
}

/**
 * The result of an entry when time has run out. An unanswered insert may still be on its way. So a tombstone fences it
 * off at its address; otherwise sending the request again could create the link twice.
 *
 * @throws RequestError `temporarily_unavailable` if the fence may not be in place.
 */
async function giveUp(job: ImportJob, open: OpenEntry, there: Found): Promise<EntryResult> {
  if (there.is === 'own') return createdAs(there.link);
  if (there.is === 'deleted') return linkDeleted;
  if (there.is === 'taken') return open.entry.customSlug === undefined ? notWritten : slugTaken;
  if (!job.unanswered.has(open.mark)) return notWritten;
  const barrier = fence(open.location, open.mark, there.formerMarks);
  const failed = await failedCondition(putItem(barrier, there.condition));
  if (!failed) return notWritten;
  const now = await found(failed.items[0], open.mark);
  if (now.is === 'deleted' && now.deletedId === barrier.deletedId) return notWritten;
  return giveUp(job, open, now);
}
