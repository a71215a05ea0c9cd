import { utmParameters } from '../../lambdas/core/link/utm.ts';
import { type Columns, type Format, formats, member } from './formats.ts';
import { ownColumns, ownSettingColumns } from './own.ts';

/** The fields of a row: for each field the first of its columns that has a value, and all short URLs. */
export type Fields = Partial<Record<Exclude<keyof Columns, 'shortUrl'>, unknown>> & { readonly shortUrl: readonly unknown[] };

type Row = Readonly<Record<string, unknown>>;

/** Reads cells by column names, which are case-insensitive; `a.b` is the member b of a. Undefined for an empty cell. */
export function cellsOf(row: Row): (name: string) => unknown {
  const byName = new Map(Object.entries(row).map(([name, value]) => [name.trim().toLowerCase(), value]));
  return (name) => {
    const value = byName.get(name.toLowerCase()) ?? member(row, ...name.split('.'));
    return isEmpty(value) ? undefined : value;
  };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The fields of a row that have values, by the columns of its format. */
export function fieldsOf(format: Format, row: Row): Fields {
  const cell = cellsOf(row);
  const { shortUrl = [], ...columns } = format.columns;
  const fields = Object.entries(columns).flatMap(([field, names]) => {
    const value = names.map(cell).find((one) => one !== undefined);
    return value === undefined ? [] : [[field, value]];
  });
  return { ...Object.fromEntries(fields), shortUrl: shortUrl.flatMap(cell).filter((one) => one !== undefined) };
}

/**
 * Reads settings of a link; undefined if a setting is missing or false. The text `false` counts: it may be a password.
 */
export function settingsOf(row: Row): (name: string) => unknown {
  const cell = cellsOf(row);
  return (name) => (cell(name) === false ? undefined : cell(name));
}

/** Why a row must not be imported; undefined if it may. */
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

/** The columns from which a link of this service's own format gets something, the one that it needs first. */
export function settingColumns(): string[] {
  const { createdAt, clicks, ...columns } = formats.csv.columns;
  return [...Object.values(columns).flat(), ...Object.values(utmParameters), ...ownSettingColumns];
}

/** The names of the columns that are ignored, in the order of the file. */
export const ignoredColumns = (rows: readonly { readonly values: Row }[], format: Format): string[] =>
  ignoredOf(new Set(rows.flatMap(({ values }) => Object.keys(values))), format);

/** Which of these columns are ignored. */
export function ignoredOf(
  there: ReadonlySet<string>,
  { columns, refusals = {}, rules, settings, hasUtm, lost = [], isOwn }: Format,
): string[] {
  const names = [
    ...Object.values(columns).flat(),
    ...Object.keys(refusals),
    ...(rules?.columns ?? []),
    ...(settings?.columns ?? []),
    ...(hasUtm ? Object.values(utmParameters) : []),
    ...lost,
    ...(isOwn ? ownColumns : []),
  ];
  const read = new Set(names.map((name) => name.split('.')[0]?.toLowerCase()));
  return [...there].filter((name) => name !== '' && !read.has(name.toLowerCase()));
}
