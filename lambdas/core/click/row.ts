import { type Click, type RowDimension, rowDimensions } from './click.ts';

/** One click, as it is kept for years. It is flat, so that each field is a column. */
export type ClickRow = {
  readonly id: string;
  /** When the visitor came, in ISO 8601 in UTC, with milliseconds. */
  readonly at: string;
  readonly linkId: string;
  /** Of the link's domain. */
  readonly host: string;
  /** The link's epoch at the visit: an erasure raises it. */
  readonly epoch: number;
  /** The hash that tells the visitor apart on this link and day; missing if the stage doesn't count unique clicks. */
  readonly visitor?: string | undefined;
  /** The stream's shard that delivered the click, by the name of its marks. */
  readonly shard: string;
  /** The sequence number of the stream's record: up to 40 digits. */
  readonly sequenceNumber: string;
} & Readonly<Record<RowDimension, string>>;

/** The shard of rows that were copied from another table's clicks, not the stream. No shard's marks have this name. */
export const replayedShard = 'replayed';

/** A click as a shard of the stream delivers it. */
type DeliveredClick = Omit<Click, 'workspaceId'> & Pick<ClickRow, 'sequenceNumber'>;

/** The row of a click. @param shard the name of its marks */
export function rowOf(click: DeliveredClick, shard: string): ClickRow {
  const { id, at, linkId, host, epoch, visitor, sequenceNumber } = click;
  return { id, at, linkId, host, epoch, visitor, shard, sequenceNumber, ...dimensionsIn(click) };
}

const dimensionsIn = (click: Readonly<Record<RowDimension, string>>): Record<RowDimension, string> =>
  Object.fromEntries(rowDimensions.map((dimension) => [dimension, click[dimension]])) as Record<RowDimension, string>;

/** The order of a shard's sequence numbers, which are whole numbers of different lengths. */
export const bySequence = (one: Pick<ClickRow, 'sequenceNumber'>, other: Pick<ClickRow, 'sequenceNumber'>): number =>
  one.sequenceNumber.length - other.sequenceNumber.length || (one.sequenceNumber < other.sequenceNumber ? -1 : 1);

/**
 * A row as a line of JSON. The order of the fields is fixed, because the key of a tail's item is a hash of its text.
 */
export function lineOf(row: ClickRow): string {
  const { id, at, linkId, host, epoch, visitor, shard, sequenceNumber } = row;
  const fields = { id, at, linkId, host, epoch, visitor, shard, sequenceNumber, ...dimensionsIn(row) };
  return `${JSON.stringify(fields)}\n`;
}

/** Parses lines of `lineOf`. @throws SyntaxError if a line isn't JSON */
export const rowsOfText = (text: string): ClickRow[] =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line));

/** The first row of each id. A retried batch of the stream may have left rows twice. */
export function withoutDuplicates<R extends Pick<ClickRow, 'id'>>(rows: readonly R[]): R[] {
  const known = new Set<string>();
  return rows.filter(({ id }) => known.size < known.add(id).size);
}
