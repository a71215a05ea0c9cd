/**
 * The text of a value; empty if it is neither text nor a number. Of an object in a JSON document, even `String` may
 * throw.
 */
export const textOf = (value: unknown): string => (['string', 'number'].includes(typeof value) ? String(value).trim() : '');

/** Whether a value is true, as JSON or as a text says it; undefined if it says neither that nor false. */
export function flagOf(value: unknown): boolean | undefined {
  const said = typeof value === 'boolean' ? String(value) : textOf(value).toLowerCase();
  return said === 'true' || (said === 'false' ? false : undefined);
}

/** A copy of a text. A part of a longer text keeps all of it in memory, which V8 calls a sliced string. */
export const ownText = (text: string): string => JSON.parse(JSON.stringify(text));

/** The SHA-256 hash of some bytes in hexadecimal digits, in Node and in browsers. */
export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
  return Array.from(hash, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
