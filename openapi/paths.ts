import type { ErrorCode } from '../lambdas/core/errors.ts';
import { bulkChanges, bulkRequests, idempotencyKeyLength, metadataRequests } from '../lambdas/core/limits.ts';
import { permissionsOf, type Route } from '../lib/endpoints.ts';
import { headerRefs } from './headers.ts';
import { linksOf, operationIdOf } from './links.ts';
import { bodyErrors, conditionalErrors, everyError, type Operation } from './operations.ts';
import { failuresOf, responseRef } from './responses.ts';
import { type Json, refTo } from './schemas.ts';

/** The body of an operation. @property name of its component */
type Request = { readonly name: string; readonly isRequired: boolean };

/**
 * An operation of the document.
 *
 * @param request its body, if it has one.
 * @param query the schemas of its query parameters, by their names.
 */
export function operationOf(route: Route, operation: Operation, request: Request | undefined, query: QuerySchemas): Json {
  const { group, summary, description, success, orElse } = operation;
  const codes = new Set<ErrorCode>([
    ...everyError,
    ...(request ? bodyErrors : []),
    ...(operation.conditional ? conditionalErrors(route.method) : []),
    ...operation.errors,
  ]);
  const parameters = parametersOf(route, operation, query);
  const parameterNames = parameters.filter((one) => one.in !== 'header').map((one) => `${one.in}.${one.name}`);
  return {
    operationId: operationIdOf(route.name),
    tags: [group],
    summary,
    description: `${description}\n\n${needsOf(route)}${includesReading(route, success) ? showsWhatWasWritten : ''}${limitOf(route)}`,
    parameters,
    ...(request && { requestBody: bodyOf(route, request, operation.requestExample) }),
    responses: {
      [success.status]: successOf(success, linksOf(route.name, success.schema, parameterNames)),
      ...(orElse && { [orElse.status]: successOf(orElse, linksOf(route.name, orElse.schema, parameterNames)) }),
      ...(operation.conditional && route.method === 'GET' && { 304: responseRef('NotModified') }),
      ...failuresOf([...codes]),
    },
  };
}

function needsOf(route: Route): string {
  const needed = permissionsOf(route).map((one) => `\`${one}\``);
  if (needed.length === 0) return 'Needs no permission: any valid key may call it.';
  return `Needs ${needed.length > 1 ? 'the permissions' : 'the permission'} ${needed.join(' and ')}.`;
}

/** What a throttle of its own means for the caller; nothing if there is none. */
function limitOf({ throttled }: Route): string {
  if (throttled === undefined) return '';
  if (throttled === 'costly') return '\n\nA tenth of the request rate of the workspace applies to it.';
  const [what, { quota, windowSeconds }] = {
    bulk: ['imports', bulkRequests] as const,
    'bulk-changes': ['bulk updates and deletions', bulkChanges] as const,
    metadata: ['requests for metadata', metadataRequests] as const,
  }[throttled];
  const lifted = throttled === 'bulk' ? ', or more for a time if the operator allows it' : '';
  return `\n\nA workspace may send ${quota} ${what} in any ${windowSeconds} seconds${lifted}.`;
}

const showsWhatWasWritten = ' It also allows reading what you write, because the response shows it.';
const includesReading = ({ permission }: Route, { schema }: Operation['success']): boolean =>
  permission.endsWith(':write') && schema !== undefined;

/** The query parameters of an operation: the schema of each, and whether it is required. */
export type QuerySchemas = Readonly<Record<string, { readonly schema: Json; readonly required: boolean }>>;

function parametersOf(
  { method, path }: Route,
  { id, otherId, takesIdempotencyKey, conditional }: Operation,
  query: QuerySchemas,
): Json[] {
  return [
    ...[...path.matchAll(/\{(\w+)\}/g)].map(([, name], index) => ({
      name,
      in: 'path',
      required: true,
      description: index === 0 ? id?.description : undefined,
      schema: { type: 'string', pattern: index === 0 ? id?.pattern : undefined },
      example: (index === 0 ? id : otherId)?.example,
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
    ...(conditional ? [method === 'GET' ? ifNoneMatch : ifMatch] : []),
    ...(conditional && method === 'PUT' ? [onlyNew] : []),
  ];
}

const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'If you send the same key and body again within 24 hours, you get the same response, and nothing is created twice. This holds even ' +
    'if a response was lost or the service crashed.',
  schema: { type: 'string', pattern: `^[!-~]{1,${idempotencyKeyLength}}$` },
  example: '6f1c1f0e-migration-1',
};

const etagExample = '"5kzVq0bTn3yWc8Rj1sXgAf.0qN7dLw2Hb5uYt9RkVx4Zc"';

const ifMatch = {
  name: 'If-Match',
  in: 'header',
  description:
    'Only proceed if nobody has changed the settings since the response with one of these strong entity tags (RFC 9110). Clicks and ' +
    'other counts make no difference. `*` matches any version.',
  schema: { type: 'string' },
  example: etagExample,
};

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'Entity tags that you already have. If the current version has one of them, the response is 304 (RFC 9110).',
  schema: { type: 'string' },
  example: etagExample,
};

const onlyNew = {
  name: 'If-None-Match',
  in: 'header',
  description:
    '`*` only creates a link, and replaces nothing. With entity tags, it only replaces a version that has none of them (RFC 9110).',
  schema: { type: 'string' },
  example: '*',
};

/** Only one media type: if two have the same schema, clients of openapi-python-client do not load. */
const bodyOf = ({ method }: Route, { name, isRequired }: Request, example: unknown): Json => ({
  ...(method === 'PATCH' && { description: '`application/merge-patch+json` is accepted too (RFC 7396).' }),
  required: isRequired,
  content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` }, example } },
});

function successOf({ description, schema, example, csv, images, headers = [] }: Operation['success'], links: Json): Json {
  const json = schema && { 'application/json': { schema: refTo(schema), example } };
  const table = csv !== undefined && { 'text/csv': { schema: { type: 'string' }, example: csv } };
  return {
    description,
    headers: headerRefs(['Cache-Control', ...headers]),
    ...((json || images) && { content: { ...json, ...table, ...images } }),
    ...(Object.keys(links).length > 0 && { links }),
  };
}
