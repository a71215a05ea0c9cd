import { type Detail, type Schema, type ToolName, type ToolSource, toolSources } from '../clients/mcp/tools.ts';
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
  const {
    parametersOf = [],
    without = [],
    plain = [],
    bodyOf,
    bodyDetail = 'typed',
    explained = [],
    own = {},
    required,
  } = source;
  const parameters = parametersOf.map((name) => parametersIn(operationOf(name, document), without, document));
  const body = bodyOf && resolved(operationOf(bodyOf, document).requestBody.content['application/json'].schema, document);
  const properties = {
    ...Object.assign({}, ...parameters.map((one) => one.properties)),
    ...(body && fieldsIn(body, document, bodyDetail, explained)),
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
    return { type: 'object', properties: fieldsIn(component, document, 'named'), ...(required && { required }), ...schema };
  }
  if (parametersOf) {
    const { properties } = parametersIn(operationOf(String(parametersOf), document), without as string[], document);
    return { type: 'object', properties: mapped(properties, () => ({})), ...schema };
  }
  return { ...schema, ...(items ? { items: ownSchema(items as Schema, document) } : {}) };
}

function outputOf(source: ToolSource, document: Any): Schema {
  const { output, outputDetail, alsoReturns = {}, short = {}, shown: picked = short } = source;
  if (typeof output !== 'string') return output;
  const { properties, required } = document.components.schemas[output];
  const shown = (name: string, schema: Any): Any => {
    if (outputDetail === 'named') return { type: 'object', properties: fieldsIn(resolved(schema, document), document, 'named') };
    const fields = picked[name];
    if (fields === undefined) return shortened(schema, document, 'typed', 2);
    const { type, items = schema } = resolved(schema, document);
    const all = resolved(items, document).properties;
    const entry = { type: 'object', properties: Object.fromEntries(fields.map((one) => [one, typed(all[one], document)])) };
    return type === 'array' ? { type, items: entry } : entry;
  };
  return {
    type: 'object',
    properties: { ...mapped(properties, (schema, name) => shown(name, schema)), ...alsoReturns },
    required: [...(required ?? []), ...Object.keys(alsoReturns)],
  };
}

const resolved = (schema: Any, document: Any): Any =>
  schema.$ref ? document.components.schemas[schema.$ref.split('/').at(-1)] : schema;

const mapped = (properties: Any, map: (schema: Any, name: string) => Any): Any =>
  Object.fromEntries(Object.entries<Any>(properties).map(([name, schema]) => [name, map(schema, name)]));

const fieldsIn = ({ properties = {} }: Any, document: Any, detail: Detail, explained: readonly string[] = []): Any =>
  mapped(properties, (schema, name) => {
    if (explained.includes(name)) return shortened(schema, document, 'described');
    return detail === 'named' ? {} : shortened(schema, document, detail);
  });

const typed = (schema: Any, document: Any) => shortened(schema, document, 'typed', 1);

/** A list that is too long to be read in each conversation, such as that of all browsers, or a number that limits nothing. */
const isLong = (value: Any): boolean => (Array.isArray(value) ? value.length > 10 : value === Number.MAX_SAFE_INTEGER);

/** What a model needs of a schema. The API checks the rest, and its errors name the rule. */
const kept = { described: ['type', 'enum', 'format', 'default', 'maximum'], typed: ['type'] };

/**
 * A schema without references and without what the API checks anyway: every word of it is paid for in each conversation.
 *
 * @param detail `described` has descriptions, each cut to its first sentence, and all fields of its parts; `typed` has only types.
 * @param depth how many levels of fields `typed` shows.
 */
function shortened(given: Any, document: Any, detail: 'described' | 'typed', depth = detail === 'described' ? 3 : 1): Any {
  const schema = resolved(given, document);
  const options = schema.anyOf ?? schema.oneOf;
  if (options) {
    const [only, ...others] = options
      .filter((one: Any) => one.type !== 'null')
      .map((one: Any) => shortened(one, document, detail, depth));
    const isNullable = options.some((one: Any) => one.type === 'null');
    if (others.length > 0) return { type: only.type };
    const described = detail === 'described' && schema.description && { description: firstSentence(schema.description) };
    return { ...only, ...(isNullable && nullable(only)), ...described };
  }
  const { description, items, properties, additionalProperties } = schema;
  const inner = (one: Any) => shortened(one, document, 'typed', depth - 1);
  return {
    ...Object.fromEntries(
      kept[detail].filter((name) => name in schema && !isLong(schema[name])).map((name) => [name, schema[name]]),
    ),
    ...(properties && depth > 1 && { properties: mapped(properties, depth > 2 || detail === 'typed' ? inner : () => ({})) }),
    ...(typeof additionalProperties === 'object' && depth > 1 && { additionalProperties: inner(additionalProperties) }),
    ...(items && depth > 0 && { items: shortened(items, document, 'typed', depth) }),
    ...(detail === 'described' && description && { description: firstSentence(description) }),
  };
}

const nullable = ({ type, enum: values }: Any) => ({ type: [type, 'null'], ...(values && { enum: [...values, null] }) });

/** Its first sentence, without Markdown. */
const firstSentence = (text: string): string => (/^.*?[.](?=\s[A-Z0-9`]|$)/s.exec(text)?.[0] ?? text).replaceAll('`', '');
