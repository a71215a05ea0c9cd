import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { type Dialect, dialectFinder, dialectName } from '../../clients/migration/csv.ts';
import { ignoredOf, isColumnOf } from '../../clients/migration/fields.ts';
import type { Format } from '../../clients/migration/formats.ts';
import { checkDomains, type PlanOptions, plannerOf, sourceDomainOf } from '../../clients/migration/plan.ts';
import type { PlannedRow } from '../../clients/migration/planned.ts';
import { csvRows, decoderOf, isJson, type RawRow, rowsOf } from '../../clients/migration/read.ts';
import { foldTagName } from '../../lambdas/core/tag/tag.ts';

// Reads an export several times: for its dialect, for its content, and to import it. So no more than a few rows of a
// CSV file are in memory, and the folded slug of each link. JSON is parsed as a whole.

/** How a file is planned. */
export type Planning = PlanOptions & { readonly format: Format; readonly sourceDomain: string | undefined };

/** What must be known about a file before its import. */
export type Survey = {
  /** The SHA-256 hash of its content. */
  readonly fingerprint: string;
  readonly rows: number;
  /** Undefined for JSON. */
  readonly dialect: Dialect | undefined;
  /** The columns that are ignored. */
  readonly ignored: readonly string[];
  /** The tags of all links. */
  readonly tags: readonly string[];
};

/** The bytes of a file, as often as needed. Anything but a regular file, such as a pipe, is read once. */
type Source = { readonly parts: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>; readonly whole: () => Uint8Array };

export function sourceOf(file: string): Source {
  if (statSync(file).isFile()) return { parts: () => createReadStream(file), whole: () => readFileSync(file) };
  const bytes = readFileSync(file);
  return { parts: () => [bytes], whole: () => bytes };
}

/** A file's dialect of CSV, or undefined if it is JSON. The start of most files is enough to tell. */
async function dialectOf(source: Source, format: Format): Promise<Dialect | undefined> {
  const finder = dialectFinder(isColumnOf(format));
  let start: string | undefined = '';
  for await (const text of textsIn(source)) {
    // The first character that is not a space tells JSON from CSV.
    if (start !== undefined) {
      start += text;
      if (isJson(start)) return undefined;
      if (start.trim() !== '') start = undefined;
    }
    if (finder.add(text)) break;
  }
  return finder.found();
}

/**
 * Reads the whole file.
 *
 * @throws Error with a one-line message if it cannot be imported.
 */
export async function surveyOf(source: Source, planning: Planning): Promise<Survey> {
  const { format, sourceDomain } = planning;
  const dialect = await dialectOf(source, format);
  const columns = new Set<string>();
  const domains = new Set<string>();
  const tags = new Map<string, string>();
  const plan = plannerOf(format, sourceDomain, planning);
  const hash = createHash('sha256');
  let rows = 0;
  for await (const row of rowsIn(source, format, dialect, (part) => hash.update(part))) {
    rows++;
    for (const name of Object.keys(row.values)) columns.add(name);
    const domain = sourceDomain === undefined ? sourceDomainOf(row, format) : undefined;
    if (domain !== undefined) domains.add(domain);
    for (const tag of plan(row).link?.tags ?? []) tags.set(foldTagName(tag), tag);
  }
  checkDomains([...domains].sort());
  const ignored = ignoredOf(columns, format);
  return { fingerprint: hash.digest('hex'), rows, dialect, ignored, tags: [...tags.values()] };
}

/** The dialect in words. */
export const dialectIn = ({ dialect }: Survey): string => (dialect ? dialectName(dialect) : 'JSON');

/** Plans the rows of a file. @throws Error if it is no longer the one that was surveyed. */
export async function* plannedIn(
  source: Source,
  planning: Planning,
  { fingerprint, dialect }: Survey,
): AsyncGenerator<PlannedRow> {
  const plan = plannerOf(planning.format, planning.sourceDomain, planning);
  const hash = createHash('sha256');
  for await (const row of rowsIn(source, planning.format, dialect, (part) => hash.update(part))) yield plan(row);
  if (hash.digest('hex') !== fingerprint) throw new Error('the file has changed since the import began: run it again');
}

async function* rowsIn(
  source: Source,
  format: Format,
  dialect: Dialect | undefined,
  onPart: (part: Uint8Array) => void,
): AsyncGenerator<RawRow> {
  if (!dialect) {
    const file = source.whole();
    onPart(file);
    yield* rowsOf(file, format);
    return;
  }
  const read = csvRows(format, dialect);
  for await (const text of textsIn(source, onPart)) yield* read(text, false);
  yield* read('', true);
}

/** The text of a file, part by part. @throws Error if its encoding is wrong. */
async function* textsIn({ parts, whole }: Source, onPart?: (part: Uint8Array) => void): AsyncGenerator<string> {
  const decode = decoderOf(whole);
  for await (const part of parts()) {
    onPart?.(part);
    yield decode(part, false);
  }
  yield decode(new Uint8Array(), true);
}
