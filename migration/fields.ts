import { type Columns, type Format, member } from './formats.ts';

/** What is read of a row: the first column of a field that is there, and all of the short URLs. */
export type Fields = Partial<Record<Exclude<keyof Columns, 'shortUrl'>, unknown>> & { readonly shortUrl: readonly unknown[] };

type Row = Readonly<Record<string, unknown>>;

/** Reads a row by the names of columns, without regard to case; `a.b` is the member b of a. Undefined where there is nothing. */
function cellsOf(row: Row): (name: string) => unknown {
  const byName = new Map(Object.entries(row).map(([name, value]) => [name.trim().toLowerCase(), value]));
  return (name) => {
    const value = byName.get(name.toLowerCase()) ?? member(row, ...name.split('.'));
    return isEmpty(value) ? undefined : value;
  };
}

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0);

/** The fields of a row that are there, by the columns of its format. */
export function fieldsOf(format: Format, row: Row): Fields {
  const cell = cellsOf(row);
  const { shortUrl = [], ...columns } = format.columns;
  const fields = Object.entries(columns).flatMap(([field, names]) => {
    const value = names.map(cell).find((one) => one !== undefined);
    return value === undefined ? [] : [[field, value]];
  });
  return { ...Object.fromEntries(fields), shortUrl: shortUrl.flatMap(cell).filter((one) => one !== undefined) };
}

/** The value of a setting; undefined where the link has it not. A password may be any word. */
function settingsOf(row: Row): (name: string) => unknown {
  const cell = cellsOf(row);
  return (name) => (cell(name) === false ? undefined : cell(name));
}

/** Why a row of a service is not to be brought, if it is not. */
export function refusalOf(format: Format, row: Row): string | undefined {
  const setting = settingsOf(row);
  const reasons = Object.entries(format.refusals ?? {}).map(([name, reason]) =>
    setting(name) === undefined ? undefined : reason(setting(name)),
  );
  return reasons.find((reason) => reason !== undefined);
}

/** The columns of a row that change where its link leads, and are not brought. */
export const lostOf = (format: Format, row: Row): readonly string[] =>
  (format.lost ?? []).filter((name) => settingsOf(row)(name) !== undefined);

/** The columns that nothing is read of, in the order in which they come. */
export function passedOver(rows: readonly { readonly values: Row }[], { columns, refusals = {}, lost = [] }: Format): string[] {
  const names = [...Object.values(columns).flat(), ...Object.keys(refusals), ...lost];
  const read = new Set(names.map((name) => name.split('.')[0]?.toLowerCase()));
  const there = new Set(rows.flatMap(({ values }) => Object.keys(values)));
  return [...there].filter((name) => name !== '' && !read.has(name.toLowerCase()));
}

/** The text of a value; empty where it is neither text nor number. */
export const textOf = (value: unknown): string => (['string', 'number'].includes(typeof value) ? String(value).trim() : '');
