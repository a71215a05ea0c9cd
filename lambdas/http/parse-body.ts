import type * as z from 'zod/mini';
import { RequestError } from '../core/errors.ts';
import { type ApiEvent, header, type Middleware } from './api-event.ts';
import { validate } from './validation.ts';

/** The media types that a method accepts. PATCH also accepts JSON Merge Patch (RFC 7396). */
const mediaTypes = (method: string) =>
  method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json'];

/**
 * Parses the body as JSON and validates it. Sets `parsedBody` to the schema's output.
 *
 * @param isOptional whether a missing body is treated as `{}`, whatever the media type.
 */
export function parseBody(schema: z.core.$ZodType, isOptional = false): Middleware {
  return {
    before: function parseBodyBefore({ event }) {
      if (isOptional && !event.body) {
        event.parsedBody = validate(schema, {});
        return;
      }
      const mediaType = header(event, 'Content-Type')?.split(';')[0]?.trim().toLowerCase() ?? '';
      const accepted = mediaTypes(event.httpMethod);
      if (!accepted.includes(mediaType)) {
        throw new RequestError('unsupported_media_type', `The Content-Type must be ${accepted.join(' or ')}.`);
      }
      event.parsedBody = validate(schema, parseJson(bodyText(event)));
    },
  };
}

/** The names of UTF-8 and of its subset ASCII: https://encoding.spec.whatwg.org/#names-and-labels */
const charsets = ['utf-8', 'utf8', 'us-ascii'];

/**
 * The text of a JSON body, without a byte order mark (RFC 8259, section 8.1).
 *
 * A REST API silently replaces bytes that are not UTF-8 by U+FFFD (docs/aws.md). So a body with that character is
 * refused, too. A client that means it can escape it.
 *
 * @throws RequestError `unsupported_media_type` if the `Content-Type` names another charset; `invalid_json` if the body
 *   is not UTF-8.
 */
export function bodyText(event: ApiEvent): string {
  const named = (header(event, 'Content-Type') ?? '').toLowerCase().matchAll(/;\s*charset\s*=\s*"?([^";\s]*)/g);
  if ([...named].some(([, charset = '']) => !charsets.includes(charset))) {
    throw new RequestError('unsupported_media_type', 'The charset must be utf-8, as JSON requires (RFC 8259, section 8.1).');
  }
  const { body, isBase64Encoded } = event;
  const text = isBase64Encoded ? decoded(Buffer.from(body ?? '', 'base64')) : (body ?? '');
  if (!isBase64Encoded && text.includes('\ufffd')) throw notUtf8('Escape U+FFFD as \\ufffd if you mean that character.');
  return text.replace(/^\ufeff/, '');
}

const notUtf8 = (advice = '') =>
  new RequestError('invalid_json', `The body is not UTF-8 (RFC 8259, section 8.1). ${advice}`.trimEnd());

function decoded(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw notUtf8();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new RequestError('invalid_json', 'The body is not valid JSON (RFC 8259).');
  }
}
