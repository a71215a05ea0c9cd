import { dimensions } from '../core/click/click.ts';
import type { RecordedClick } from '../store/clicks/list.ts';
import { csvOf } from './csv.ts';

const fields = ['id', 'at', 'linkId', ...dimensions] as const;

/** A click as the API returns it. */
export const clickView = (click: RecordedClick) =>
  Object.fromEntries(fields.map((field) => [field, click[field]])) as Record<(typeof fields)[number], string>;

export type ClickView = ReturnType<typeof clickView>;

/** Clicks as CSV, with the names of the fields in the first row. */
export const clicksAsCsv = (clicks: readonly ClickView[], withHeader = true): string =>
  csvOf([...(withHeader ? [fields] : []), ...clicks.map((click) => fields.map((field) => click[field]))]);
