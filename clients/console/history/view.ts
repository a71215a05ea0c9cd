import { type OwnDays, ownDaysIn, writtenDays } from '../parts/days.ts';

// The state of the history screen in its address.

/** The offered ranges in days; 0 for all. */
export const spans = { '7d': 7, '30d': 30, '90d': 90, all: 0 } as const;
type SpanName = keyof typeof spans;
/** Days are in the reader's own zone. */
export type Span = SpanName | OwnDays;

/** Longer than any history is kept. */
export const mostDays = 3_660;

export type HistoryView = {
  /** The link whose history it is, which may be deleted; undefined for the whole workspace. */
  readonly linkId: string | undefined;
  /** The id of a key or a member, or `operator`. */
  readonly actor: string | undefined;
  readonly span: Span;
};

/** A link's history is short, so all of it is shown. */
export const plainSpan = (linkId: string | undefined): SpanName => (linkId === undefined ? '30d' : 'all');

/** Reads the query of an address. Invalid parts are ignored. */
export function parseView(query: string): HistoryView {
  const found = new URLSearchParams(query);
  const of = found.get('of') ?? '';
  const linkId = /^lnk_[0-9A-Za-z]+$/.test(of) ? of : undefined;
  const actor = found.get('actor') ?? '';
  const span = found.get('range') ?? '';
  return {
    linkId,
    actor: /^(operator|[a-z]+_[\w-]+)$/.test(actor) ? actor : undefined,
    span: Object.hasOwn(spans, span) ? (span as SpanName) : (ownDaysIn(span, mostDays) ?? plainSpan(linkId)),
  };
}

/** Writes the query of an address; `parseView` reads it again. Defaults are left out. */
export function writeView({ linkId, actor, span }: HistoryView): string {
  const query = new URLSearchParams();
  if (linkId !== undefined) query.set('of', linkId);
  if (actor !== undefined) query.set('actor', actor);
  if (span !== plainSpan(linkId)) query.set('range', typeof span === 'string' ? span : writtenDays(span));
  return query.toString();
}

/**
 * The instants of a span, in the zone of this browser. Days begin at midnight. @param from undefined for no beginning
 */
export function timesOf(span: Span, now: number): { readonly from: number | undefined; readonly to: number | undefined } {
  if (typeof span !== 'string') return { from: startOf(span.from), to: startOf(span.to, 1) };
  if (spans[span] === 0) return { from: undefined, to: undefined };
  const today = new Date(now);
  return { from: new Date(today.getFullYear(), today.getMonth(), today.getDate() + 1 - spans[span]).getTime(), to: undefined };
}

/** The midnight at which a day begins. @param later a number of days to add */
function startOf(day: string, later = 0): number {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return new Date(year, month - 1, date + later).getTime();
}

/** The day of an instant, in the zone of this browser. */
export const dayOf = (instant: number): string => new Date(instant).toLocaleDateString('en-CA');
