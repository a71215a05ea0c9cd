export const utmNames = ['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'] as const;
export type UtmName = (typeof utmNames)[number];

/** The parts of an address: before the query, the parameters as they are written, and the fragment. */
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

/** An address with another value of a parameter; an empty one removes it. Everything else stays byte for byte. */
export function withUtm(url: string, name: UtmName, value: string): string {
  const { path, parameters, fragment } = partsOf(url);
  const at = parameters.findIndex((parameter) => nameIn(parameter) === name);
  const written = value === '' ? [] : [`${name}=${encodeURIComponent(value)}`];
  const others = parameters.filter((parameter) => nameIn(parameter) !== name);
  const next = at < 0 ? [...others, ...written] : others.toSpliced(at, 0, ...written);
  return `${path}${next.length > 0 ? `?${next.join('&')}` : ''}${fragment}`;
}
