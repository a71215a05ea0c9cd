import type { ListedClick } from '../click-log/listing.ts';
import { dimensions, type RowDimension, rowDimensions } from '../core/click/click.ts';
import { csvOf } from '../core/csv.ts';
import type { RecordedClick } from '../store/clicks/clicks.ts';

export type ClickView = {
  /** Null once merging has removed it. */
  readonly id: string | null;
  /** To the second, in ISO 8601. */
  readonly at: string;
  readonly linkId: string;
} & Readonly<Record<RowDimension, string>> & {
    readonly domain: string;
    /** Null if the stage doesn't count unique clicks. */
    readonly isUnique: boolean | null;
  };

/** A click of a list as the API returns it. @param countsUniques whether the stage counts unique clicks */
export const clickView = ({ host, isUnique, ...click }: ListedClick, countsUniques: boolean): ClickView => ({
  ...click,
  domain: host,
  isUnique: countsUniques ? isUnique : null,
});

const fields = ['id', 'at', 'linkId', ...rowDimensions, 'domain', 'isUnique'] as const;

/** Clicks as CSV, with the names of the fields in the first row. Null becomes an empty cell. */
export const clicksAsCsv = (clicks: readonly ClickView[], withHeader = true): string =>
  csvOf([...(withHeader ? [fields] : []), ...clicks.map((click) => fields.map((field) => String(click[field] ?? '')))]);

const payloadFields = ['id', 'at', 'linkId', ...dimensions] as const;

/** A click as webhooks receive it. */
export const clickInPayload = (click: RecordedClick) =>
  Object.fromEntries(payloadFields.map((field) => [field, click[field]])) as Record<(typeof payloadFields)[number], string>;
