import {
  closeSync,
  copyFileSync,
  createReadStream,
  existsSync,
  fdatasyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs';
import { type CsvRow, csvReader } from '../../clients/migration/csv.ts';
import { decoderOf } from '../../clients/migration/read.ts';
import { reportDialect, reportedRow, reportHeader, reportRows } from '../../clients/migration/report.ts';
import type { Result } from '../../clients/migration/results.ts';
import { unguarded } from '../../lambdas/core/csv.ts';

// The report of an import also spares its next run the finished rows after a crash: results are appended to `<report>.<id>.part`,
// a batch at a time and only once they are final, and at the end that file becomes the report. The id stands for the
// file, its options and the workspace, so no other import continues there. Rows that are not in it are imported again,
// which makes no duplicates. For example:
//
//     run 1   appends the results of requests 1 to 400, and is killed while 401 to 406 are under way
//     run 2   takes the results of 1 to 400 from the file. It sends the other rows, and finds what 401 to 406 have made
//     run 2   renames the file to `<report>`
//
// If a run is stopped or fails, `<report>` is a copy of that file plus the state of all other rows.

/** The report of an import. */
export type ReportFile = {
  /** The results of earlier runs. */
  readonly earlier: () => AsyncIterable<Result>;
  /** Appends results, those that are final and the others. */
  readonly add: (final: readonly Result[], open: readonly Result[]) => void;
  /** Makes it the report. */
  readonly close: () => void;
  /** Leaves the report as it was. Final results stay for the next run. */
  readonly discard: () => void;
};

/**
 * Opens the report of an import.
 *
 * @param id identifies the import.
 * @param continues whether results of an earlier run are used.
 * @param dialect how the file is read.
 * @throws Error if it cannot be written.
 */
export async function reportFile(path: string, id: string, continues: boolean, dialect: string): Promise<ReportFile> {
  // Fail now, not after the work, if the report cannot be written.
  const report = openSync(path, 'a');
  if (!statSync(path).isFile()) return plainReport(report, dialect);
  closeSync(report);
  const part = `${path}.${id}.part`;
  const copy = `${path}.${id}.stopped`;
  if (existsSync(part)) truncateSync(part, continues ? await wholeRecords(part) : 0);
  const file = openSync(part, 'a');
  if (statSync(part).size === 0) writeSync(file, reportHeader);
  let stopped: number | undefined;
  return {
    earlier: () => resultsIn(part),
    add: (final, open) => {
      if (open.length > 0 && stopped === undefined) {
        copyFileSync(part, copy);
        stopped = openSync(copy, 'a');
      }
      if (final.length > 0) {
        write(file, final, dialect);
        fdatasyncSync(file);
      }
      if (stopped !== undefined) write(stopped, [...final, ...open], dialect);
    },
    close: () => {
      closeSync(file);
      if (stopped !== undefined) closeSync(stopped);
      renameSync(stopped === undefined ? part : copy, path);
    },
    discard: () => {
      closeSync(file);
      if (statSync(part).size === reportHeader.length) rmSync(part);
    },
  };
}

/** A report that goes to something other than a file, such as a pipe. */
function plainReport(report: number, dialect: string): ReportFile {
  writeSync(report, reportHeader);
  return {
    earlier: async function* () {},
    add: (final, open) => write(report, [...final, ...open], dialect),
    close: () => closeSync(report),
    discard: () => closeSync(report),
  };
}

/** Writes results as a whole: the system may take only a part of them at a time. */
function write(file: number, results: readonly Result[], dialect: string): void {
  const bytes = Buffer.from(reportRows(results, dialect));
  for (let at = 0; at < bytes.length; ) at += writeSync(file, bytes, at);
}

/** How many bytes of a report are whole records. A crash may have cut the last one. */
async function wholeRecords(path: string): Promise<number> {
  const [quote, carriageReturn, lineFeed] = [0x22, 0x0d, 0x0a];
  let [at, whole, before, isQuoted] = [0, 0, 0, false];
  for await (const part of createReadStream(path) as AsyncIterable<Uint8Array>) {
    for (const byte of part) {
      at++;
      if (byte === quote) isQuoted = !isQuoted;
      if (byte === lineFeed && before === carriageReturn && !isQuoted) whole = at;
      before = byte;
    }
  }
  return whole;
}

async function* resultsIn(path: string): AsyncGenerator<Result> {
  const read = csvReader(reportDialect);
  const decode = decoderOf(() => readFileSync(path));
  const resultsOf = (rows: readonly CsvRow[]) =>
    rows.flatMap(({ line, cells }) => (line === 1 ? [] : reportedRow(cells.map(unguarded))));
  for await (const part of createReadStream(path) as AsyncIterable<Uint8Array>)
    yield* resultsOf(read(decode(part, false), false));
  yield* resultsOf(read(decode(new Uint8Array(), true), true));
}
