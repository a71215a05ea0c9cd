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

/** Statements a call: DynamoDB's limit. */
const batchSize = 25;
/** Calls in flight: enough to hide the way to the table, few enough to keep within a new table's throughput. */
const inFlight = 8;
/** The part of a request's time that is kept back to find out what became of writes without an answer. */
const settlingPart = 1 / 5;

/** An entry that is not settled yet, and the slug to try. */
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
  /** What came of the entries that are settled. */
  readonly results: EntryResults;
  /** The marks of entries whose write had no answer: it may still be carried out. */
  readonly unanswered: Set<string>;
};

/**
 * Creates the links of an import, each by one conditional insert, and says what came of each entry.
 *
 * Each link carries the mark of its entry. If an insert finds its address taken, the mark there tells whether an earlier insert,
 * whose answer was lost or whose function died, created the link. An entry whose link was created and then deleted fails with
 * `link_deleted`. If a made slug is somebody else's, another one is made.
 *
 * @param refusals by the hosts that are refused: entries that lead there fail, unless an earlier attempt created them.
 * @throws RequestError `temporarily_unavailable` if not everything could be written in time and the request can be repeated, or if the
 *   table does not even say what was written. Otherwise entries that were not written fail with that code, and no write of theirs can
 *   land later.
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

/** Tries to insert what is open, notes what is settled by it, and returns what is left to try. */
async function insertRound(batch: Import, open: readonly Open[]): Promise<Open[]> {
  const { tryAt, results, unanswered } = batch;
  const left: Open[] = [];
  // Made slugs may be equal by chance, and one call takes no key twice: the later ones are made anew.
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

/** The link that an entry becomes at the slug that is tried: with a new id at each try. */
function linkOf({ domain, creation }: Import, { entry, shortCode, location, mark }: Open): Link {
  const { formerMarks } = untouched;
  const place = { id: newLinkId(location), shortCode, creationMark: mark, formerMarks };
  return newLink(domain, creation.createdAt, place, importedSettings(entry));
}

/** What came of an entry whose address was found to be taken; undefined if it is to be tried again. */
async function settle(batch: Import, one: Open, link: Link, there: Found): Promise<EntryResult | undefined> {
  if (there.is === 'own') return createdAs(there.link);
  if (there.is === 'deleted') return linkDeleted;
  if (one.entry.customSlug === undefined) return undefined;
  if (there.is === 'taken') return slugTaken;
  // Deleted links have left their marks there.
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
 * What came of an entry that there is no more time for. An insert without an answer may be on its way yet: something is put at its
 * address so that it cannot land, or else the sender would create the link twice by sending it again.
 *
 * @throws RequestError `temporarily_unavailable` if that is not certain.
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

/** Inserts everything, several calls at a time. */
async function insertAll(links: readonly Link[]): Promise<Insert[]> {
  return (await inParallel(chunks(links.map(linkItem), batchSize), inFlight, insertItems)).flat();
}
