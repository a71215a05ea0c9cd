import { trimmed } from '../../../lambdas/core/invisible.ts';

// Reads typed or pasted destinations.

/** Whether a text begins like an address. The service checks the rest. */
const isAddress = (text: string): boolean => /^https?:\/\/[^\s/]+/i.test(text);

/** A host with a dot, and what may follow it. Browsers accept this as an address, too. */
const bareAddress = /^(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*\.)+(?:[\p{L}\p{M}]{2,}|xn--[\da-z-]+)(?::\d{1,5})?(?:[/?#]\S*)?$/iu;

/** The address in a text, with `https://` if it has no scheme; undefined if it isn't an address. */
export function addressIn(text: string): string | undefined {
  const seen = trimmed(text);
  if (isAddress(seen)) return seen;
  return bareAddress.test(seen) ? `https://${seen}` : undefined;
}

/** Adds `https://` to an address without a scheme. Other texts stay as they are, and the service says what is wrong. */
export const completed = (text: string): string => addressIn(text) ?? trimmed(text);

/** The kind of a pasted text. */
export type Pasted =
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'several' }
  | { readonly kind: 'other' };

/** The addresses in a list, separated by spaces, commas or semicolons; undefined if it has other words. */
export function addressesIn(text: string): string[] | undefined {
  const words = trimmed(text).split(/[,;]?\s+/);
  const found = words.flatMap((word) => addressIn(word) ?? []);
  return found.length === words.length ? found : undefined;
}

/**
 * Reads what was pasted; undefined if it has no text. Several addresses are a list, or rows with one in a cell each, as
 * spreadsheets copy them. Single rows may have none.
 */
export function readPasted(text: string): Pasted | undefined {
  const rows = text
    .split(/[\r\n]+/)
    .map((row) => row.split('\t').map(trimmed))
    .filter((row) => row.some((cell) => cell !== ''));
  const [first] = rows;
  if (first === undefined) return undefined;
  if (rows.length === 1) {
    const [url, ...others] = addressesIn(first.join('\t')) ?? [];
    if (url === undefined) return { kind: 'other' };
    return others.length === 0 ? { kind: 'address', url } : { kind: 'several' };
  }
  const having = rows.filter((row) => row.some((cell) => addressesIn(cell)));
  // If some rows have no address, texts without a scheme may be names of files, unless one has a scheme.
  const isSure = having.length === rows.length || having.some((row) => row.some((cell) => isAddress(cell) && addressesIn(cell)));
  return isSure && having.length > 1 ? { kind: 'several' } : { kind: 'other' };
}
