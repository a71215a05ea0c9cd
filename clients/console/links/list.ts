import { isAborted } from '../service/failures.ts';
import { patiently, type Wait, waitFor } from '../service/patience.ts';
import type { Link } from '../service/types.ts';

// The links of a list, as far as somebody has scrolled. The number of pages in memory is constant: pages far from what is
// shown are dropped, and fetched again by their cursors when somebody scrolls back. One request is under way at a time.

type Page = {
  /** Where the page begins; undefined for the first. */
  readonly cursor: string | undefined;
  readonly links: readonly Link[] | undefined;
  /** How many links it has, or had when it was dropped. */
  readonly size: number;
};

export type ListState = {
  readonly pages: readonly Page[];
  /** Where the next page begins; null after the last one; undefined before the first answer. */
  readonly next: string | null | undefined;
  readonly isLoading: boolean;
  readonly error: unknown;
  /** Whether many pages in a row had nothing: somebody has to say whether to search on. */
  readonly hasPaused: boolean;
  /** What the request that is under way waits for; '' if it waits for nothing but its answer. */
  readonly waits: string;
};

export type LoadPage = (
  cursor: string | undefined,
  signal: AbortSignal,
) => Promise<{ readonly links: readonly Link[]; readonly nextCursor: string | null }>;

const mostPages = 12;
/** A page of a search looks through a limited number of links, so it may have none. */
const mostEmptyPages = 5;

export type LinkList = ReturnType<typeof linkList>;

export function linkList(load: LoadPage, wait: Wait = waitFor) {
  let state: ListState = { pages: [], next: undefined, isLoading: false, error: undefined, hasPaused: false, waits: '' };
  let wanted = { first: 0, last: 0 };
  let emptyPages = 0;
  const listeners = new Set<() => void>();
  const stopped = new AbortController();
  const set = (more: Partial<ListState>): void => {
    state = { ...state, ...more };
    for (const listener of listeners) listener();
  };

  /** The number of the page to load for what is shown; undefined if all of it is there. */
  function missing(): number | undefined {
    let before = 0;
    for (const [number, { size, links }] of state.pages.entries()) {
      if (!links && before <= wanted.last && before + size > wanted.first) return number;
      before += size;
    }
    return wanted.last >= before - 1 && state.next !== null && !state.hasPaused ? state.pages.length : undefined;
  }

  /** Without the pages that are farthest from the one that was just loaded, beyond the most that are kept. */
  function withoutFar(pages: readonly Page[], loaded: number): Page[] {
    const byDistance = pages
      .flatMap(({ links }, number) => (links ? [number] : []))
      .sort((one, other) => Math.abs(one - loaded) - Math.abs(other - loaded));
    const dropped = new Set(byDistance.slice(mostPages));
    return pages.map((page, number) => (dropped.has(number) ? { ...page, links: undefined } : page));
  }

  /**
   * The pages after one of them was fetched. It may end elsewhere than before, because links were made or deleted since: the
   * next one begins there, so that no link is between them, or in both.
   */
  function followedBy(pages: readonly Page[], number: number, cursor: string): readonly Page[] {
    const follower = pages[number + 1];
    if (!follower || follower.cursor === cursor) return pages;
    return pages.with(number + 1, { cursor, links: undefined, size: Math.max(1, follower.size) });
  }

  const fetchPage = (cursor: string | undefined) =>
    patiently(
      () => {
        stopped.signal.throwIfAborted();
        return load(cursor, stopped.signal);
      },
      (waits) => set({ waits }),
      { wait },
    );

  async function loadMissing(): Promise<void> {
    if (state.isLoading || state.error !== undefined) return;
    for (let number = missing(); number !== undefined; number = missing()) {
      const cursor = number < state.pages.length ? state.pages[number]?.cursor : (state.next ?? undefined);
      set({ isLoading: true });
      try {
        const { links, nextCursor } = await fetchPage(cursor);
        const page = { cursor, links, size: links.length };
        const isNew = number >= state.pages.length;
        const known = isNew ? [...state.pages, page] : state.pages.with(number, page);
        const pages = nextCursor === null ? known.slice(0, number + 1) : followedBy(known, number, nextCursor);
        const isLast = number === pages.length - 1;
        if (isNew) emptyPages = links.length > 0 ? 0 : emptyPages + 1;
        set({
          pages: withoutFar(pages, number),
          isLoading: false,
          ...(isLast && { next: nextCursor }),
          ...(isNew && { hasPaused: emptyPages >= mostEmptyPages && nextCursor !== null }),
        });
      } catch (error) {
        if (isAborted(error)) return;
        set({ isLoading: false, waits: '', error });
        return;
      }
    }
  }

  const mapLinks = (change: (link: Link) => Link | undefined): void =>
    set({
      pages: state.pages.map((page) => {
        if (!page.links) return page;
        const links = page.links.flatMap((link) => change(link) ?? []);
        return { ...page, links, size: links.length };
      }),
    });

  return {
    state: (): ListState => state,
    subscribe: (listener: () => void) => {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    /** Says which rows are shown. What is missing of them is fetched. */
    show: (first: number, last: number): void => {
      wanted = { first, last };
      void loadMissing();
    },
    retry: (): void => {
      set({ error: undefined });
      void loadMissing();
    },
    /** Searches on after pages without any match. */
    keepLooking: (): void => {
      emptyPages = 0;
      set({ hasPaused: false });
      void loadMissing();
    },
    /** Shows a link as it is now. */
    replace: (changed: Link): void => mapLinks((link) => (link.id === changed.id ? changed : link)),
    remove: (ids: ReadonlySet<string>): void => {
      mapLinks((link) => (ids.has(link.id) ? undefined : link));
      void loadMissing();
    },
    /** Puts a new link at the top. */
    add: (link: Link): void => {
      const [first, ...rest] = state.pages;
      if (!first?.links || first.links.some(({ id }) => id === link.id)) return;
      set({ pages: [{ ...first, links: [link, ...first.links], size: first.size + 1 }, ...rest] });
    },
    stop: (): void => stopped.abort(),
  };
}

/** How many rows are known. */
export const rowsIn = ({ pages }: Pick<ListState, 'pages'>): number => pages.reduce((sum, { size }) => sum + size, 0);

/** The link in a row; undefined if its page is not there. */
export function linkAt({ pages }: Pick<ListState, 'pages'>, row: number): Link | undefined {
  let before = 0;
  for (const { size, links } of pages) {
    if (row < before + size) return links?.[row - before];
    before += size;
  }
  return undefined;
}
