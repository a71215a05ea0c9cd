import type { ErrorCode } from '../lambdas/domain/errors.ts';
import { problems } from '../lambdas/http/problems.ts';
import { permissionsOf, type Route } from '../lib/endpoints.ts';
import { type HeaderName, headerRefs } from './headers.ts';
import { bodyErrors, conditionalErrors, everyError, type Operation } from './operations.ts';
import { type Json, problem, refTo } from './schemas.ts';

/**
 * An operation of the document.
 *
 * @param request the name of the body's component, if it has a body.
 * @param query the schemas of its query parameters, by their names.
 */
export function operationOf(route: Route, operation: Operation, request: string | undefined, query: QuerySchemas): Json {
  const { group, summary, description, success, orElse } = operation;
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
    description: `${description}\n\n${needsOf(route)}${includesReading(route, success) ? showsWhatWasWritten : ''}`,
    parameters: parametersOf(route, operation, query),
    ...(request && { requestBody: bodyOf(route, request, operation.requestExample) }),
    responses: {
      [success.status]: successOf(success),
      ...(orElse && { [orElse.status]: successOf(orElse) }),
      ...(operation.conditional && route.method === 'GET' && { 304: notModified }),
      ...failuresOf(route, [...codes]),
    },
  };
}

function needsOf(route: Route): string {
  const needed = permissionsOf(route).map((one) => `\`${one}\``);
  if (needed.length === 0) return 'Needs no permission: any valid key may call it.';
  return `Needs ${needed.length > 1 ? 'the permissions' : 'the permission'} ${needed.join(' and ')}.`;
}

const showsWhatWasWritten = ' It includes reading what you write, as the response shows it.';
const includesReading = ({ permission }: Route, { schema }: Operation['success']): boolean =>
  permission.endsWith(':write') && schema !== undefined;

/** The query parameters of an operation: the schema of each, and whether it is required. */
export type QuerySchemas = Readonly<Record<string, { readonly schema: Json; readonly required: boolean }>>;

const notModified = {
  description: 'Not modified: it still matches `If-None-Match`.',
  headers: headerRefs(['Cache-Control', 'ETag']),
};

function parametersOf(
  { method, path }: Route,
  { id, otherId, takesIdempotencyKey, conditional }: Operation,
  query: QuerySchemas,
): Json[] {
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name], place) => ({
      name,
      in: 'path',
      required: true,
      schema: { type: 'string' },
      example: (place === 0 ? id : otherId)?.example,
    })),
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
        ...(schema.type === 'array' && { style: 'form', explode: false }),
        ...(Array.isArray(examples) && { example: examples[0] }),
      }),
    ),
    ...(takesIdempotencyKey ? [idempotencyKey] : []),
    ...(conditional ? [ifMatch] : []),
    ...(conditional && method === 'GET' ? [ifNoneMatch] : []),
    ...(conditional && method === 'PUT' ? [onlyNew] : []),
  ];
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'If you send the same key and body again within 24 hours, you get the same response, and nothing is created twice, even if a ' +
    'response was lost or the service crashed.',
  schema: { type: 'string', pattern: '^[!-~]{1,255}$' },
  example: '6f1c1f0e-migration-1',
};

const etagExample = '"5kzVq0bTn3yWc8Rj1sXgAf"';

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  description: 'Only proceed if the current version has one of these strong entity tags; `*` matches any (RFC 9110).',
  schema: { type: 'string' },
  example: etagExample,
};

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'Entity tags that you already have. If the current version has one of them, the answer is 304 (RFC 9110).',
  schema: { type: 'string' },
  example: etagExample,
};

const onlyNew = {
  name: 'If-None-Match',
  in: 'header',
  description: '`*`: only create, and replace nothing. Or entity tags: only replace a version that has none of them (RFC 9110).',
  schema: { type: 'string' },
  example: '*',
};

function bodyOf({ method }: Route, request: string, example: unknown): Json {
  const content = { schema: { $ref: `#/components/schemas/${request}` }, example };
  const types = ['application/json', ...(method === 'PATCH' ? ['application/merge-patch+json'] : [])];
  return { required: true, content: Object.fromEntries(types.map((type) => [type, content])) };
}

function successOf({ description, schema, example, csv, images, headers = [] }: Operation['success']): Json {
  const json = schema && { 'application/json': { schema: refTo(schema), example } };
  const table = csv !== undefined && { 'text/csv': { schema: { type: 'string' }, example: csv } };
  return {
    description,
    headers: headerRefs(['Cache-Control', ...headers]),
    ...((json || images) && { content: { ...json, ...table, ...images } }),
  };
}

/** One response for each status of the codes. */
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
