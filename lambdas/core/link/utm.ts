import { RuleError } from '../errors.ts';
import { destinationLength } from '../limits.ts';

/** The fields of requests that set parameters of the destination, and the parameters' names. */
export const utmParameters = {
  utmSource: 'utm_source',
  utmMedium: 'utm_medium',
  utmCampaign: 'utm_campaign',
  utmTerm: 'utm_term',
  utmContent: 'utm_content',
} as const;

/** The parameters that a request sets. Null removes a parameter. */
export type Utm = { readonly [Field in keyof typeof utmParameters]?: string | null | undefined };

/**
 * Sets parameters of a stored destination. An existing one is replaced at its first place; new ones are appended to the
 * query. Everything else stays as it is, byte for byte.
 *
 * @throws RuleError `destination_too_long`
 */
export function withUtm(href: string, utm: Utm): string {
  const url = new URL(href);
  const values = new Map<string, string | null>(
    Object.entries(utmParameters).flatMap(([field, name]) => {
      const value = utm[field as keyof Utm];
      return value === undefined ? [] : [[name, value]];
    }),
  );
  const own = url.search.slice(1);
  const isSet = new Set<string>();
  const kept = (own === '' ? [] : own.split('&')).flatMap((pair) => {
    const [name = ''] = new URLSearchParams(`&${pair}`).keys();
    if (!values.has(name)) return pair;
    const value = values.get(name);
    if (value == null || isSet.has(name)) return [];
    isSet.add(name);
    return pairOf(name, value);
  });
  const added = [...values].flatMap(([name, value]) => (value === null || isSet.has(name) ? [] : pairOf(name, value)));
  const query = [...kept, ...added].join('&');
  // Only if something changes: the setter would drop a "?" without a query.
  if (query !== own) url.search = query === '' ? '' : `?${query}`;
  if (url.href.length > destinationLength)
    throw new RuleError('destination_too_long', `must have at most ${destinationLength} characters`);
  return url.href;
}

const pairOf = (name: string, value: string): string => `${name}=${encodeURIComponent(value)}`;

/** Which of the parameters a stored destination has. */
export function utmIn(href: string): ReadonlySet<keyof Utm> {
  const { searchParams } = new URL(href);
  const fields = Object.entries(utmParameters).flatMap(([field, name]) => (searchParams.has(name) ? (field as keyof Utm) : []));
  return new Set(fields);
}
