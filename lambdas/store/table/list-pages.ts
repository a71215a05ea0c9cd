import type { Item } from './client.ts';
import { text } from './fields.ts';
import { isFull, type Meter } from './reads.ts';

/** Which page of a list to read. */
export type PageRange = {
  readonly limit: number;
  /** The position where the page before it ended; undefined for the first page. */
  readonly after?: string | undefined;
};

/** A page of a list, and the position where it ends; undefined if nothing follows. */
export type Page<T> = { readonly shown: readonly T[]; readonly next: string | undefined };

/**
 * Reads a page of a list, until it has `limit` entries. It takes one more entry of the index than it looks at, to know
 * whether anything follows.
 *
 * @param entries of the index, in the order of the list, from where the page begins.
 * @param read reads what the list shows of entries, in their order; undefined for those that it leaves out. It gets up
 *   to `limit` entries at a time.
 * @param most the most entries to look at. The page then ends with fewer entries than `limit`.
 * @param mayShow whether the list may show the entry at a position. The default is any.
 */
export async function pageOf<T>(
  entries: AsyncGenerator<Item>,
  limit: number,
  read: (entries: readonly Item[]) => Promise<readonly (T | undefined)[]>,
  { most = Number.POSITIVE_INFINITY, mayShow = () => true }: { most?: number; mayShow?: (position: string) => boolean } = {},
): Promise<Page<T>> {
  const following = async (): Promise<Item | undefined> => (await entries.next()).value;
  const shown: T[] = [];
  let looked = 0;
  let entry = await following();
  while (entry) {
    const some: Item[] = [];
    let last = '';
    for (; entry && some.length < limit && looked < most; looked++) {
      last = positionOf(entry);
      if (mayShow(last)) some.push(entry);
      entry = await following();
    }
    for (const [index, one] of (await read(some)).entries()) {
      if (one === undefined) continue;
      shown.push(one);
      if (shown.length < limit) continue;
      const isEnd = !entry && index === some.length - 1;
      return { shown, next: isEnd ? undefined : positionOf(some[index] as Item) };
    }
    if (looked === most) return { shown, next: entry && last };
  }
  return { shown, next: undefined };
}

const positionOf = (entry: Item): string => text(entry, 'gsi1sk');

/**
 * Merges items that are sorted by this attribute, from several queries. Reads more as they are consumed.
 *
 * @param meter that of the queries. When it is full, this ends with the first query that ends: that query may have been
 *   cut short, and the others' next items may come after missing ones.
 */
export async function* inOneOrder(
  sources: readonly AsyncGenerator<Item>[],
  by: string,
  order: 'asc' | 'desc' = 'desc',
  meter?: Meter,
): AsyncGenerator<Item> {
  const heads = await Promise.all(
    sources.map(async (items) => {
      const { value } = await items.next();
      return { items, item: value as Item | undefined };
    }),
  );
  for (;;) {
    let next: (typeof heads)[number] | undefined;
    for (const head of heads) {
      const comes = next?.item && head.item ? text(head.item, by) > text(next.item, by) === (order === 'desc') : head.item;
      if (comes) next = head;
    }
    if (!next?.item) return;
    yield next.item;
    next.item = (await next.items.next()).value;
    if (!next.item && isFull(meter)) return;
  }
}
