import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Link } from '../core/link/link.ts';
import type { Served } from '../core/visit/visit.ts';

/** The response to a visit. */
export type VisitResponse = APIGatewayProxyStructuredResultV2;
export type Headers = Readonly<Record<string, string>>;

/** Headers of every response: do not cache, and do not guess the type. A cacheable redirect overrides the first. */
const commonHeaders = { 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' };

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

/** Sends a visitor whom no link serves to a page of the workspace. @param link that does not, if there is one */
export const fallbackResponse = (location: string, link?: Pick<Link, 'hideReferrer'>): VisitResponse =>
  response(302, { Location: location, ...(link?.hideReferrer && noReferrer) });

/** Redirects to a destination. */
export function redirectResponse(
  { status, location, maxAge }: Extract<Served, { kind: 'redirect' }>,
  { hideReferrer }: Pick<Link, 'hideReferrer'>,
): VisitResponse {
  const kept = maxAge > 0 && { 'Cache-Control': `private, max-age=${maxAge}` };
  return response(status, { Location: location, ...kept, ...(hideReferrer && noReferrer) });
}
