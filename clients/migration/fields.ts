import { utmParameters } from '../../lambdas/core/link/utm.ts';
import { type Columns, type Format, formats, member } from './formats.ts';
import { ownColumns, ownSettingColumns } from './own.ts';

/** The fields of a row: for each field the first of its columns that has a value, and all short URLs. */
export type Fields = Partial<Record<Exclude<keyof Columns, 'shortUrl'>, unknown>> & { readonly shortUrl: readonly unknown[] };

type Row = Readonly<Record<string, unknown>>;

/** Caches the folded names of columns, which each row needs. */
const folded = new Map<string, string>();
const mostFolded = 1_000;

/** The form in which column names are compared: `Short URL`, `short_url` and `shortUrl` are the same. */
export function foldName(name: string): string {
  const known = folded.get(name);
  if (known !== undefined) return known;
  const fold = name.toLowerCase().replace(/[\s_-]+/g, '');
  if (folded.size < mostFolded) folded.set(name, fold);
  return fold;
}

const cellsByName = new WeakMap<Row, ReadonlyMap<string, unknown>>();

/** Reads cells by column names, however these are written; `a.b` is the member b of a. Undefined for an empty cell. */
export function cellsOf(row: Row): (name: string) => unknown {
  const byName = cellsByName.get(row) ?? new Map(Object.entries(row).map(([name, value]) => [foldName(name), value]));
  cellsByName.set(row, byName);
  return (name) => {
    const value = byName.get(foldName(name)) ?? (name.includes('.') ? member(row, ...name.split('.')) : undefined);
    return isEmpty(value) ? undefined : value;
  };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The fields of a row that have values. @param columns of its format */
export function fieldsOf(columns: Partial<Columns>, row: Row): Fields {
  const cell = cellsOf(row);
  const fields: Record<string, unknown> & { shortUrl: readonly unknown[] } = { shortUrl: [] };
  for (const [field, names] of Object.entries(columns)) {
    const values = names.map(cell).filter((one) => one !== undefined);
    if (field === 'shortUrl') fields.shortUrl = values.flat();
    else if (values.length > 0) fields[field] = values[0];
  }
  return fields;
}

/**
 * Reads settings of a link; undefined if a setting is missing or false. The text `false` is a value: it may be a
 * password.
 */
export function settingsOf(row: Row): (name: string) => unknown {
  const cell = cellsOf(row);
  return (name) => (cell(name) === false ? undefined : cell(name));
}

/** Why a row must not be imported; undefined if it may be. */
export function refusalOf(format: Format, row: Row): string | undefined {
  const setting = settingsOf(row);
  const reasons = Object.entries(format.refusals ?? {}).map(([name, reason]) =>
    setting(name) === undefined ? undefined : reason(setting(name)),
  );
  return reasons.find((reason) => reason !== undefined);
}

/** The columns of a row that change where its link leads, but are not imported. */
export const notImported = (format: Format, row: Row): readonly string[] =>
  (format.lost ?? []).filter((name) => settingsOf(row)(name) !== undefined);

/** The columns that this service's own format imports, the required one first. */
export function settingColumns(): string[] {
  const { createdAt, clicks, ...columns } = formats.csv.columns;
  return [...Object.values(columns).map(([name]) => name), ...Object.values(utmParameters), ...ownSettingColumns];
}

/** The names of the columns that are ignored, in the order of the file. */
export const ignoredColumns = (rows: readonly { readonly values: Row }[], format: Format): string[] =>
  ignoredOf(new Set(rows.flatMap(({ values }) => Object.keys(values))), format);

/** Which of these columns are ignored. */
export function ignoredOf(there: ReadonlySet<string>, format: Format): string[] {
  const isKnown = isColumnOf(format);
  return [...there].filter((name) => name !== '' && !isKnown(name));
}

/** Whether a format reads a column. */
export function isColumnOf({
  columns,
  refusals = {},
  rules,
  settings,
  hasUtm,
  lost = [],
  isOwn,
}: Format): (name: string) => boolean {
  const names = [
    ...Object.values(columns).flat(),
    ...Object.keys(refusals),
    ...(rules?.columns ?? []),
    ...(settings?.columns ?? []),
    ...(hasUtm ? Object.values(utmParameters) : []),
    ...lost,
    ...(isOwn ? ownColumns : []),
  ];
  const read = new Set(names.flatMap((name) => [foldName(name), foldName(name.split('.')[0] ?? '')]));
  return (name) => read.has(foldName(name));
}

/** How many columns an error names. */
const mostNamed = 12;

/** Folded names of columns that may contain the addresses of links. */
const addressLike = /^(short|tiny|vanity|custom|branded)|^(address|alias|backhalf|bitlink|code|key|keyword|link|path)$/;

/**
 * Checks the columns of a file.
 *
 * @throws Error if one appears twice, a required one is missing, or one seems to contain the addresses of links but is
 * not read: then all links would get new ones.
 */
export function checkColumns(names: readonly string[], format: Format): void {
  const folded = names.map(foldName);
  const twice = names.find((_, index) => folded[index] !== '' && folded.indexOf(folded[index] ?? '') !== index);
  if (twice !== undefined) throw new Error(`the column "${twice}" appears twice`);
  const { url, slug = [], shortUrl = [] } = format.columns;
  const has = (some: readonly string[]) => some.some((name) => folded.includes(foldName(name)));
  for (const needed of format.makesSlugs ? [url] : [url, [...slug, ...shortUrl]]) {
    if (has(needed)) continue;
    const quoted = (some: readonly string[]) => some.map((name) => `"${name}"`);
    const there = names.length > mostNamed ? [...quoted(names.slice(0, mostNamed)), '…'] : quoted(names);
    throw new Error(`there is no column ${quoted(needed).join(' or ')}, only ${there.join(', ')}`);
  }
  checkAddresses(names, format);
}

/** @throws Error if a column seems to contain the addresses of links, but no column is read for them. */
export function checkAddresses(names: Iterable<string>, format: Format): void {
  const { slug = [], shortUrl = [] } = format.columns;
  const read = new Set([...slug, ...shortUrl].map(foldName));
  const folded = [...names].map((name) => ({ name, fold: foldName(name) }));
  if (!format.makesSlugs || folded.some(({ fold }) => read.has(fold))) return;
  const isKnown = isColumnOf(format);
  const found = folded.find(({ fold }) => addressLike.test(fold) && !fold.endsWith('domain') && !isKnown(fold));
  if (!found) return;
  throw new Error(
    `the column "${found.name}" may have the addresses of the links: call it "slug" or "short_url", or remove it to get new addresses`,
  );
}
