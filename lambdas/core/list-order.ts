/**
 * The order of a list that is read as a whole, and then sorted: tags, templates, domains, webhooks, secrets.
 *
 * The cursor holds the position of a page's last entry. The next page begins with the first entry after that position,
 * even if the former entry is gone. So an entry that does not change is shown exactly once, even if others are created
 * and deleted between two pages.
 */
export type ListOrder<T> = {
  /** An entry's position in the list. Unique. */
  readonly positionOf: (entry: T) => string;
  /** Compares positions, for `sort`. It takes any text, because a position may come from a forged cursor. */
  readonly compare: (one: string, other: string) => number;
};

/** Compares texts by their code units. */
export const byCodeUnits = (one: string, other: string): number => (one < other ? -1 : Number(one > other));

/** The order by name as people expect, `a` beside `Ä` and 2 before 10; equal names by id. */
export function nameOrder(): ListOrder<{ readonly id: string; readonly name: string }> {
  // Not at load time: it would add 2 ms to the start of every function with this module, and only lists by name need
  // it.
  const collator = new Intl.Collator('en', { numeric: true });
  return {
    // Ids have no spaces.
    positionOf: ({ id, name }) => `${id} ${name}`,
    compare: (one, other) => collator.compare(nameIn(one), nameIn(other)) || byCodeUnits(one, other),
  };
}

const nameIn = (position: string): string => position.slice(position.indexOf(' ') + 1);

export const sorted = <T>(entries: readonly T[], { positionOf, compare }: ListOrder<T>): T[] =>
  entries
    .map((entry) => ({ entry, position: positionOf(entry) }))
    .sort((one, other) => compare(one.position, other.position))
    .map(({ entry }) => entry);

/**
 * A page of a list.
 *
 * @param entries all of the list, in any order.
 * @param range.after the position where the previous page ended; undefined for the first page.
 * @returns the page, and the position where it ends; undefined if nothing follows.
 */
export function pageOf<T>(
  entries: readonly T[],
  order: ListOrder<T>,
  { limit, after }: { readonly limit: number; readonly after: string | undefined },
): { readonly page: T[]; readonly next: string | undefined } {
  const { positionOf, compare } = order;
  const left = after === undefined ? entries : entries.filter((entry) => compare(positionOf(entry), after) > 0);
  const page = sorted(left, order).slice(0, limit);
  const last = page.at(-1);
  return { page, next: last !== undefined && page.length < left.length ? positionOf(last) : undefined };
}
