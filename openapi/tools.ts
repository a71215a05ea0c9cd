import { type Schema, type ToolName, type ToolSource, toolSources } from '../clients/mcp/tools.ts';
import { permissionsOf, routes } from '../lib/endpoints.ts';

/** A tool as `tools/list` shows it, with what the server needs to know besides. */
type Tool = {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly inputSchema: Schema;
  readonly outputSchema: Schema;
  readonly annotations: ToolSource['annotations'];
  readonly permissions: readonly string[];
  readonly short: NonNullable<ToolSource['short']>;
};

// biome-ignore lint/suspicious/noExplicitAny: parts of the document have many shapes.
type Any = any;

/** The content of `clients/mcp/tools.json`. @param document the text of openapi.json. */
export function toolsText(document: string): string {
  const parsed = JSON.parse(document);
  const tools = Object.entries(toolSources).map(([name, source]) => toolOf(name as ToolName, source, parsed));
  return `${JSON.stringify({ version: parsed.info.version, tools }, undefined, 2)}\n`;
}

function toolOf(name: ToolName, source: ToolSource, document: Any): Tool {
  const { title, description, annotations, short = {} } = source;
  return {
    name,
    title,
    description,
    inputSchema: inputOf(source, document),
    outputSchema: outputOf(source, document),
    annotations,
    permissions: permissionsOf(routeOf(source.endpoints[0])),
    short,
  };
}

function routeOf(name: string) {
  const route = routes.find((one) => one.name === name);
  if (!route) throw new Error(`clients/mcp/tools.ts names the endpoint ${name}, which does not exist`);
  return route;
}

function operationOf(name: string, document: Any): Any {
  const { method, path } = routeOf(name);
  return document.paths[path][method.toLowerCase()];
}

function inputOf(source: ToolSource, document: Any): Schema {
  const { parametersOf = [], without = [], plain = [], bodyOf, explained = [], own = {}, required } = source;
  const parameters = parametersOf.map((name) => parametersIn(operationOf(name, document), without, document));
  const body = bodyOf && resolved(operationOf(bodyOf, document).requestBody.content['application/json'].schema, document);
  const properties = {
    ...Object.assign({}, ...parameters.map((one) => one.properties)),
    ...(body && fieldsIn(body, document, explained)),
    ...mapped(own, (schema) => ownSchema(schema, document)),
  };
  return {
    type: 'object',
    properties: mapped(properties, (schema, name) => (plain.includes(name) ? { ...schema, description: undefined } : schema)),
    required: required ?? [...parameters.flatMap((one) => one.required), ...(body?.required ?? [])],
  };
}

/** The parameters of an operation in its path and query. */
function parametersIn(operation: Any, without: readonly string[], document: Any) {
  const taken = operation.parameters.filter((one: Any) => one.in !== 'header' && !without.includes(one.name));
  return {
    properties: Object.fromEntries(
      taken.map((one: Any) => [one.name, shortened({ ...one.schema, description: one.description }, document, 'described')]),
    ),
    required: taken.filter((one: Any) => one.required).map((one: Any) => one.name),
  };
}

/** A schema of `own`, in which an endpoint or a component may stand for its parameters or fields. */
function ownSchema({ fieldsOf, parametersOf, without, items, ...schema }: Schema, document: Any): Schema {
  if (fieldsOf) {
    const component = resolved({ $ref: `#/components/schemas/${fieldsOf}` }, document);
    const { required } = component;
    return { type: 'object', properties: fieldsIn(component, document), ...(required && { required }), ...schema };
  }
  if (parametersOf) {
    const { properties } = parametersIn(operationOf(String(parametersOf), document), without as string[], document);
    return { type: 'object', properties: mapped(properties, withoutDetails), ...schema };
  }
  return { ...schema, ...(items ? { items: ownSchema(items as Schema, document) } : {}) };
}

function outputOf(source: ToolSource, document: Any): Schema {
  const { output, alsoReturns = {}, short = {}, shown: picked = short } = source;
  if (typeof output !== 'string') return output;
  const { properties, required } = document.components.schemas[output];
  return {
    type: 'object',
    properties: { ...mapped(properties, (schema, name) => named(schema, document, picked[name])), ...alsoReturns },
    required: [...(required ?? []), ...Object.keys(alsoReturns)],
  };
}

