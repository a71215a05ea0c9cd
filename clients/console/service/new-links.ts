import { keyed } from './changes.ts';
import { api } from './client.ts';
import { showNewLink } from './links.ts';
import type { Say } from './patience.ts';
import type { Tagged } from './settings.ts';
import type { Domain, Link } from './types.ts';

/**
 * The host of a domain for browsers: with the port of the service for domains under `localhost`.
 *
 * @param at the page's location.
 */
export const hostOf = (domain: string, at: Pick<Location, 'port'> = location): string =>
  domain.endsWith('.localhost') && at.port !== '' ? `${domain}:${at.port}` : domain;

const domainPlace = 'links-domain';

/** The domains that can have links. */
export const servedOf = (domains: readonly Domain[] = []): readonly Domain[] =>
  domains.filter(({ status }) => status !== 'PENDING_OWNERSHIP');

/** The domain for new links: the one that this browser chose last, if it still exists. */
export const usualDomain = (served: readonly Domain[]): string | undefined => {
  const last = localStorage.getItem(domainPlace);
  return (served.find(({ domain }) => domain === last) ?? served[0])?.domain;
};

export const keepDomain = (domain: string): void => localStorage.setItem(domainPlace, domain);

type NewLink = { readonly domain: string; readonly url: string } & PageCard;

/**
 * Makes a link. If it is refused for the moment, or the answer is lost, it retries, which makes no second link.
 *
 * @param say called with what it waits for.
 * @throws ProblemError; UnsureError
 */
export async function createLink(body: NewLink, say: Say): Promise<Tagged<Link>> {
  const { data, response } = await keyed('link', body, say, (init) => api.POST('/api/v1/links', init));
  showNewLink(data.link);
  return { value: data.link, etag: response.headers.get('ETag') ?? '' };
}

/** What a link copies from its page, so that chats show the same card. */
export type PageCard = { readonly title?: string; readonly description?: string; readonly image?: string };

/** The card of a page; undefined if it has no title or does not respond. A link can do without one. */
export async function pageCard(url: string, signal: AbortSignal): Promise<PageCard | undefined> {
  try {
    const { data } = await api.GET('/api/v1/metadata', { params: { query: { url } }, signal });
    const { title, description, image } = data;
    return title === null ? undefined : { title, ...(description !== null && { description }), ...(image !== null && { image }) };
  } catch {
    return undefined;
  }
}
