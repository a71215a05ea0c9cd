import { trimmed } from '../../../lambdas/core/invisible.ts';

// What somebody types or pastes as the address that a link leads to.

/** Begins as an address does. The service checks the rest. */
const isAddress = (text: string): boolean => /^https?:\/\/[^\s/]+/i.test(text);

/** A host with a dot, and what may follow it: what browsers take for an address, too. */
const bareAddress = /^(?:[\p{L}\p{N}][\p{L}\p{M}\p{N}_-]*\.)+(?:[\p{L}\p{M}]{2,}|xn--[\da-z-]+)(?::\d{1,5})?(?:[/?#]\S*)?$/iu;

/** The address that a text is, with `https://` if it has no scheme; undefined if it is none. */
export function addressIn(text: string): string | undefined {
  const seen = trimmed(text);
  if (isAddress(seen)) return seen;
  return bareAddress.test(seen) ? `https://${seen}` : undefined;
}

/** A text with `https://` if it is an address without; otherwise as it is, so that the service says what is wrong. */
export const completed = (text: string): string => addressIn(text) ?? trimmed(text);

/** What somebody has pasted somewhere on the page. */
export type Pasted =
  | { readonly kind: 'address'; readonly url: string }
  | { readonly kind: 'several' }
  | { readonly kind: 'other' };

/** The addresses that a text lists, with spaces, commas or semicolons between them; undefined if it has other words. */
export function addressesIn(text: string): string[] | undefined {
  const words = trimmed(text).split(/[,;]?\s+/);
  const found = words.flatMap((word) => addressIn(word) ?? []);
  return found.length === words.length ? found : undefined;
}

/**
 * Reads what was pasted; undefined if it has no text. Several addresses are a list, or rows that have one in a cell each,
 * as spreadsheets copy them. A row among them may have none.
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
  // Beside rows without addresses, what only looks like one may be the name of a file, unless one has its scheme.
  const isSure = having.length === rows.length || having.some((row) => row.some((cell) => isAddress(cell) && addressesIn(cell)));
  return isSure && having.length > 1 ? { kind: 'several' } : { kind: 'other' };
}
