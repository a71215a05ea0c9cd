import { backOff, timeLeft, withDeadline } from '../deadline.ts';
import type { Domain } from '../domain/domain.ts';
import { RequestError, type RuleError } from '../domain/errors.ts';
import { locationInId } from '../domain/ids.ts';
import {
  type Created,
  candidate,
  customSlugs,
  type ImportEntry,
  type ImportRun,
  importedLink,
  notWritten,
  type Outcomes,
  plannedFailures,
  slugTaken,
} from '../domain/import.ts';
import type { Lease } from './idempotency.ts';
import { linkKey } from './keys.ts';
import { linkItem } from './links.ts';
import { chunks, getItems } from './reads.ts';
import { type Insert, insertItems } from './writes.ts';

/** Statements a call: DynamoDB's limit. */
const batchSize = 25;
/** Calls in flight: enough to hide the way to the table, few enough to keep within a new table's throughput. */
const inFlight = 8;
/** Slugs tried by who ran before us that are looked for: that a third one was needed has a chance of 1 in 10^9. */
const attemptsLookedFor = 3;
/** The part of a request's time that is kept back to find out what became of writes without an answer. */
const settlingPart = 1 / 5;

/** An entry that is not settled yet, with the slug to try. */
type Open = { readonly entry: ImportEntry; readonly attempt: number; readonly created: Created };

type Import = {
  readonly domain: Domain;
  readonly lease: Lease;
  readonly tryAt: (entry: ImportEntry, attempt: number) => Open;
};

/**
 * Creates the links of an import, each by one conditional insert, and says what came of each entry.
 *
 * Each link carries the mark of its entry. An insert that finds its place taken is settled by reading the mark there: the
 * own one says that an earlier insert, whose answer was lost or whose function died, was ours. A made slug that is another's
 * is made anew.
 *
 * @param refused those among the destinations' hosts: their entries fail.
 * @throws RequestError `temporarily_unavailable` where not everything could be written in time and the request can be repeated, or
 *   where the table does not even say what was written. Otherwise what is missing fails with that code.
 */
export async function createLinks(
  domain: Domain,
  entries: readonly ImportEntry[],
  refused: ReadonlyMap<string, RuleError>,
  lease: Lease,
): Promise<Outcomes> {
  const avoid = customSlugs(entries);
  const batch: Import = {
    domain,
    lease,
    tryAt: (entry, attempt) => ({ entry, attempt, created: candidate(domain, lease, entry, attempt, avoid) }),
  };
  const outcomes = lease.resumed ? await alreadyCreated(batch, entries) : {};
  for (const [index, failure] of Object.entries(plannedFailures(entries, refused))) outcomes[Number(index)] ??= failure;
  let open = entries.filter(({ index }) => !outcomes[index]).map((entry) => batch.tryAt(entry, 0));
  try {
    await withDeadline(timeLeft() * (1 - settlingPart), async () => {
      for (let round = 0; open.length > 0; round++) {
        if (round > 0) await backOff(round);
        open = await insertRound(batch, open, outcomes);
      }
    });
  } catch (error) {
    if (!(error instanceof RequestError) || lease.isRecorded) throw error;
    const marks = await readMarks(open);
    open.forEach(({ entry, created }, place) => {
      const mark = marks[place];
      const isTaken = mark !== undefined && entry.customSlug !== undefined;
      outcomes[entry.index] = mark === markOf(lease, entry) ? created : isTaken ? slugTaken : notWritten;
    });
  }
  return outcomes;
}

/** What another function, from which the import was taken over, has created. */
async function alreadyCreated({ lease, tryAt }: Import, entries: readonly ImportEntry[]): Promise<Outcomes> {
  const outcomes: Outcomes = {};
  const attempts = Array.from({ length: attemptsLookedFor }, (_, attempt) => attempt);
  const tried = entries.flatMap((entry) =>
    (entry.customSlug === undefined ? attempts : [0]).map((attempt) => tryAt(entry, attempt)),
  );
  const marks = await readMarks(tried);
  tried.forEach(({ entry, created }, place) => {
    if (marks[place] === markOf(lease, entry)) outcomes[entry.index] = created;
  });
  return outcomes;
}

/** Tries to insert what is open, notes what is settled by it, and gives what is left to be tried. */
async function insertRound(batch: Import, open: readonly Open[], outcomes: Outcomes): Promise<Open[]> {
  const { lease, tryAt } = batch;
  const left: Open[] = [];
  // Made slugs may be equal by chance, and one call takes no key twice: the later ones are made anew.
  const seen = new Set<string>();
  const tried = open.filter((one) => {
    const location = locationInId(one.created.id) ?? '';
    if (!seen.has(location)) return seen.add(location);
    left.push(tryAt(one.entry, one.attempt + 1));
    return false;
  });
  const inserts = await insertAll(batch, tried);
  const duplicates: Open[] = [];
  tried.forEach((one, place) => {
    if (inserts[place] === 'inserted') outcomes[one.entry.index] = one.created;
    else if (inserts[place] === 'duplicate') duplicates.push(one);
    else left.push(one);
  });
  const marks = await readMarks(duplicates);
  duplicates.forEach((one, place) => {
    const { entry, attempt, created } = one;
    const mark = marks[place];
    if (mark === markOf(lease, entry)) outcomes[entry.index] = created;
    // What was in the way is gone by now.
    else if (mark === undefined) left.push(one);
    else if (entry.customSlug !== undefined) outcomes[entry.index] = slugTaken;
    else left.push(tryAt(entry, attempt + 1));
  });
  return left;
}

const markOf = ({ importId }: ImportRun, { index }: ImportEntry): string => `${importId}#${index}`;

/** The marks of what lies at the places of links; undefined where nothing does. */
async function readMarks(open: readonly Open[]): Promise<(string | undefined)[]> {
  const items = await getItems(open.map(({ created }) => linkKey(locationInId(created.id) ?? '')));
  return items.map((item) => item && String(item.importMark ?? ''));
}

/** Inserts everything, several calls at a time. */
async function insertAll({ domain, lease }: Import, open: readonly Open[]): Promise<Insert[]> {
  const items = open.map(({ entry, created }) => ({
    ...linkItem(importedLink(domain, lease.createdAt, entry, created)),
    importMark: markOf(lease, entry),
  }));
  const batches = chunks(items, batchSize);
  const inserts: Insert[][] = [];
  let next = 0;
  const worker = async () => {
    for (let place = next++; place < batches.length; place = next++) {
      lease.assertCurrent();
      inserts[place] = await insertItems(batches[place] ?? []);
    }
  };
  await Promise.all(Array.from({ length: inFlight }, worker));
  return inserts.flat();
}
