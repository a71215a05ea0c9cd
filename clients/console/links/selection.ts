import type { Link } from '../service/types.ts';

/** What bulk changes need to know about a selected link, to name it and to undo a change. */
export type Selected = Pick<Link, 'id' | 'shortUrl' | 'url' | 'hasPassword' | 'isActive' | 'isArchived'> & {
  readonly tagIds: readonly string[];
};

export const selectedOf = ({ id, shortUrl, url, hasPassword, isActive, isArchived, tags }: Link): Selected => ({
  id,
  shortUrl,
  url,
  hasPassword,
  isActive,
  isArchived,
  tagIds: tags.map((tag) => tag.id),
});

/** The selected links. Immutable: each change makes another one. */
export type Selection = {
  readonly size: number;
  readonly has: (id: string) => boolean;
  readonly links: () => readonly Selected[];
  readonly with: (links: readonly Selected[]) => Selection;
  readonly without: (ids: ReadonlySet<string>) => Selection;
};

/** Sets the selection, or derives it from the current one. */
export type Select = (next: Selection | ((now: Selection) => Selection)) => void;

const selectionOf = (links: ReadonlyMap<string, Selected>): Selection => ({
  size: links.size,
  has: (id) => links.has(id),
  links: () => [...links.values()],
  with: (more) => selectionOf(new Map([...links, ...more.map((link) => [link.id, link] as const)])),
  without: (ids) => selectionOf(new Map([...links].filter(([id]) => !ids.has(id)))),
});

export const emptySelection: Selection = selectionOf(new Map());