/** Which fields an answer has. A model reads their types from the answer itself. @param picked some of them; all if undefined */
function named(given: Any, document: Any, picked?: readonly string[]): Any {
  const { properties, items } = resolved(given, document);
  if (items) return { type: 'array', items: named(items, document, picked) };
  if (!properties) return {};
  return { type: 'object', properties: Object.fromEntries((picked ?? Object.keys(properties)).map((name) => [name, {}])) };
}

const resolved = (schema: Any, document: Any): Any =>
  schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;

const mapped = (properties: Any, map: (schema: Any, name: string) => Any): Any =>
  Object.fromEntries(Object.entries<Any>(properties).map(([name, schema]) => [name, map(schema, name)]));

const fieldsIn = ({ properties = {} }: Any, document: Any, explained: readonly string[] = []): Any =>
  mapped(properties, (schema, name) => shortened(schema, document, explained.includes(name) ? 'described' : 'typed'));

/** A parameter with its type alone. */
const withoutDetails = ({ type, items }: Any) => ({ type, ...(items && { items }) });

/**
 * Whether a keyword is worth its place in each conversation, unlike the list of all browsers, or a number that limits
 * nothing; and whether hosts of other models take it.
 */
const isPlain = (name: string, { [name]: value, type }: Any): boolean => {
  if (name === 'enum') return type === 'string' && value.length <= 10;
  return name === 'format' ? value === 'date-time' : value !== Number.MAX_SAFE_INTEGER;
};

/** What a model needs of a schema. The API checks the rest, and its errors name the rule. */
const kept = { described: ['type', 'enum', 'format', 'default', 'maximum'], typed: ['type'] };

/**
 * A schema without references and without what the API checks anyway: every word of it is paid for in each conversation.
 *
 * It always has a type, because clients send as text what has none
 * (https://github.com/anthropics/claude-code/issues/82652), and stays within what the hosts of other models can pass on.
 * If one property does not, these refuse all requests: a type is one word
 * (https://github.com/google-gemini/gemini-cli/issues/21094), `anyOf` stands alone
 * (https://github.com/anomalyco/opencode/issues/15795), and the only format is `date-time`
 * (https://github.com/anomalyco/opencode/issues/1725).
 *
 * @param detail `described` has descriptions, each cut to its first sentence, and all fields of its parts; `typed` has only types.
 * @param depth how many levels of fields `typed` shows.
 */
function shortened(given: Any, document: Any, detail: 'described' | 'typed', depth = detail === 'described' ? 3 : 1): Any {
  const schema = resolved(given, document);
  const options =
    schema.anyOf ?? schema.oneOf ?? (Array.isArray(schema.type) && schema.type.map((type: string) => ({ ...schema, type })));
  if (options) {
    const [only, ...others] = options
      .filter((one: Any) => one.type !== 'null')
      .map((one: Any) => shortened(one, document, detail, depth));
    const isNullable = options.some((one: Any) => one.type === 'null');
    const described = detail === 'described' && schema.description && { description: firstSentence(schema.description) };
    const own = others.length > 0 ? { type: only.type } : { ...only, ...described };
    return isNullable ? { anyOf: [own, { type: 'null' }] } : own;
  }
  const { description, items, properties, additionalProperties } = schema;
  const inner = (one: Any) => shortened(one, document, 'typed', depth - 1);
  return {
    ...Object.fromEntries(
      kept[detail].filter((name) => name in schema && isPlain(name, schema)).map((name) => [name, schema[name]]),
    ),
    ...(properties && depth > 1 && { properties: mapped(properties, inner) }),
    ...(typeof additionalProperties === 'object' && depth > 1 && { additionalProperties: inner(additionalProperties) }),
    ...(items && depth > 0 && { items: shortened(items, document, 'typed', depth) }),
    ...(detail === 'described' && description && { description: firstSentence(description) }),
  };
}

/** Its first sentence, without Markdown. */
const firstSentence = (text: string): string => (/^.*?[.](?=\s[A-Z0-9`]|$)/s.exec(text)?.[0] ?? text).replaceAll('`', '');
