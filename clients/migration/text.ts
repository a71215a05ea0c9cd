/**
 * The text of a value; empty if it is neither text nor a number. `String` may throw for an object of a JSON document.
 */
export const textOf = (value: unknown): string => (['string', 'number'].includes(typeof value) ? String(value).trim() : '');

/** Reads true or false, from JSON or a text; undefined for anything else. */
export function flagOf(value: unknown): boolean | undefined {
  const said = typeof value === 'boolean' ? String(value) : textOf(value).toLowerCase();
  return said === 'true' || (said === 'false' ? false : undefined);
}

/** A copy of a text. A part of a longer text would keep all of it in memory (V8's sliced strings). */
export const ownText = (text: string): string => JSON.parse(JSON.stringify(text));

/** The SHA-256 hash of some bytes in hexadecimal digits, in Node and in browsers. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
