import { type RowDimension, rowDimensions } from '../core/click/click.ts';
import type { ClickRow } from '../core/click/row.ts';

/**
 * A column of the files, which people read with tools of their own. Names are in snake case, and none is a reserved
 * word of DuckDB or Athena.
 */
type Column = { readonly name: string; readonly type: string; readonly field: keyof ClickRow };

const named = (field: keyof ClickRow): string => field.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

const column = (field: keyof ClickRow, type = 'VARCHAR', name = named(field)): Column => ({ name, type, field });

/** The columns that identify clicks and visitors. Merging removes them. */
const identities: readonly Column[] = [column('id'), column('visitor'), column('shard'), column('sequenceNumber')];

/** The columns that stay as long as the click does. Times are in UTC. */
const facts: readonly Column[] = [
  column('at', 'TIMESTAMP_MS', 'clicked_at'),
  column('linkId'),
  column('host'),
  column('epoch', 'BIGINT'),
  ...rowDimensions.map((dimension) => column(dimension)),
];

export const columnOf = (dimension: RowDimension): string => named(dimension);

/** Whether the click was the first of its visitor on its link and day (UTC), as sealing decided. */
const unique = 'is_unique';

/** The columns of a file that sealing makes, with DuckDB's types. Merging removes the first four. */
export const fileColumns: readonly Pick<Column, 'name' | 'type'>[] = [...identities, ...facts, { name: unique, type: 'BOOLEAN' }];

/** The columns of a tail's rows, as DuckDB's `read_json` takes them. */
export const jsonColumns = `{${[...identities, ...facts].map(({ field, type }) => `'${field}': '${type}'`).join(', ')}}`;

/** A tail's rows, with the columns' names. Times are truncated to the second, because they are kept for years. */
export const fromJson = [...identities, ...facts]
  .map(({ field, type, name }) => (field === 'at' ? `date_trunc('second', "at")::${type} AS ${name}` : `"${field}" AS ${name}`))
  .join(', ');

/** The columns of a file that sealing makes. */
export const sealedColumns = fileColumns.map(({ name }) => name).join(', ');

/** The columns of a file that merging makes. Reading a file changes times to microseconds, so they are cast again. */
export const mergedColumns = [...facts.map(({ name, type }) => `${name}::${type} AS ${name}`), unique].join(', ');

/**
 * The columns that questions see. The id, the shard and the sequence number are null once the click's file is merged.
 */
const shown = [...facts.map(({ name, type }) => `${name}::${type} AS ${name}`), unique].join(', ');
export const clickColumns = `id, shard, sequence_number, ${shown}`;
export const mergedClickColumns = `NULL::VARCHAR AS id, NULL::VARCHAR AS shard, NULL::VARCHAR AS sequence_number, ${shown}`;
