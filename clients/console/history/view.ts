// What the address of the history says.

/** How many days the ranges have; 0 for all. */
export const spans = { '7d': 7, '30d': 30, '90d': 90, all: 0 } as const;
export type Span = keyof typeof spans;

export type HistoryView = {
  /** Of one link, which may be deleted; undefined for the whole workspace. */
  readonly linkId: string | undefined;
  /** The id of a key or a member, or `operator`. */
  readonly actor: string | undefined;
  readonly span: Span;
};

/** A link's history is short, so all of it is shown. */
export const plainSpan = (linkId: string | undefined): Span => (linkId === undefined ? '30d' : 'all');

/** Reads the query of an address. What makes no sense is ignored. */
export function parseView(query: string): HistoryView {
  const found = new URLSearchParams(query);
  const of = found.get('of') ?? '';
  const linkId = /^lnk_[0-9A-Za-z]+$/.test(of) ? of : undefined;
  const actor = found.get('actor') ?? '';
  const span = found.get('range') ?? '';
  return {
    linkId,
    actor: /^(operator|[a-z]+_[\w-]+)$/.test(actor) ? actor : undefined,
    span: Object.hasOwn(spans, span) ? (span as Span) : plainSpan(linkId),
  };
}

/** Writes the query of an address; `parseView` reads it again. Defaults are left out. */
export function writeView({ linkId, actor, span }: HistoryView): string {
  const query = new URLSearchParams();
  if (linkId !== undefined) query.set('of', linkId);
  if (actor !== undefined) query.set('actor', actor);
  if (span !== plainSpan(linkId)) query.set('range', span);
  return query.toString();
}
