export const utmNames = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;
export type UtmName = (typeof utmNames)[number];

/** The parts of an address: the part before the query, the parameters as written, and the fragment. */
function partsOf(url: string): { readonly path: string; readonly parameters: readonly string[]; readonly fragment: string } {
  const [, path = '', query, fragment = ''] = /^([^?#]*)(?:\?([^#]*))?(#.*)?$/s.exec(url) ?? [];
  return { path, parameters: query ? query.split('&') : [], fragment };
}

const nameIn = (parameter: string): string => parameter.split('=', 1)[0] ?? '';

/** The value of a parameter in an address; empty if it has none. */
export function utmOf(url: string, name: UtmName): string {
  const found = partsOf(url).parameters.find((parameter) => nameIn(parameter) === name);
  if (found === undefined) return '';
  const value = found.slice(name.length + 1).replaceAll('+', ' ');
  try {
    return decodeURIComponent(value);
  } catch {
    return value;
  }
}

/** An address with a new value of a parameter; an empty one removes it. Everything else stays byte for byte. */
export function withUtm(url: string, name: UtmName, value: string): string {
  const { path, parameters, fragment } = partsOf(url);
  const at = parameters.findIndex((parameter) => nameIn(parameter) === name);
  const written = value === '' ? [] : [`${name}=${encodeURIComponent(value)}`];
  const others = parameters.filter((parameter) => nameIn(parameter) !== name);
  const next = at < 0 ? [...others, ...written] : others.toSpliced(at, 0, ...written);
  return `${path}${next.length > 0 ? `?${next.join('&')}` : ''}${fragment}`;
}

/** Whether an address has any of these parameters. */
export const hasUtm = (url: string): boolean => utmNames.some((name) => utmOf(url, name) !== '');

/** Whether two addresses lead to the same place, apart from these parameters. */
const isSamePlace = (one: string, other: string): boolean => without(one) === without(other);
const without = (url: string): string => utmNames.reduce((rest, name) => withUtm(rest, name, ''), url);

/**
 * A destination that replaces another one in its campaign: it gets the former's parameters, unless it has some itself.
 * If it differs only in UTM parameters, it stays as it is, so that they can be removed.
 */
export const inCampaignOf = (former: string, url: string): string =>
  url === '' || isSamePlace(former, url) || hasUtm(url)
    ? url
    : utmNames.reduce((made, name) => withUtm(made, name, utmOf(former, name)), url);

/** The values that addresses have of each parameter, the most frequent first. */
export const usedValues = (urls: readonly string[]): Readonly<Record<UtmName, readonly string[]>> =>
  Object.fromEntries(
    utmNames.map((name) => {
      const byValue = Map.groupBy(
        urls.map((url) => utmOf(url, name)).filter((value) => value !== ''),
        (value) => value,
      );
      return [name, [...byValue].sort(([, one], [, other]) => other.length - one.length).map(([value]) => value)];
    }),
  ) as Record<UtmName, string[]>;
