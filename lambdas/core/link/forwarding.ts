/**
 * Appends a path to the destination's. Scheme, host, query and fragment stay as they are.
 *
 * @param href a stored destination.
 * @param behind as `pathsBehind` returns it, which cannot lead out of the destination's path.
 */
export function forwardPath(href: string, behind: string): string {
  const url = new URL(href);
  url.pathname = `${url.pathname.replace(/\/$/, '')}/${behind}`;
  return url.href;
}

/**
 * Appends the visitor's query parameters to the destination's. If both have a parameter of the same name, only the
 * destination's are kept. Parameters are passed on exactly as sent, including repetitions, empty values, `+` and `%`;
 * only characters that a URL does not allow are percent-encoded. Scheme, host, path and fragment cannot change.
 *
 * @param href a stored destination.
 * @param query without the `?`, as the visitor sent it.
 */
export function forwardParameters(href: string, query: string): string {
  const url = new URL(href);
  // Normalised first, so that names compare as they will arrive. The setter removes line breaks, encodes characters
  // that a query cannot contain, such as `#`, and drops one leading `?` (https://url.spec.whatwg.org/#dom-url-search).
  const sent = new URL(href);
  sent.search = `?${query}`;
  const pairs = sent.search.slice(1).split('&');
  const kept = pairs.filter((pair) => pair !== '' && !url.searchParams.has(nameOf(pair)));
  if (kept.length === 0) return href;
  const own = url.search.slice(1);
  url.search = `?${own}${own === '' || own.endsWith('&') ? '' : '&'}${kept.join('&')}`;
  return url.href;
}

/**
 * The decoded name of a `name=value` pair (application/x-www-form-urlencoded). The `&` keeps a leading `?` in the name.
 */
const nameOf = (pair: string): string => [...new URLSearchParams(`&${pair}`).keys()][0] ?? '';
