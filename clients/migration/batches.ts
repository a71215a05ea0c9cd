import { createTags } from './api.ts';
import { roomOfChunk } from './chunks.ts';
import type { Pace } from './pace.ts';
import type { PlannedRow } from './planned.ts';
import { type Ledger, ledgerOf, type Result } from './results.ts';
import { importChunk, type Surroundings } from './run.ts';

// Imports files of any length: rows come one by one, and are forgotten once their results are handed on. Besides the
// slugs that the planner remembers, only the rows of the bulk requests under way are in memory.

/** Rows that are carried out together: those of one bulk request, and rows that are refused before it. */
export type Batch = { readonly rows: PlannedRow[]; readonly positions: number[] };

/** The most refused rows of a batch. */
const mostRefused = 1_000;

/**
 * Splits rows into batches. Links without slugs are in separate bulk requests, and in the same ones in every run,
 * because their `Idempotency-Key` is made from them.
 *
 * @param isDone whether an earlier run has the result of a row.
 */
export async function* batchesOf(
  rows: AsyncIterable<PlannedRow> | Iterable<PlannedRow>,
  isDone: (row: PlannedRow) => boolean = () => false,
): AsyncGenerator<Batch> {
  const [named, unnamed] = [fillerOf(), fillerOf()];
  let position = 0;
  for await (const row of rows) {
    const isUnnamed = row.link !== undefined && row.link.slug === undefined;
    if (isUnnamed || !isDone(row)) {
      const full = (isUnnamed ? unnamed : named).add(row, position);
      if (full && !full.rows.every(isDone)) yield full;
    }
    position++;
  }
  for (const last of [named.rest(), unnamed.rest()]) if (!last.rows.every(isDone)) yield last;
}

/** Fills batches. `add` returns the previous batch if the row begins another. */
function fillerOf() {
  let batch: Batch = { rows: [], positions: [] };
  let [fits, refused] = [roomOfChunk(), 0];
  return {
    add: (row: PlannedRow, position: number): Batch | undefined => {
      const before = batch;
      const isFull = row.link ? !fits(row.link) : refused === mostRefused;
      if (isFull) {
        batch = { rows: [], positions: [] };
        refused = 0;
        if (!row.link) fits = roomOfChunk();
      }
      if (!row.link) refused++;
      batch.rows.push(row);
      batch.positions.push(position);
      return isFull ? before : undefined;
    },
    rest: (): Batch => batch,
  };
}

/** The batches, and who is told what happens to them. */
export type Carried = {
  readonly batches: AsyncIterable<Batch>;
  readonly isStopped: () => boolean;
  /** Called with the number of further rows that are done. */
  readonly onProgress: (more: number) => void;
  /** Takes the results of a batch, and whether each of them is final, by its index. */
  readonly onResults: (results: readonly Result[], isFinal: (index: number) => boolean) => void;
};

/**
 * Works on the batches, several at a time. `onResults` gets each row once. If somebody stops it, or the work fails, it
 * gets the remaining rows as `not_reached`.
 *
 * @param begin runs before the first batch.
 * @returns the error that ended it early.
 */
export async function carryOut(
  { batches, isStopped, onProgress, onResults }: Carried,
  atOnce: () => number,
  begin: () => Promise<void>,
  work: (ledger: Ledger, isOver: () => boolean) => Promise<void>,
): Promise<Error | undefined> {
  let failure: Error | undefined;
  const fail = (error: unknown) => {
    // Stopping aborts waits, which is not a failure.
    if (!isStopped()) failure ??= error as Error;
  };
  const isOver = () => failure !== undefined || isStopped();
  const workOn = async ({ rows, positions }: Batch): Promise<void> => {
    let told = 0;
    const tell = (done: number) => {
      onProgress(done - told);
      told = done;
    };
    const ledger = ledgerOf(rows, tell, positions);
    if (!isOver() && ledger.entries.length > 0) await work(ledger, isOver).catch(fail);
    onResults(ledger.results, ledger.isFinal);
  };
  await begin().catch(fail);
  const underWay = new Set<Promise<void>>();
  try {
    for await (const batch of batches) {
      while (underWay.size >= atOnce()) await Promise.race(underWay);
      const one = workOn(batch)
        .catch(fail)
        .finally(() => underWay.delete(one));
      underWay.add(one);
    }
  } catch (error) {
    fail(error);
  }
  await Promise.all(underWay);
  return failure;
}

/**
 * Imports the batches, as `runImport` does, with as many requests at a time as the pace allows.
 *
 * @param options.tags the tags of all rows.
 */
export const importBatches = (
  options: Omit<Surroundings, 'pace'> & Carried & { readonly pace: Pace; readonly tags: readonly string[] },
): Promise<Error | undefined> =>
  carryOut(
    options,
    options.pace.atOnce,
    () => createTags(options.client, options.tags, options.isStopped),
    (ledger, isStopped) => importChunk({ ...options, ...ledger, isStopped }, ledger.entries),
  );
