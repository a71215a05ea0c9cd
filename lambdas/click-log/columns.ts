import { type RowDimension, rowDimensions } from '../core/click/click.ts';
import type { ClickRow } from '../core/click/row.ts';

/**
 * The columns of the files, which people read with tools of their own. Names are in the case that SQL has, and none is a
 * word of DuckDB's or Athena's.
 */
type Column = { readonly name: string; readonly type: string; readonly field: keyof ClickRow };

const named = (field: keyof ClickRow): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const column = (field: keyof ClickRow, type = 'VARCHAR', name = named(field)): Column => ({ name, type, field });

/** What merging removes: it tells clicks and visitors apart. */
const identities: readonly Column[] = [column('id'), column('visitor'), column('shard'), column('sequenceNumber')];

/** What stays for as long as the click does. Times are in UTC. */
const facts: readonly Column[] = [
  column('at', 'TIMESTAMP_MS', 'clicked_at'),
  column('linkId'),
  column('host'),
  column('epoch', 'BIGINT'),
  ...rowDimensions.map((dimension) => column(dimension)),
];

/** The column of a dimension. */
export const columnOf = (dimension: RowDimension): string => named(dimension);

/** Whether the click was the first of its visitor on its link and day (UTC), as sealing decided. */
const unique = 'is_unique';

/** The columns of a file that sealing makes, which merging takes the first four from, with DuckDB's types. */
export const fileColumns: readonly Pick<Column, 'name' | 'type'>[] = [...identities, ...facts, { name: unique, type: 'BOOLEAN' }];

/** The columns of a tail's rows, as DuckDB's `read_json` takes them. */
export const jsonColumns = `{${[...identities, ...facts].map(({ field, type }) => `'${field}': '${type}'`).join(', ')}}`;

/** A tail's rows, with the columns' names. Times are cut to the second, because they are kept for years. */
export const fromJson = [...identities, ...facts]
  .map(({ field, type, name }) => (field === 'at' ? `date_trunc('second', "at")::${type} AS ${name}` : `"${field}" AS ${name}`))
  .join(', ');

/** The columns of a file that sealing makes. */
export const sealedColumns = fileColumns.map(({ name }) => name).join(', ');

/** The columns of a file that merging makes. Reading a file makes times finer, so they are cast again. */
export const mergedColumns = [...facts.map(({ name, type }) => `${name}::${type} AS ${name}`), unique].join(', ');

/** What questions see of a click. Its id tells it apart, and is null once it is merged, as are its shard and its number there. */
const shown = [...facts.map(({ name, type }) => `${name}::${type} AS ${name}`), unique].join(', ');
export const clickColumns = `id, shard, sequence_number, ${shown}`;
export const mergedClickColumns = `NULL::VARCHAR AS id, NULL::VARCHAR AS shard, NULL::VARCHAR AS sequence_number, ${shown}`;
