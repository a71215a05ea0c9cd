import { readFileSync } from 'node:fs';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';

/** A request and its response, as a client sees them. */
export type Exchange = {
  readonly method: string;
  /** Without the query. */
  readonly path: string;
  readonly requestHeaders: Readonly<Record<string, string>>;
  /** The body as it was sent, if it was JSON or a text. */
  readonly requestBody: unknown;
  readonly status: number;
  readonly headers: Headers;
  readonly body: unknown;
};

type Content = Readonly<Record<string, { readonly schema: object }>>;
type Response = { readonly content?: Content; readonly headers?: Readonly<Record<string, { readonly $ref: string }>> };
/** A description beside a reference replaces that of the component. */
type Reference = { readonly $ref: string; readonly description: string };
type Operation = {
  readonly requestBody?: { readonly required: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response | Reference>>;
};
type Document = {
  readonly webhooks: Readonly<Record<string, { readonly post: { readonly requestBody: { readonly content: Content } } }>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: {
    readonly headers: Readonly<Record<string, { readonly required?: boolean; readonly schema: object }>>;
    readonly responses: Readonly<Record<string, Response>>;
  };
};

const document: Document = JSON.parse(readFileSync('openapi.json', 'utf8'));
// The document's own tests check its schemas, and inlined references take long to compile.
const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, inlineRefs: false });
formats.default(ajv);
ajv.addSchema(closed(document), 'openapi');

/**
 * The same with no other properties than those described. The document lets later versions add fields to responses, but
 * this version must not have any that it does not describe.
 */
function closed<T>(schema: T): T {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed) as T;
  const parts = Object.fromEntries(Object.entries(schema).map(([name, part]) => [name, closed(part)]));
  const isOpen = parts.type === 'object' && 'properties' in parts && !('additionalProperties' in parts);
  return { ...parts, ...(isOpen && { additionalProperties: false }) } as T;
}

const validators = new Map<object, ValidateFunction>();

/** The errors of a value against a schema of the document; undefined if it is valid. */
export function errorsOf(schema: object, value: unknown): string | undefined {
  const known = validators.get(schema) ?? ajv.compile(JSON.parse(JSON.stringify(closed(schema)).replaceAll('"#/', '"openapi#/')));
  validators.set(schema, known);
  return known(value) ? undefined : ajv.errorsText(known.errors, { separator: '; ' });
}

/** Checks that the document describes a webhook with this body. @throws Error that says what is wrong */
export function checkWebhook(body: string): void {
  const sent = JSON.parse(body);
  const schema = document.webhooks[sent.type]?.post.requestBody.content['application/json']?.schema;
  const errors = schema ? errorsOf(schema, sent) : 'openapi.json has no such webhook';
  if (errors) throw new Error(`${body}: ${errors}`);
}

const templates = Object.keys(document.paths).map((template) => ({
  template,
  pattern: new RegExp(`^${template.replace(/\{\w+\}/g, '[^/]+')}$`),
}));

/**
 * The operation of a request; undefined if the document has none. A fixed path is preferred to one with a parameter.
 */
function operationOf(method: string, path: string): Operation | undefined {
  const found = templates
    .filter(({ pattern }) => pattern.test(path))
    .sort((a, b) => Number(a.template.includes('{')) - Number(b.template.includes('{')));
  return found[0] && document.paths[found[0].template]?.[method.toLowerCase()];
}

const component = ({ $ref }: Reference): Response => {
  const found = document.components.responses[$ref.split('/').at(-1) ?? ''];
  if (!found) throw new Error(`openapi.json has no component ${$ref}`);
  return found;
};

const mediaType = (value: string | null | undefined): string => value?.split(';')[0]?.trim().toLowerCase() ?? '';

/**
 * Checks an exchange against the document: it must describe the response, and must allow a request that succeeded.
 *
 * @throws Error that says what does not agree.
 */
export function checkExchange(exchange: Exchange): void {
  const { method, path, status, headers, body } = exchange;
  const operation = operationOf(method, path);
  if (!operation) return;
  const fail = (what: string): never => {
    throw new Error(`openapi.json does not agree with ${method} ${path} → ${status}: ${what}`);
  };
  // A GET obeys `If-Match`, but no client needs it, so the document does not offer it.
  if (status === 412 && method === 'GET') return;
  const documented = operation.responses[status] ?? fail('the status is not documented');
  const answer = '$ref' in documented ? component(documented) : documented;
  const code = (body as { code?: unknown } | undefined)?.code;
  if ('$ref' in documented && status >= 400 && !documented.description.includes(`(\`${code}\`)`)) fail(`the code ${code}`);
  for (const [name, { $ref }] of Object.entries(answer.headers ?? {})) {
    const { required = false, schema } =
      document.components.headers[$ref.split('/').at(-1) ?? ''] ?? fail(`no component ${$ref}`);
    const value = headers.get(name);
    if (value === null && required) fail(`the header ${name} is missing`);
    const wrong = value === null ? undefined : errorsOf(schema, value);
    if (wrong) fail(`the header ${name} reads ${value}: ${wrong}`);
  }
  if (answer.content) {
    const content = answer.content[mediaType(headers.get('content-type'))] ?? fail(`the type ${headers.get('content-type')}`);
    const wrong = errorsOf(content.schema, body);
    if (wrong) fail(wrong);
  } else if (body !== undefined) fail('it has a body');
  if (status < 300) checkRequest(operation, exchange, fail);
}

function checkRequest(
  { requestBody }: Operation,
  { method, requestHeaders, requestBody: sent }: Exchange,
  fail: (what: string) => never,
): void {
  if (!requestBody || (sent === undefined && !requestBody.required)) return;
  const type = Object.entries(requestHeaders).find(([name]) => name.toLowerCase() === 'content-type')?.[1];
  const sentType = mediaType(type ?? 'application/json');
  // The description of a PATCH names this one, which means the same.
  const known = method === 'PATCH' && sentType === 'application/merge-patch+json' ? 'application/json' : sentType;
  const content = requestBody.content[known] ?? fail(`it accepted the type ${type}`);
  const value = typeof sent === 'string' ? JSON.parse(sent) : sent;
  const wrong = errorsOf(content.schema, value);
  // An import succeeds even if some of its links are not valid. It lists them.
  const isImport = '$ref' in content.schema && content.schema.$ref === '#/components/schemas/BulkCreateLinksRequest';
  if (wrong && isImport && !errorsOf(content.schema, { ...value, links: [{ url: 'https://example.com/' }] })) return;
  if (wrong) fail(`it accepted a request that is not allowed: ${wrong}`);
}
