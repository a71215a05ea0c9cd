/**
 * The destination with the visitor's query parameters behind its own. Where both have a parameter of one name, the destination's
 * stay and the visitor's of that name are left out. What is passed on is passed on as it was written, repetitions, empty values, `+`
 * and `%` included; only what may not stand in a URL is percent-encoded. Host, path, scheme and fragment cannot change.
 *
 * @param href a stored destination.
 * @param query without the `?`, as the visitor sent it.
 */
export function forwardParameters(href: string, query: string): string {
  const url = new URL(href);
  // As they will arrive, so that no name looks like another: the setter leaves out line ends, and encodes what a query may not contain, `#`
  // among it. It takes one `?` off (https://url.spec.whatwg.org/#dom-url-search).
  const sent = new URL(href);
  sent.search = `?${query}`;
  const pairs = sent.search.slice(1).split('&');
  const kept = pairs.filter((pair) => pair !== '' && !url.searchParams.has(nameOf(pair)));
  if (kept.length === 0) return href;
  const own = url.search.slice(1);
  url.search = `?${own}${own === '' || own.endsWith('&') ? '' : '&'}${kept.join('&')}`;
  return url.href;
}

/** The name of a `name=value` as programs read it (application/x-www-form-urlencoded). A `?` at its beginning would be passed over. */
const nameOf = (pair: string): string => [...new URLSearchParams(`&${pair}`).keys()][0] ?? '';
