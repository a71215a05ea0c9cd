import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Domain } from '../core/domain/domain.ts';
import type { Link } from '../core/link/link.ts';
import type { Served } from '../core/visit/visit.ts';

/** The response to a visit. */
export type VisitResponse = APIGatewayProxyStructuredResultV2;
export type Headers = Readonly<Record<string, string>>;

/**
 * Headers of every response: do not cache, do not guess the type, and do not list it in a search engine. A cacheable
 * redirect overrides the first; `listable` drops the last.
 *
 * @see https://developers.google.com/search/docs/crawling-indexing/robots-meta-tag
 */
const commonHeaders = {
  'Cache-Control': 'private, no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Robots-Tag': 'noindex',
};

/** A response with a body, or without one. */
export const response = (statusCode: number, headers: Headers = {}, body = ''): VisitResponse => ({
  statusCode,
  headers: { ...commonHeaders, ...headers },
  body,
});

/**
 * Browsers apply this to the redirect itself: https://fetch.spec.whatwg.org/#http-redirect-fetch (step "set request's
 * referrer policy on redirect").
 */
const noReferrer = { 'Referrer-Policy': 'no-referrer' };

/** Lets search engines list the address of a response that leads to the destination, if the domain allows that. */
export function listable(sent: VisitResponse, { allowIndexing }: Pick<Domain, 'allowIndexing'>): VisitResponse {
  if (!allowIndexing) return sent;
  const { 'X-Robots-Tag': _, ...headers } = sent.headers ?? {};
  return { ...sent, headers };
}

/**
 * Sends a visitor whom no link serves to a page of the workspace.
 *
 * @param link the link at the address, if there is one
 */
export const fallbackResponse = (
  location: string,
  domain: Pick<Domain, 'allowIndexing'>,
  link?: Pick<Link, 'hideReferrer'>,
): VisitResponse => listable(response(302, { Location: location, ...(link?.hideReferrer && noReferrer) }), domain);

/** Redirects to a destination. */
export function redirectResponse(
  { status, location, maxAge }: Extract<Served, { kind: 'redirect' }>,
  { hideReferrer }: Pick<Link, 'hideReferrer'>,
): VisitResponse {
  const kept = maxAge > 0 && { 'Cache-Control': `private, max-age=${maxAge}` };
  return response(status, { Location: location, ...kept, ...(hideReferrer && noReferrer) });
}
