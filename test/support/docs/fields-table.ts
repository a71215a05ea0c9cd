import { readFileSync } from 'node:fs';

/** The parts of a JSON Schema that describe the values of a field. */
type Schema = { description?: string; type?: string; anyOf?: readonly Schema[]; $ref?: string; enum?: readonly string[] };
type Parameter = { in: string; name: string; schema: Schema; $ref?: string };

const openapi = JSON.parse(readFileSync('openapi.json', 'utf8'));

/** The component at `#/components/…`. */
const resolved = <T extends { $ref?: string }>(one: T): T =>
  one.$ref === undefined
    ? one
    : one.$ref
        .slice(2)
        .split('/')
        .reduce((at, part) => at[part], openapi);

/** A text for a cell: in a table, a bar would end it. */
const cell = (text: string) => text.replaceAll('\n', ' ').replaceAll('|', '\\|');

/** The meaning of a field in a sentence, and its values, unless the sentence names all. openapi.json has the full text. */
const meaning = (schema: Schema): string => {
  const all = schema.description ?? schema.anyOf?.map((one) => one.description ?? resolved(one).description).find(Boolean) ?? '';
  const [said] = all.split(/(?<=\.)\s/, 1) as [string];
  const values = schema.enum?.map((value) => `\`${value}\``) ?? [];
  return values.every((value) => said.includes(value)) ? said : `${said} One of ${values.join(', ')}.`;
};

/**
 * A table of the fields of a request in openapi.json: what each means, and whether it may be null. Those that differ only
 * in the parameter of UTM that they set share a row.
 */
export function fieldsTable(request: string): string {
  const properties: Record<string, Schema> = openapi.components.schemas[request].properties;
  const rows = new Map<string, string[]>();
  for (const [name, property] of Object.entries(properties)) {
    const schema = resolved(property);
    const isNullable = schema.anyOf?.some(({ type }) => type === 'null') ?? false;
    const said = `${cell(meaning(schema)).replace(/`utm_\w+`/, '`utm_source` and so on')} | ${isNullable ? 'yes' : ''} |`;
    rows.set(said, [...(rows.get(said) ?? []), `\`${name}\``]);
  }
  const lines = [...rows].map(([said, names]) => `| ${names.join(', ')} | ${said}`);
  return ['| field | what it is | may be `null` |', '|---|---|---|', ...lines].join('\n');
}

/** The query parameters of an operation in openapi.json, with their values. */
export function parametersOf(path: string): string {
  const { parameters } = openapi.paths[`/api/v1${path}`].get;
  const names = (parameters as readonly Parameter[])
    .map(resolved)
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema }) => {
      const values = resolved(schema).enum?.map((value) => `\`${value}\``);
      return values ? `\`${name}\` (${values.join(', ')})` : `\`${name}\``;
    });
  return `${names.join(', ')}.`;
}
