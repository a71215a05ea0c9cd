import { ToolError } from './failures.ts';
import type { Schema } from './tools.ts';

/**
 * The arguments of a call as they are meant, according to their schema. Some clients send other values as text, such as
 * `"false"`, `"100"`, `"[…]"` and `"null"` (https://github.com/anthropics/claude-code/issues/24597 and 95239), numbers
 * where a text of digits was meant (90123), or null for what they leave out
 * (https://github.com/NVIDIA/NeMo-Agent-Toolkit/issues/1269). The model cannot change that, so an error would not help
 * it. Values that cannot be meant as the schema says stay unchanged, and the schema refuses them.
 *
 * Only arguments are left out, never their parts: a filter that lost one would find more links.
 *
 * @throws ToolError if a password is the text `null`: taken for null, it would open the link.
 */
export function asMeant(given: unknown, schema: Schema): unknown {
  if (!isObject(given)) return given;
  const { properties = {}, required = [] } = schema;
  const isLeftOut = (name: string, value: unknown) =>
    (value === null || value === 'null') &&
    Object.hasOwn(properties as object, name) &&
    !(properties as Properties)[name]?.anyOf &&
    !(required as readonly string[]).includes(name);
  return valueAsMeant(Object.fromEntries(Object.entries(given).filter(([name, value]) => !isLeftOut(name, value))), schema);
}

type Properties = Readonly<Record<string, Schema>>;

function valueAsMeant(value: unknown, schema: Schema): unknown {
  const [own = schema, ...others] = (schema.anyOf ?? []) as readonly Schema[];
  if (value === 'null' && others.length > 0) return null;
  if (own.type === 'string') return Number.isSafeInteger(value) ? String(value) : value;
  const given = typeof value === 'string' ? fromJson(value) : value;
  if (own.type === 'array' && Array.isArray(given)) return given.map((one) => valueAsMeant(one, own.items as Schema));
  if (own.type !== 'object' || !isObject(given)) return given;
  const properties = new Map(Object.entries((own.properties ?? {}) as Properties));
  const fields = Object.entries(given).map(([name, field]) => {
    const known = properties.get(name);
    return [name, name === 'password' ? checkedPassword(field) : known ? valueAsMeant(field, known) : field];
  });
  return Object.fromEntries(fields);
}

const isObject = (value: unknown): value is object => value instanceof Object && !Array.isArray(value);

function checkedPassword(value: unknown): unknown {
  if (value !== 'null') return value;
  throw new ToolError(
    'password must not be the text "null". To remove the password, send null without quotation marks; otherwise leave it out.',
  );
}

/** The value of a JSON text; the text itself if it isn't JSON. */
function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
