import { completed } from '../service/destination.ts';
import type { Link } from '../service/types.ts';

// Replaces a text in the destinations of many links, for example because a site has moved to another domain.

export type Replacement = { readonly from: string; readonly to: string };

/**
 * Completes what somebody typed: if an origin is replaced, a new host without a scheme gets `https://`. Slashes at both
 * ends are matched, so that what follows stays a path.
 */
export function replacementOf(from: string, to: string): Replacement {
  const origin = from.replace(/\/$/, '');
  if (isOrigin(origin)) return { from: origin, to: completed(to).replace(/\/$/, '') };
  return { from, to: from.endsWith('/') && isOrigin(to) ? `${to}/` : to };
}

const isOrigin = (text: string): boolean => text === URL.parse(text)?.origin;

/** An origin is only replaced as a whole: `https://a.example` is another site than `https://a.example.org`. */
export function replacedIn(url: string, { from, to }: Replacement): string {
  if (from === '') return url;
  const isWhole = (rest: string) => !isOrigin(from) || !/^[\w.:@-]/.test(rest);
  return url.replaceAll(from, (text, at: number) => (isWhole(url.slice(at + text.length)) ? to : text));
}

export const hasText = (url: string, from: string): boolean => replacedIn(url, { from, to: '' }) !== url;

/** The scheme and host that most of the addresses share. */
export function commonOrigin(urls: readonly string[]): string {
  const groups = [
    ...Map.groupBy(
      urls.map((url) => URL.parse(url)?.origin ?? ''),
      (origin) => origin,
    ),
  ];
  return groups.toSorted(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? '';
}

type Destinations = Pick<Link, 'url' | 'expiredUrl' | 'rules' | 'variants'>;

/** The changes to all destinations of a link: its own, those of its rules and variants, and the one after its end. */
export function changesIn({ url, expiredUrl, rules, variants }: Destinations, replacement: Replacement): Partial<Destinations> {
  const inAll = <Part extends { readonly url: string }>(parts: readonly Part[]): Part[] =>
    parts.map((part) => ({ ...part, url: replacedIn(part.url, replacement) }));
  const before = { url, expiredUrl, rules, variants };
  const now = {
    url: replacedIn(url, replacement),
    expiredUrl: expiredUrl && replacedIn(expiredUrl, replacement),
    rules: inAll(rules),
    variants: inAll(variants),
  };
  const isSame = (name: keyof Destinations) => JSON.stringify(now[name]) === JSON.stringify(before[name]);
  return Object.fromEntries(Object.entries(now).filter(([name]) => !isSame(name as keyof Destinations)));
}
