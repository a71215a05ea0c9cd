/** Headers of answers, as components of the document. */
export const headers = {
  Location: { description: 'The path of what was created.', required: true, schema: { type: 'string' } },
  ETag: {
    description: 'The strong entity tag of what is answered with: another one for every change of it (RFC 9110).',
    required: true,
    schema: { type: 'string', pattern: '^"[A-Za-z0-9_-]{22}"$' },
    example: '"5kzVq0bTn3yWc8Rj1sXgAf"',
  },
  RateLimit: {
    description:
      'What is left of the limit on bulk requests, and until when (draft-ietf-httpapi-ratelimit-headers). Absent if the gateway refused the ' +
      'request.',
    schema: { type: 'string', pattern: '^"bulk";r=[0-3];t=[0-9]+$' },
    example: '"bulk";r=2;t=60',
  },
  'RateLimit-Policy': {
    description: 'The limit: so many requests in so many seconds. Absent if the gateway refused the request.',
    schema: { type: 'string', pattern: '^"bulk";q=3;w=60$' },
    example: '"bulk";q=3;w=60',
  },
  'Retry-After': {
    description: 'After how many seconds it makes sense to try again.',
    required: true,
    schema: { type: 'string', pattern: '^[0-9]+$' },
    example: '60',
  },
  'WWW-Authenticate': {
    description:
      'How to authenticate. Absent if the key has expired in the last 60 seconds; see `x-amzn-Remapped-WWW-Authenticate`.',
    schema: { type: 'string', const: 'Bearer' },
  },
  'x-amzn-Remapped-WWW-Authenticate': {
    description:
      'How to authenticate, if the key has expired in the last 60 seconds: then a function answers, and API Gateway renames its header.',
    schema: { type: 'string', const: 'Bearer' },
  },
  'Accept-Patch': {
    description: 'What a PATCH may be sent as (RFC 5789).',
    schema: { type: 'string', const: 'application/json, application/merge-patch+json' },
  },
  'Cache-Control': {
    description: 'Nothing of the API is to be stored.',
    required: true,
    schema: { type: 'string', const: 'no-store' },
  },
} as const;

export type HeaderName = keyof typeof headers;

/** As an answer names them. */
export const headerRefs = (names: readonly HeaderName[]) =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
