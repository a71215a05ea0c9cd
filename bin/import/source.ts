import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { parse } from 'csv-parse';
import { ignoredOf } from '../../clients/migration/fields.ts';
import type { Format } from '../../clients/migration/formats.ts';
import { checkDomains, type PlannedRow, type PlanOptions, plannerOf, sourceDomainOf } from '../../clients/migration/plan.ts';
import {
  type CsvRecord,
  csvOptions,
  csvReader,
  emptyFile,
  isJson,
  notUtf8,
  type RawRow,
  rowsOf,
  unreadableCsv,
} from '../../clients/migration/read.ts';
import { foldTagName } from '../../lambdas/core/tag/tag.ts';

// Reads an export twice: once to know what is in it, and once to import it. So of a CSV file, no more than a few rows are in
// memory, and of each link the folded slug. JSON is parsed as a whole.

/** How a file is planned. */
export type Planning = PlanOptions & { readonly format: Format; readonly sourceDomain: string | undefined };

/** What there is to know about a file before its import. */
export type Survey = {
  /** The SHA-256 hash of its content. */
  readonly fingerprint: string;
  readonly rows: number;
  /** The columns that are ignored. */
  readonly ignored: readonly string[];
  /** The tags of all links. */
  readonly tags: readonly string[];
};

/** The bytes of a file, as often as they are asked for. What is not a regular file, such as a pipe, is read once. */
type Source = { readonly parts: () => AsyncIterable<Uint8Array> | Iterable<Uint8Array>; readonly whole: () => Uint8Array };

export function sourceOf(file: string): Source {
  if (statSync(file).isFile()) return { parts: () => createReadStream(file), whole: () => readFileSync(file) };
  const bytes = readFileSync(file);
  return { parts: () => [bytes], whole: () => bytes };
}

/**
 * Reads the whole file.
 *
 * @throws Error with a one-line message if it cannot be imported.
 */
export async function surveyOf(source: Source, planning: Planning): Promise<Survey> {
  const { format, sourceDomain } = planning;
  const columns = new Set<string>();
  const domains = new Set<string>();
  const tags = new Map<string, string>();
  const plan = plannerOf(format, sourceDomain, planning);
  const hash = createHash('sha256');
  let rows = 0;
  for await (const row of rowsIn(source, format, (part) => hash.update(part))) {
    rows++;
    for (const name of Object.keys(row.values)) columns.add(name);
    const domain = sourceDomain === undefined ? sourceDomainOf(row, format) : undefined;
    if (domain !== undefined) domains.add(domain);
    for (const tag of plan(row).link?.tags ?? []) tags.set(foldTagName(tag), tag);
  }
  checkDomains([...domains].sort());
  return { fingerprint: hash.digest('hex'), rows, ignored: ignoredOf(columns, format), tags: [...tags.values()] };
}

/** Plans the rows of a file. @throws Error if it is no longer the one that was surveyed. */
export async function* plannedIn(source: Source, planning: Planning, { fingerprint }: Survey): AsyncGenerator<PlannedRow> {
  const plan = plannerOf(planning.format, planning.sourceDomain, planning);
  const hash = createHash('sha256');
  for await (const row of rowsIn(source, planning.format, (part) => hash.update(part))) yield plan(row);
  if (hash.digest('hex') !== fingerprint) throw new Error('the file has changed since the import began: run it again');
}

async function* rowsIn(source: Source, format: Format, onPart: (part: Uint8Array) => void): AsyncGenerator<RawRow> {
  const texts = textsIn(source, onPart);
  let start = '';
  for (let next = await texts.next(); !next.done; next = await texts.next()) {
    start += next.value;
    if (start.trim() !== '') break;
  }
  if (isJson(start)) {
    for await (const _ of texts);
    yield* rowsOf(source.whole(), format);
  } else yield* csvRowsIn(start, texts, format);
}

/** The text of a file, part by part. @throws Error if it is not UTF-8. */
async function* textsIn({ parts, whole }: Source, onPart: (part: Uint8Array) => void): AsyncGenerator<string> {
  const decoder = new TextDecoder('utf-8', { fatal: true });
  const decode = (part?: Uint8Array) => {
    try {
      return part ? decoder.decode(part, { stream: true }) : decoder.decode();
    } catch {
      throw notUtf8(whole());
    }
  };
  for await (const part of parts()) {
    onPart(part);
    yield decode(part);
  }
  yield decode();
}

async function* csvRowsIn(start: string, texts: AsyncIterable<string>, format: Format): AsyncGenerator<RawRow> {
  const { header, rowOf } = csvReader(format);
  const all = async function* () {
    yield start;
    yield* texts;
  };
  const parser = parse(csvOptions);
  const reading = pipeline(Readable.from(all()), parser);
  // The parser throws the same error to its reader.
  reading.catch(() => {});
  let hasHeader = false;
  try {
    for await (const record of parser as AsyncIterable<CsvRecord>) {
      if (hasHeader) yield rowOf(record);
      else header(record);
      hasHeader = true;
    }
  } catch (error) {
    throw String((error as { code?: unknown }).code).startsWith('CSV_') ? unreadableCsv(error) : error;
  }
  if (!hasHeader) throw emptyFile();
}
