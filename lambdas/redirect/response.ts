import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
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

/** Sends a visitor whom no link serves to a page of the workspace. */
export const fallbackResponse = (location: string): VisitResponse => response(302, { Location: location });

/** Redirects to a destination. */
export function redirectResponse({ status, location, maxAge }: Extract<Served, { kind: 'redirect' }>): VisitResponse {
  const kept = maxAge > 0 && { 'Cache-Control': `private, max-age=${maxAge}` };
  return response(status, { Location: location, ...kept });
}
