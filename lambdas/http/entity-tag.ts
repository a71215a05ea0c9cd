import { createHash } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { preconditionFailed } from '../core/errors.ts';
import { type ApiEvent, header } from './api-event.ts';
import { reply, replyImage } from './reply.ts';

/**
 * If a resource also changes without requests, such as by clicks, its entity tag has two parts:
 * `"settings.everything"`. An example with a link:
 *
 *     GET                        "A.1"
 *     somebody visits it: GET    "A.2"    only `clickCount` differs
 *     PATCH, If-Match: "A.1"     200      the settings are still A
 *     GET, If-None-Match: "A.1"  200      the client does not know the new count
 *     now it is "B.3": PATCH, If-Match: "A.1" or "A.2" gets 412
 *
 * The whole tag is strong: it differs for every different body (RFC 9110, section 8.8.3), so caches and clients may
 * rely on it. `If-Match` prevents lost updates (section 13.1.1), and no request overwrites a count. So `If-Match`
 * compares only the settings. Only origin servers evaluate it, so this affects nobody else. docs/decisions/0009 says
 * what we rejected.
 */

/** What a GET shows: its body, and the part of it that a change could overwrite. */
export type Shown = { readonly body: unknown; readonly settings: unknown };

const hashOf = (content: string | Buffer): string => createHash('sha256').update(content).digest('base64url').slice(0, 22);

const etagOf = ({ body, settings }: Shown): string => `"${hashOf(JSON.stringify(settings))}.${hashOf(JSON.stringify(body))}"`;

/** The part of an entity tag that identifies settings; the whole tag if it has only one part, such as an image's. */
const settingsIn = (etag: string): string => /^"[\w-]{22}(?=\.[\w-]{22}"$)/.exec(etag)?.[0] ?? etag;

const entityTag = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** The entity tags in a header field, weak ones with their `W/`; empty if the field isn't a list of tags. */
const tagsIn = (field: string): string[] => (/^[\s,]*$/.test(field.replace(entityTag, '')) ? (field.match(entityTag) ?? []) : []);

/** Whether the request has an `If-Match` with entity tags, not `*`, which matches any existing resource. */
const isConditional = (event: ApiEvent): boolean => (header(event, 'If-Match') ?? '*').trim() !== '*';

/**
 * Reads the resource and compares it with `If-Match`, if the request has one with entity tags. Otherwise reads nothing.
 *
 * @returns the resource; undefined if it was not read.
 * @throws RequestError `precondition_failed`, and what `read` throws.
 */
export async function readIfMatch<T>(
  event: ApiEvent,
  read: () => Promise<T>,
  show: (read: T) => Shown | Promise<Shown>,
): Promise<T | undefined> {
  if (!isConditional(event)) return undefined;
  const found = await read();
  checkIfMatch(event, etagOf(await show(found)));
  return found;
}

/**
 * Checks `If-Match` and `If-None-Match` of a request that creates or replaces a resource (RFC 9110, section 13.2.2).
 *
 * @param show undefined if there is no such resource.
 * @returns whether `If-Match` names the version that was read.
 * @throws RequestError `precondition_failed`
 */
export async function checkPreconditions(event: ApiEvent, show: (() => Promise<Shown>) | undefined): Promise<boolean> {
  const [match, noneMatch] = [header(event, 'If-Match'), header(event, 'If-None-Match')];
  if (!show) {
    if (match !== undefined) throw preconditionFailed('absent');
    return false;
  }
  if (noneMatch?.trim() === '*') throw preconditionFailed('exists');
  if (!isConditional(event) && noneMatch === undefined) return false;
  const etag = etagOf(await show());
  checkIfMatch(event, etag);
  if (isAmong(etag, noneMatch)) throw preconditionFailed('known');
  return isConditional(event);
}

/** Compares `If-None-Match` with the whole tag. The comparison is weak (RFC 9110, section 13.1.2). */
const isAmong = (etag: string, field: string | undefined): boolean =>
  tagsIn(field ?? '').some((tag) => tag.replace(/^W\//, '') === etag);

/**
 * Compares `If-Match` with the current settings. The comparison is strong: a weak tag never matches (RFC 9110, section
 * 13.1.1).
 *
 * @param etag of what a GET would return.
 * @throws RequestError `precondition_failed`
 */
function checkIfMatch(event: ApiEvent, etag: string): void {
  if (!isConditional(event)) return;
  if (!tagsIn(header(event, 'If-Match') ?? '').some((sent) => settingsIn(sent) === settingsIn(etag))) throw preconditionFailed();
}

/**
 * A response with its entity tag. For a GET whose `If-None-Match` matches, 304 without a body.
 *
 * @param shown what a GET would show.
 * @param body the response's body, if it differs from what a GET would show.
 * @throws RequestError `precondition_failed` if a GET's `If-Match` doesn't match.
 */
export function replyTagged(
  event: ApiEvent,
  status: number,
  shown: Shown,
  headers: Record<string, string> = {},
  body = shown.body,
): APIGatewayProxyResult {
  return tagged(event, etagOf(shown), (etag) => reply(status, body, { ...headers, ETag: etag }));
}

/** The same for a GET of an image. */
export const replyTaggedFile = (event: ApiEvent, type: string, image: string | Buffer): APIGatewayProxyResult =>
  tagged(event, `"${hashOf(image)}"`, (etag) => replyImage(type, image, { ETag: etag }));

function tagged(event: ApiEvent, etag: string, respond: (etag: string) => APIGatewayProxyResult): APIGatewayProxyResult {
  if (event.httpMethod === 'GET') {
    checkIfMatch(event, etag);
    const field = header(event, 'If-None-Match');
    if (field?.trim() === '*' || isAmong(etag, field)) return reply(304, undefined, { ETag: etag });
  }
  return respond(etag);
}
