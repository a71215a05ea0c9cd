import type { ErrorCode } from '../lambdas/domain/errors.ts';
import { problems } from '../lambdas/http/problems.ts';
import type { Route } from '../lib/endpoints.ts';
import { type HeaderName, headerRefs } from './headers.ts';
import { bodyErrors, conditionalErrors, everyError, type Operation } from './operations.ts';
import { type Json, problem, refTo } from './schemas.ts';

/**
 * An operation of the document.
 *
 * @param request the component that its body is, where it has one.
 * @param query the schemas of its query parameters, by their names.
 */
export function operationOf(route: Route, operation: Operation, request: string | undefined, query: QuerySchemas): Json {
  const { group, summary, description, success } = operation;
  const codes = new Set<ErrorCode>([
    ...everyError,
    ...(request ? bodyErrors : []),
    ...(operation.conditional ? conditionalErrors : []),
    ...operation.errors,
  ]);
  return {
    operationId: route.name.replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    tags: [group],
    summary,
    description: `${description}\n\nNeeds the permission \`${route.permission}\`.${includesReading(route, success) ? showsWhatWasWritten : ''}`,
    parameters: parametersOf(route, operation, query),
    ...(request && { requestBody: bodyOf(route, request, operation.requestExample) }),
    responses: {
      [success.status]: successOf(success),
      ...(operation.conditional && route.method === 'GET' && { 304: notModified }),
      ...failuresOf(route, [...codes]),
    },
  };
}

const showsWhatWasWritten = ' It includes reading what was written, as the answer shows it.';
const includesReading = ({ permission }: Route, { schema }: Operation['success']): boolean =>
  permission.endsWith(':write') && schema !== undefined;

/** The query parameters of an operation: what each has to be, and whether it has to be there. */
export type QuerySchemas = Readonly<Record<string, { readonly schema: Json; readonly required: boolean }>>;

const notModified = {
  description: 'It is still what `If-None-Match` names.',
  headers: headerRefs(['Cache-Control', 'ETag']),
};

function parametersOf({ method, path }: Route, { id, takesIdempotencyKey, conditional }: Operation, query: QuerySchemas): Json[] {
  return [
    ...(id
      ? [{ name: /\{(\w+)\}/.exec(path)?.[1], in: 'path', required: true, schema: { type: 'string' }, example: id.example }]
      : []),
    ...Object.entries(query).map(
      ([
        name,
        {
          required,
          schema: { description, examples, ...schema },
        },
      ]) => ({
        name,
        in: 'query',
        required,
        description,
        schema,
        ...(Array.isArray(examples) && { example: examples[0] }),
      }),
    ),
    ...(takesIdempotencyKey ? [idempotencyKey] : []),
    ...(conditional ? [ifMatch] : []),
    ...(conditional && method === 'GET' ? [ifNoneMatch] : []),
  ];
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'The same key and body again within 24 hours give the same answer and create nothing twice, also after an answer was lost or the ' +
    'service has crashed.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  example: '6f1c1f0e-migration-1',
};

const etagExample = '"5kzVq0bTn3yWc8Rj1sXgAf"';

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  description: 'Only where it still has one of these strong entity tags; `*` for any (RFC 9110).',
  schema: { type: 'string' },
  example: etagExample,
};

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'Entity tags that are known already: where it still has one of them, the answer is 304 (RFC 9110).',
  schema: { type: 'string' },
  example: etagExample,
};

function bodyOf({ method }: Route, request: string, example: unknown): Json {
  const content = { schema: { $ref: `#/components/schemas/${request}` }, example };
  const types = ['application/json', ...(method === 'PATCH' ? ['application/merge-patch+json'] : [])];
  return { required: true, content: Object.fromEntries(types.map((type) => [type, content])) };
}

function successOf({ description, schema, example, headers = [] }: Operation['success']): Json {
  return {
    description,
    headers: headerRefs(['Cache-Control', ...headers]),
    ...(schema && { content: { 'application/json': { schema: refTo(schema), example } } }),
  };
}

/** One answer for each status that the codes have. */
function failuresOf(route: Route, codes: readonly ErrorCode[]): Json {
  const byStatus = Map.groupBy(codes, (code) => problems[code].status);
  return Object.fromEntries([...byStatus].map(([status, same]) => [status, failureOf(route, status, same)]));
}

function failureOf(route: Route, status: number, codes: readonly ErrorCode[]): Json {
  const titles = codes.map((code) => `${problems[code].title} (\`${code}\`)`);
  return {
    description: `${titles.join(', or ')}.`,
    headers: headerRefs(['Cache-Control', ...headersOf(status, route)]),
    content: {
      'application/problem+json': {
        schema: { allOf: [refTo(problem), { properties: { code: { enum: codes } } }] },
        examples: Object.fromEntries(codes.map((code) => [code, { value: exampleOf(code) }])),
      },
    },
  };
}

function headersOf(status: number, { method, throttled }: Route): HeaderName[] {
  switch (status) {
    case 401:
      return ['WWW-Authenticate', 'x-amzn-Remapped-WWW-Authenticate'];
    case 409:
      return [];
    case 415:
      return method === 'PATCH' ? ['Accept-Patch'] : [];
    case 429:
      return ['Retry-After', ...(throttled === 'bulk' ? (['RateLimit', 'RateLimit-Policy'] as const) : [])];
    case 503:
      return ['Retry-After'];
    default:
      return [];
  }
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
