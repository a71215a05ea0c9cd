/** Where visitors report links, on every domain. No link can be there, because no slug has a plus. */
export const reportPath = '/+report';

/**
 * Where the form already has an address.
 *
 * @param path of a visit to the link, or of its preview. Never with its query, which may hold anything.
 */
export const reportHref = (path: string): string =>
  `${reportPath}?address=${encodeURIComponent(path.toWellFormed().replace(/\+\/?$/, ''))}`;
