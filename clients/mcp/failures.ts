import { PathParameterError, ProblemError } from '../typescript/client.ts';

/** A call that the tool itself refuses. The message tells the model what to do. */
export class ToolError extends Error {}

/** Advice on errors of the API that their messages don't give, by code. */
const adviceByCode: Readonly<Record<string, string>> = {
  domain_not_verified: 'list_domains shows the domains on which links can be created.',
  external_id_taken: 'A link has this externalId already: get_link finds it as ext_ and the externalId.',
  not_found: 'Check the id: list_links shows the ids of links, list_history those of changes.',
  slug_taken: 'Choose another customSlug, or leave it out to get a random one.',
  tag_name_taken: 'list_tags shows the tag.',
  tag_not_found: 'list_tags shows the tags, create_tag makes one.',
  too_much_to_read: 'Ask for less.',
};

const adviceByStatus: Readonly<Record<number, string>> = {
  401: 'Ask the user for another API key: this one does not work.',
  403: 'Ask the user for an API key that has the permission.',
  422: 'Correct the arguments and call again.',
  500: 'Tell the user, with the id of the request.',
};

/**
 * What a model reads about a failed call: what is wrong, what to do, and when to retry; undefined for a mistake in the
 * server itself.
 *
 * @param readsOnly whether the call changes nothing.
 */
export function messageOf(error: unknown, readsOnly: boolean): string | undefined {
  if (error instanceof ToolError) return error.message;
  if (error instanceof PathParameterError) return `The argument ${error.parameter} must not be empty, "." or "..".`;
  // Nothing was sent: a query has no half characters, unlike JSON.
  if (error instanceof URIError) return 'An argument has half a character: send well-formed Unicode.';
  const unsure = readsOnly ? 'Call again later.' : 'It may have been carried out: look before you call again.';
  if (error instanceof ProblemError) {
    const { status, code, detail, errors, requestId, retryAfter } = error;
    const fields = errors.map(({ path, message }) => `${path} ${message}`.trim()).filter((text) => !detail.includes(text));
    const id = requestId ? ` (${code}, request ${requestId})` : '';
    return [
      `${detail}${id}`,
      ...fields,
      ...(status === 429 ? [`Wait ${retryAfter ?? 1} seconds, then call again.`] : []),
      ...(status === 503 ? [`Wait ${retryAfter ?? 5} seconds. ${unsure}`] : []),
      ...[adviceByCode[code] ?? adviceByStatus[status] ?? []].flat(),
    ].join('\n');
  }
  const name = error instanceof Error ? error.name : '';
  if (name === 'TimeoutError' || name === 'AbortError') return `The service did not answer in time. ${unsure}`;
  // The client throws these if there is no response.
  if (error instanceof Error && error.cause instanceof Error) return `The service does not respond. ${unsure}`;
  return undefined;
}
