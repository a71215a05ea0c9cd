import { createHash } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { preconditionFailed } from '../domain/errors.ts';
import { type ApiEvent, header } from './api-event.ts';
import { reply } from './reply.ts';

/** The strong entity tag of a representation: another one for every other body (RFC 9110, section 8.8.3). */
const etagOf = (body: unknown): string =>
  `"${createHash('sha256').update(JSON.stringify(body)).digest('base64url').slice(0, 22)}"`;

const entityTag = /(W\/)?("[\x21\x23-\x7e\x80-\xff]*")/g;

/** The entity tags of a header field, weak ones with their `W/`; none where it is no list of them. */
const tagsIn = (field: string): string[] => (/^[\s,]*$/.test(field.replace(entityTag, '')) ? (field.match(entityTag) ?? []) : []);

/** Whether the request names the representation that it is for. `*` names none: any that there is will do. */
const isConditional = (event: ApiEvent): boolean => (header(event, 'If-Match') ?? '*').trim() !== '*';

/**
 * Reads what a change is for, if the request names it by `If-Match`, and compares. Nothing is read for a request that doesn't.
 *
 * @param show what a GET would answer with.
 * @returns what was read; undefined if the change is for whatever there is.
 * @throws RequestError `precondition_failed`, and what `read` throws
 */
export async function readIfMatch<T>(
  event: ApiEvent,
  read: () => Promise<T>,
  show: (read: T) => unknown,
): Promise<T | undefined> {
  if (!isConditional(event)) return undefined;
  const found = await read();
  checkIfMatch(event, await show(found));
  return found;
}

/**
 * Compares `If-Match` with what there is now: strongly, so that a weak tag matches nothing (RFC 9110, section 13.1.1).
 *
 * @param body as a GET would answer with.
 * @throws RequestError `precondition_failed`
 */
function checkIfMatch(event: ApiEvent, body: unknown): void {
  if (!isConditional(event)) return;
  if (!tagsIn(header(event, 'If-Match') ?? '').includes(etagOf(body))) throw preconditionFailed();
}

/**
 * An answer with its entity tag; for a read, 304 without a body where `If-None-Match` names it. Compared weakly there, as RFC 9110,
 * section 13.1.2 has it.
 *
 * @throws RequestError `precondition_failed` where a read's `If-Match` does not hold.
 */
export function replyTagged(
  event: ApiEvent,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): APIGatewayProxyResult {
  const etag = etagOf(body);
  if (event.httpMethod === 'GET') {
    checkIfMatch(event, body);
    const field = header(event, 'If-None-Match');
    const known = field?.trim() === '*' || tagsIn(field ?? '').some((tag) => tag.replace(/^W\//, '') === etag);
    if (known) return reply(304, undefined, { ETag: etag });
  }
  return reply(status, body, { ...headers, ETag: etag });
}
