import type { Link } from '../service/types.ts';

/** What bulk changes need to know about a selected link. */
export type Selected = Pick<Link, 'id' | 'shortUrl' | 'hasPassword'>;

/** The selected links. It never changes: each change makes another one. */
export type Selection = {
  readonly size: number;
  readonly has: (id: string) => boolean;
  readonly links: () => readonly Selected[];
  readonly with: (links: readonly Selected[]) => Selection;
  readonly without: (ids: ReadonlySet<string>) => Selection;
};

function selectionOf(links: ReadonlyMap<string, Selected>): Selection {
  return {
    size: links.size,
    has: (id) => links.has(id),
    links: () => [...links.values()],
    with: (more) => {
      const slim = more.map(({ id, shortUrl, hasPassword }) => [id, { id, shortUrl, hasPassword }] as const);
      return selectionOf(new Map([...links, ...slim]));
    },
    without: (ids) => selectionOf(new Map([...links].filter(([id]) => !ids.has(id)))),
  };
}

export const emptySelection: Selection = selectionOf(new Map());
