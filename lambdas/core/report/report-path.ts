/** The path of the report form, on every domain. No link can be there, because slugs have no plus. */
export const reportPath = '/+report';

/**
 * The form with the link's address filled in.
 *
 * @param path of a visit to the link, or of its preview. Never with its query, which may hold anything.
 */
export const reportHref = (path: string): string =>
  `${reportPath}?address=${encodeURIComponent(path.toWellFormed().replace(/\+\/?$/, ''))}`;
