/** The fields of a request or response that contain attributes, each with the function that converts it. */
export type Converters = { readonly [field: string]: (value: never) => unknown };

/** The same fields, with those converted. All others stay as they are. */
export function converted(converters: Converters, fields: object): Record<string, unknown> {
  const result: Record<string, unknown> = { ...fields };
  for (const name in converters) if (result[name] != null) result[name] = converters[name]?.(result[name] as never);
  return result;
}

/** Converts the values of a list. */
export const each = (one: (value: never) => unknown) => (values: readonly never[]) => values.map((value) => one(value));

/** Converts values that have names of their own. */
export const byName = (one: (value: never) => unknown) => (values: Readonly<Record<string, never>>) =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, one(value)]));
