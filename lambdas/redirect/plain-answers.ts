import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import type { Answer } from '../domain/visit.ts';

export type Result = APIGatewayProxyStructuredResultV2;
export type Headers = Readonly<Record<string, string>>;

/** Headers of every response: do not cache, and do not guess the type. A cacheable redirect overrides the first. */
const commonHeaders = { 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' };

/** A response with a body, or without one. */
export const answer = (statusCode: number, headers: Headers = {}, body = ''): Result => ({
  statusCode,
  headers: { ...commonHeaders, ...headers },
  body,
});

/** Sends a visitor whom no link serves to a page of the workspace. */
export const fallbackAnswer = (location: string): Result => answer(302, { Location: location });

/** Redirects to a destination. */
export function redirectAnswer({ status, location, maxAge }: Extract<Answer, { answer: 'redirect' }>): Result {
  const kept = maxAge > 0 && { 'Cache-Control': `private, max-age=${maxAge}` };
  return answer(status, { Location: location, ...kept });
}
