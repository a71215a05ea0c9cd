import type { ErrorCode } from '../lambdas/core/errors.ts';
import { problems } from '../lambdas/http/problems.ts';
import { type HeaderName, headerRefs } from './headers.ts';
import { type Json, problem, refTo } from './schemas.ts';

/** The responses that operations share: one for each status, so that generated clients have one class for each. */

/** The names of the components, and their headers besides `Cache-Control`. */
const statuses: Readonly<
  Record<number, { readonly name: string; readonly about: string; readonly headers?: readonly HeaderName[] }>
> = {
  400: { name: 'BadRequest', about: 'The request is malformed.' },
  401: {
    name: 'Unauthorized',
    about: 'The API key is missing, unknown, revoked or expired.',
    headers: ['WWW-Authenticate', 'x-amzn-Remapped-WWW-Authenticate'],
  },
  403: { name: 'Forbidden', about: 'The API key lacks a permission.' },
  404: { name: 'NotFound', about: 'The resource of the path does not exist in this workspace.' },
  406: { name: 'NotAcceptable', about: 'The header `Accept` does not allow what was requested.' },
  409: { name: 'Conflict', about: 'The request conflicts with what exists.' },
  412: { name: 'PreconditionFailed', about: 'The resource has changed since its `ETag` was read.' },
  413: { name: 'RequestTooLarge', about: 'The request is too large.' },
  415: {
    name: 'UnsupportedMediaType',
    about: 'The `Content-Type` is not supported, or its charset is not UTF-8.',
    headers: ['Accept-Patch'],
  },
  422: { name: 'Unprocessable', about: 'The request breaks a rule.' },
  429: {
    name: 'TooManyRequests',
    about: 'A limit was reached. Retry after the time in `Retry-After`.',
    headers: ['Retry-After', 'RateLimit', 'RateLimit-Policy'],
  },
  500: { name: 'InternalError', about: 'The service failed.' },
  503: {
    name: 'Unavailable',
    about: 'The service is temporarily unavailable. Retry after the time in `Retry-After`.',
    headers: ['Retry-After'],
  },
};

const about = (status: number) => {
  const found = statuses[status];
  if (!found) throw new Error(`openapi/responses.ts does not describe the status ${status}`);
  return found;
};

export const responseRef = (name: string): Json => ({ $ref: `#/components/responses/${name}` });

/** The error responses of an operation, by status, each described by the titles of its codes. */
export function failuresOf(codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => problems[code].status);
  return Object.fromEntries(
    [...byStatus].map(([status, same]) => {
      const titles = same.map((code) => `${problems[code].title} (\`${code}\`)`);
      // OpenAPI 3.1 lets a reference have a description of its own.
      return [status, { ...responseRef(about(status).name), description: `${titles.join(', or ')}.` }];
    }),
  );
}

/** The responses as components of the document. */
export function responseComponents(): Record<string, Json> {
  const byStatus = Map.groupBy(Object.keys(problems) as ErrorCode[], (code) => problems[code].status);
  return {
    NotModified: {
      description: 'Not modified: the version still matches `If-None-Match`.',
      headers: headerRefs(['Cache-Control', 'ETag']),
    },
    ...Object.fromEntries(
      [...byStatus].map(([status, codes]) => {
        const { name, about: description, headers = [] } = about(status);
        const examples = Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }]));
        return [
          name,
          {
            description,
            headers: headerRefs(['Cache-Control', ...headers]),
            content: { 'application/problem+json': { schema: refTo(problem), examples } },
          },
        ];
      }),
    ),
  };
}

const exampleOf = (code: ErrorCode): Json => ({
  type: `urn:problem:links:${code}`,
  title: problems[code].title,
  status: problems[code].status,
  detail: code === 'validation_failed' ? '/url is required.' : `${problems[code].title}.`,
  code,
  requestId: '8f0c4c1e-6f0e-4d6c-9a53-0f4d3b0f6a11',
  ...(code === 'validation_failed' && { errors: [{ path: '/url', code: 'required', message: 'is required' }] }),
});
