import { RequestError } from '../../core/errors.ts';
import { externalIdTaken, type Failure, type ImportEntry, linkDeleted, slugTaken } from '../../core/link/import.ts';
import type { Link } from '../../core/link/link.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { commit, type Outcome } from '../table/commit.ts';
import { found, untouched } from './addresses.ts';
import { creating } from './create.ts';
import { type ExternalId, findExternalIds } from './external-ids.ts';
import { type Candidate, createdAs, type EntryResult, type ImportJob, nextSlug, type OpenEntry } from './import-job.ts';
import { asTransaction, linkWrite, liveTags, type TaggedChange, transactions } from './tagging.ts';

/**
 * The part of an import that creates links with tags, a cap or an external id: many links with each transaction, which
 * has up to 100 writes. If one link cannot be created, its whole transaction fails and says which one. For example,
 * with three links in a transaction:
 *
 *     round 1   /a, /b and /c, each with its tag, and the tag's count + 3     /b is taken: nothing is written
 *               the import asked for /b, so that entry fails with `slug_taken`
 *     round 2   /a and /c, each with its tag, and the tag's count + 2         written
 */

/** How many transactions run at a time, if they have no tags in common, and how many reads of aliases. */
const concurrentTransactions = 4;
const concurrentReads = 8;

/** Whether more items belong to the link, so that it needs a transaction. */
export const hasMoreItems = ({ tagIds, maxClicks, externalId }: Link): boolean =>
  tagIds.length > 0 || maxClicks !== null || externalId !== null;

/** An entry's part of a transaction. */
type Part = Candidate & { readonly change: TaggedChange };

/**
 * Creates links with tags, caps or external ids, many with each transaction, and records the results. Transactions with
 * tags run one after another, because they update the counts of the same tags.
 *
 * @returns the entries that are left to try.
 */
export async function createInTransactions(job: ImportJob, candidates: readonly Candidate[]): Promise<OpenEntry[]> {
  const { workspaceId } = job.domain;
  const live = await liveTags(
    workspaceId,
    candidates.flatMap(({ link }) => link.tagIds),
  );
  const parts: Part[] = [];
  const externalIds = await readExternalIds(workspaceId, candidates);
  candidates.forEach((candidate, position) => {
    const { open } = candidate;
    const link = open.entry.dropsGoneTags
      ? { ...candidate.link, tagIds: candidate.link.tagIds.filter((id) => live.has(id)) }
      : candidate.link;
    const external = externalIds[position];
    const gone = link.tagIds.find((id) => !live.has(id));
    if (gone !== undefined) job.results[open.entry.index] = tagGone(open.entry, gone);
    else if (external && 'result' in external) job.results[open.entry.index] = external.result;
    else parts.push({ open, link, change: creating(link, open.there.condition, external) });
  });
  const partOfChange = new Map(parts.map((part) => [part.change, part]));
  const groups = transactions(parts.map(({ change }) => change)).map((group) =>
    group.map((change) => partOfChange.get(change) as Part),
  );
  const { tagged = [], untagged = [] } = Object.groupBy(groups, (group) =>
    group.some(({ link }) => link.tagIds.length > 0) ? 'tagged' : 'untagged',
  );
  const [some, others] = await Promise.all([
    inParallel(tagged, 1, (group) => createGroup(job, group, live)),
    inParallel(untagged, concurrentTransactions, (group) => createGroup(job, group, live)),
  ]);
  return [...some, ...others].flat();
}

/** What was found at an entry's external id: that it is free, or the entry's result. */
type ExternalIdOfEntry = Extract<ExternalId, { is: 'free' }> | { readonly result: EntryResult } | undefined;

/** Reads the external ids of links, 100 with each call, and the links that have them. */
async function readExternalIds(workspaceId: string, candidates: readonly Candidate[]): Promise<ExternalIdOfEntry[]> {
  const wanted = candidates.flatMap(({ link }) => link.externalId ?? []);
  const read = await findExternalIds(workspaceId, wanted);
  return candidates.map(({ open, link: { externalId } }) => {
    const there = externalId === null ? undefined : read.get(externalId);
    if (there?.is !== 'taken') return there;
    // Another function may be at work on the same request.
    return { result: there.holder.creationMark === open.mark ? createdAs(there.holder) : externalIdTaken };
  });
}

/** The failure of an entry with a tag that was deleted since the request began. */
function tagGone(entry: ImportEntry, tagId: string): Failure {
  const position = entry.tagIds?.indexOf(tagId) ?? -1;
  const path = position >= 0 ? `/tagIds/${position}` : '/tagNames';
  return { code: 'tag_not_found', message: `${path} does not exist in this workspace` };
}

/** Creates links with one transaction. Returns the entries that are left to try. */
async function createGroup(job: ImportJob, group: readonly Part[], live: ReadonlySet<string>): Promise<OpenEntry[]> {
  const { results, unanswered, domain } = job;
  const writes = asTransaction(
    domain.workspaceId,
    group.map(({ change }) => change),
    live,
  );
  let outcome: Outcome;
  try {
    outcome = await commit(writes);
  } catch (error) {
    if (!(error instanceof RequestError)) throw error;
    for (const { open } of group) unanswered.add(open.mark);
    return group.map(({ open }) => open);
  }
  if (!outcome.failed) {
    for (const { open, link } of group) results[open.entry.index] = createdAs(link);
    return [];
  }
  const left = await inParallel(group, concurrentReads, async ({ open, link }) => {
    const item = outcome.items[linkWrite(link)];
    // Another link of the transaction has failed, or this one's external id or tag, which are read again.
    if (item === undefined) return [open];
    const there = await found(item, open.mark);
    const isCustom = open.entry.customSlug !== undefined;
    if (there.is === 'own') results[open.entry.index] = createdAs(there.link);
    else if (there.is === 'deleted') results[open.entry.index] = linkDeleted;
    else if (there.is === 'taken' && isCustom) results[open.entry.index] = slugTaken;
    else return [there.is === 'free' && (isCustom || there === untouched) ? { ...open, there } : nextSlug(job, open)];
    return [];
  });
  return left.flat();
}
