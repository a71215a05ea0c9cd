import { type Creation, creationMark, customSlugs, slugToTry } from '../../domain/creation.ts';
import type { Domain } from '../../domain/domain.ts';
import { RequestError, type RuleError } from '../../domain/errors.ts';
import { locationOf, newLinkId } from '../../domain/ids.ts';
import {
  type EntryResult,
  type EntryResults,
  type ImportEntry,
  importedSettings,
  linkDeleted,
  notWritten,
  plannedFailures,
  slugTaken,
} from '../../domain/import.ts';
import { type Link, newLink } from '../../domain/link.ts';
import { backOff, timeLeft, withDeadline } from '../../runtime/deadline.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import type { Lease } from '../idempotency.ts';
import { failedCondition } from '../table/conditions.ts';
import { chunks } from '../table/reads.ts';
import { type Insert, insertItems, putItem } from '../table/writes.ts';
import { linkItem } from './links.ts';
import { type Found, fence, findOwn, found, readPlaces, untouched } from './places.ts';

/** Statements per call: DynamoDB's limit. */
const batchSize = 25;
/** Calls at a time: enough to hide the latency of the table, few enough for the throughput of a new table. */
const inFlight = 8;
/** The share of a request's time that is reserved for finding out what became of unanswered writes. */
const settlingPart = 1 / 5;

/** An entry without a result yet, and the slug to try. */
type Open = {
  readonly entry: ImportEntry;
  readonly attempt: number;
  readonly shortCode: string;
  readonly location: string;
  readonly mark: string;
};

type Import = {
  readonly domain: Domain;
  readonly creation: Creation;
  readonly tryAt: (entry: ImportEntry, attempt: number) => Open;
  /** The results so far. */
  readonly results: EntryResults;
  /** The marks of entries with an unanswered write, which may still be executed. */
  readonly unanswered: Set<string>;
};

/**
 * Creates the links of an import, each with one conditional insert, and returns a result for each entry.
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
): Promise<EntryResults> {
  const avoid = customSlugs(entries);
  const batch: Import = {
    domain,
    creation: lease,
    tryAt: (entry, attempt) => {
      const shortCode = slugToTry(lease, entry, attempt, avoid);
      return { entry, attempt, shortCode, location: locationOf(domain.domainId, shortCode), mark: creationMark(lease, entry) };
    },
    results: {},
    unanswered: new Set(),
  };
  const { results } = batch;
  if (lease.resumed) {
    const own = await findOwn(domain.domainId, lease, entries, avoid);
    for (const [index, there] of own) results[index] = there.is === 'own' ? createdAs(there.link) : linkDeleted;
  }
  for (const [index, failure] of Object.entries(plannedFailures(entries, refusals))) results[Number(index)] ??= failure;
  let open = entries.filter(({ index }) => !results[index]).map((entry) => batch.tryAt(entry, 0));
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

const createdAs = ({ id, shortCode }: Link): EntryResult => ({ id, shortCode });

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
  const links = tried.map((one) => linkOf(batch, one));
  const inserts = await insertAll(links);
  const duplicates: { one: Open; link: Link }[] = [];
  tried.forEach((one, place) => {
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
function linkOf({ domain, creation }: Import, { entry, shortCode, location, mark }: Open): Link {
  const { formerMarks } = untouched;
  const place = { id: newLinkId(location), shortCode, creationMark: mark, formerMarks };
  return newLink(domain, creation.createdAt, place, importedSettings(entry));
}

/** The result of an entry whose address is taken; undefined if it has to be retried. */
async function settle(batch: Import, one: Open, link: Link, there: Found): Promise<EntryResult | undefined> {
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
async function giveUp(batch: Import, one: Open, there: Found): Promise<EntryResult> {
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
