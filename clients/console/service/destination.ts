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
  | { readonly kind: 'several'; readonly count: number }
  | { readonly kind: 'other' };

/** Reads what was pasted; undefined if it has no text. */
export function readPasted(text: string): Pasted | undefined {
  const words = text
    .split(/\s+/)
    .map(trimmed)
    .filter((word) => word !== '');
  const [first] = words;
  if (first === undefined) return undefined;
  const found = words.filter((word) => addressIn(word) !== undefined);
  const url = addressIn(first);
  if (words.length === 1 && url !== undefined) return { kind: 'address', url };
  // In a text with other words, what only looks like an address may be the name of a file.
  const count = found.length === words.length ? found.length : words.filter(isAddress).length;
  return count > 1 ? { kind: 'several', count } : { kind: 'other' };
}
