import type { InfiniteData, QueryFilters } from '@tanstack/react-query';
import type { Schemas } from '../../typescript/client.ts';
import type { RequestId } from './changes.ts';
import { api } from './client.ts';
import { lookAtHistory } from './history.ts';
import { queries } from './queries.ts';
import { change, resource } from './resources.ts';
import { type Tagged, withSettings } from './settings.ts';
import type { Link } from './types.ts';

// Calls about links. All lists and panels are in the query cache, so that each shows what the page changes.

/** A link of a list. If the list is sorted by clicks, it has those clicks. */
export type ListedLink = Link & Partial<Pick<Schemas['RankedLink'], 'inRange'>>;

/** A page of a list of links. */
export type LinkPage = { readonly links: readonly ListedLink[]; readonly nextCursor: string | null };
type Lists = InfiniteData<LinkPage, string | undefined>;

/** The query key of the list of links that match filters, or of all links. */
export const linksKey = (filters: object) => ['links', filters] as const;

/** Changes the links of each page. If `update` returns the same array, nothing is drawn again. */
const inPages = (filters: QueryFilters, update: (links: readonly ListedLink[], page: number) => readonly ListedLink[]): void =>
  change<Lists>(filters, (list) => ({
    ...list,
    pages: list.pages.map((page, at) => {
      const links = update(page.links, at);
      return links === page.links ? page : { ...page, links };
    }),
  }));

/** Shows a link as it is now. @param etag if it has changed */
export function showLink(link: Link, etag?: string): void {
  const isIt = ({ id }: Link) => id === link.id;
  inPages({ queryKey: ['links'] }, (links) =>
    links.some(isIt) ? links.map((one) => (isIt(one) ? { ...one, ...link } : one)) : links,
  );
  change<Tagged<Link>>({ queryKey: ['link', link.id], exact: true }, (known) => ({ value: link, etag: etag ?? known.etag }));
  lookAtHistory();
}

/** Puts a new link at the top of the list of all links. Only the service knows whether it belongs to other lists. */
export function showNewLink(link: Link): void {
  inPages({ queryKey: linksKey({}), exact: true }, (links, page) =>
    page > 0 || links.some(({ id }) => id === link.id) ? links : [link, ...links],
  );
  reload({ queryKey: ['links'], predicate: ({ queryKey: [, filters] }) => Object.keys(filters as object).length > 0 });
  lookAtHistory();
}

/** The ids of links that the page has deleted. */
export const goneLinks = { queryKey: ['gone links'], initialData: new Set<string>() as ReadonlySet<string>, enabled: false };

/** Takes links out of the lists and the selection. */
export function forgetLinks(ids: ReadonlySet<string>): void {
  const isGone = ({ id }: Link) => ids.has(id);
  inPages({ queryKey: ['links'] }, (links) => (links.some(isGone) ? links.filter((link) => !isGone(link)) : links));
  queries.setQueryData<ReadonlySet<string>>(goneLinks.queryKey, (before) => new Set([...(before ?? []), ...ids]));
  lookAtHistory();
}

/** How many pages of a list are read again after a change. */
const mostReloaded = 10;

/** Forgets all but the first pages of lists, so that not all are read again. */
export const shorten = (filters: QueryFilters, pages = mostReloaded): void =>
  void queries.setQueriesData<Lists>(filters, (list) =>
    list && list.pages.length > pages ? { pages: list.pages.slice(0, pages), pageParams: list.pageParams.slice(0, pages) } : list,
  );

function reload(filters: QueryFilters): void {
  shorten(filters);
  void queries.invalidateQueries(filters);
}

/** Reads links again after a bulk change that was or may have been made. */
export function reloadLinks(): void {
  reload({ queryKey: ['links'] });
  void queries.invalidateQueries({ queryKey: ['link'] });
  lookAtHistory(true);
}

export const linkAt = resource<Link>('link', '/api/v1/links/{id}', {
  read: ({ link }: { readonly link: Link }) => withSettings(link),
  show: ({ value, etag }) => showLink(value, etag),
});

export async function deleteLink(
  id: string,
  etag: string | undefined,
  headers: RequestId,
): Promise<{ readonly response: Response }> {
  const params = { path: { id }, ...(etag && { header: { 'If-Match': etag } }) };
  const { response } = await api.DELETE('/api/v1/links/{id}', { params, headers });
  forgetLinks(new Set([id]));
  return { response };
}
