// Lists of values in a query, separated by commas.

/** The unescaped values of a list. */
export function valuesIn(text: string): string[] {
  const values: string[][] = [[]];
  for (const [part] of text.matchAll(/\\.|./gsu)) {
    if (part === ',') values.push([]);
    else values.at(-1)?.push(part.length > 1 && part.startsWith('\\') ? part.slice(1) : part);
  }
  return values.map((parts) => parts.join(''));
}

/** Escapes a value for a list. */
export const escapedValue = (value: string): string => value.replaceAll(/[\\,]/g, '\\$&');
