import type * as z from 'zod/mini';
import { RequestError } from '../core/errors.ts';
import { header, type Middleware } from './api-event.ts';
import { validate } from './validation.ts';

/** The media types that a method accepts. PATCH also accepts JSON Merge Patch (RFC 7396). */
const mediaTypes = (method: string) =>
  method === 'PATCH' ? ['application/json', 'application/merge-patch+json'] : ['application/json'];

/**
 * Parses the body as JSON and validates it. Sets `parsedBody` to the schema's output.
 *
 * @param isOptional whether a request without a body, of whatever media type, is one with `{}`.
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
      event.parsedBody = validate(schema, parseJson(textOf(event.body ?? '', event.isBase64Encoded)));
    },
  };
}

const notJson = () => new RequestError('invalid_json', 'The body is not valid JSON (RFC 8259).');

function textOf(body: string, isBase64Encoded: boolean): string {
  if (!isBase64Encoded) return body;
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Buffer.from(body, 'base64'));
  } catch {
    throw notJson();
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw notJson();
  }
}
