import type { APIGatewayProxyResult } from 'aws-lambda';
import type { RequestError } from '../core/errors.ts';
import { problems } from './problems.ts';

/** Headers of every response of the API: do not cache, and do not guess the type. */
export const commonHeaders = { 'Cache-Control': 'no-store', 'X-Content-Type-Options': 'nosniff' };

/** A response with a JSON body, or without a body. */
export const reply = (statusCode: number, body?: unknown, headers: Record<string, string> = {}): APIGatewayProxyResult => ({
  statusCode,
  headers: { ...commonHeaders, ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
  body: body === undefined ? '' : JSON.stringify(body),
});

/** A response with a body of CSV (RFC 4180). */
export const replyCsv = (csv: string, headers: Record<string, string> = {}): APIGatewayProxyResult => ({
  statusCode: 200,
  headers: { ...commonHeaders, 'Content-Type': 'text/csv; charset=utf-8; header=present', ...headers },
  body: csv,
});

/** A response with an image: a text, or bytes, which the gateway takes as Base64. */
export const replyImage = (type: string, image: string | Buffer, headers: Record<string, string>): APIGatewayProxyResult => ({
  statusCode: 200,
  headers: { ...commonHeaders, 'Content-Type': type, ...headers },
  ...(typeof image === 'string' ? { body: image } : { body: image.toString('base64'), isBase64Encoded: true }),
});

/** An error as a problem document (RFC 9457). */
export function problem(error: RequestError, requestId: string): APIGatewayProxyResult {
  const { status, title } = problems[error.code];
  const document = {
    type: `urn:problem:links:${error.code}`,
    title,
    status,
    detail: error.message,
    code: error.code,
    requestId,
    ...(error.fieldErrors.length > 0 && { errors: error.fieldErrors }),
  };
  return reply(status, document, {
    'Content-Type': 'application/problem+json',
    ...(error.retryAfter !== undefined && { 'Retry-After': String(error.retryAfter) }),
    // RFC 9110, section 15.5.2: a 401 must say how to authenticate.
    ...(error.code === 'unauthorized' && { 'WWW-Authenticate': 'Bearer' }),
    // RFC 5789, section 2.2: a 415 should name the media types that PATCH accepts.
    ...(error.code === 'unsupported_media_type' && { 'Accept-Patch': 'application/json, application/merge-patch+json' }),
  });
}
