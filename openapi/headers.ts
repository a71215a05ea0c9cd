import { bulkRequests } from '../lambdas/core/limits.ts';
import { requestLimits } from '../lambdas/store/limits/request-limits.ts';

const names = Object.keys(requestLimits).join('|');
const { quota, windowSeconds } = bulkRequests;

/** The headers of responses, as components of the document. */
export const headers = {
  Location: { description: 'The path of the created resource.', required: true, schema: { type: 'string' } },
  Link: {
    description:
      'In a CSV response: the address of the next page, as a reference relative to the request (RFC 8288). Absent on the last page.',
    schema: { type: 'string', pattern: '^<\\?.+>; rel="next"$' },
    example: '<?limit=50&cursor=kG8u1rN3tQ0vYx5zBw7cDe>; rel="next"',
  },
  ETag: {
    description:
      'The strong entity tag of the response body. It changes with every change of the body (RFC 9110). If the body has ' +
      'counts, the part after the dot changes with them; the part before it does not.',
    required: true,
    schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]{22}(\\.[A-Za-z0-9_-]{22})?"$' },
    example: '"5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"',
  },
  RateLimit: {
    description:
      'How many requests are left of the limit, and in how many seconds more will be ' +
      '(draft-ietf-httpapi-ratelimit-headers). Only in responses to requests with an exact limit, and absent if the gateway refused one.',
    schema: { type: 'string', pattern: `^"(${names})";r=[0-9]+;t=[0-9]+$` },
    example: `"bulk";r=${quota - 1};t=${windowSeconds}`,
  },
  'RateLimit-Policy': {
    description:
      'The limit in force: `q` requests in any `w` seconds. Only in responses to requests with an exact limit, and absent if the ' +
      'gateway refused one.',
    schema: { type: 'string', pattern: `^"(${names})";q=[0-9]+;w=[0-9]+$` },
    example: `"bulk";q=${quota};w=${windowSeconds}`,
  },
  'Retry-After': {
    description: 'After how many seconds to retry.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '60',
  },
  'WWW-Authenticate': {
    description:
      'How to authenticate. Absent if the key expired within the last 60 seconds; see `x-amzn-Remapped-WWW-Authenticate`.',
    schema: { type: 'string', const: 'Bearer' },
  },
  'x-amzn-Remapped-WWW-Authenticate': {
    description:
      'How to authenticate, if the key expired within the last 60 seconds. A function then responds, and API Gateway renames its header.',
    schema: { type: 'string', const: 'Bearer' },
  },
  'Accept-Patch': {
    description: 'The media types that PATCH accepts (RFC 5789). Only in responses to PATCH.',
    schema: { type: 'string', const: 'application/json, application/merge-patch+json' },
  },
  'Cache-Control': {
    description: 'Responses of the API must not be cached.',
    required: true,
    schema: { type: 'string', const: 'no-store' },
  },
} as const;

export type HeaderName = keyof typeof headers;

/** References to the headers, as a response lists them. */
export const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
