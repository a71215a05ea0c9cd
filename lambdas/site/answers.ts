import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { setting } from '../runtime/settings.ts';

/** A text, and a hash that is different for every different text. */
export type Body = { readonly text: string; readonly hash: string };

export const bodyOf = (text: string): Body => ({
  text,
  hash: createHash('sha256').update(text).digest('base64url').slice(0, 22),
});

/** A file of the function's package, which `lib/site/site.ts` puts beside the bundle. Read once. */
export const file = (name: string): (() => Body) => {
  let body: Body | undefined;
  return () => {
    body ??= bodyOf(readFileSync(join(setting('LAMBDA_TASK_ROOT'), name), 'utf8'));
    return body;
  };
};

/** The `Cache-Control` of a file that browsers may keep forever, because its address changes with its content. */
export const forever = 'public, max-age=31536000, immutable';

export type Answer = {
  readonly type: string;
  readonly body: Body;
  readonly caching?: string;
  /** In addition to those that all responses have. */
  readonly headers?: Readonly<Record<string, string>>;
};

/** Responds with a text, or with 304 if the client still has it. */
export function respond(
  { headers: sent }: APIGatewayProxyEvent,
  { type, body: { text, hash }, caching = 'no-cache', headers }: Answer,
): APIGatewayProxyResult {
  const etag = `"${hash}"`;
  const kept = {
    'Referrer-Policy': 'no-referrer',
    // The gateway compresses large responses for clients that accept it.
    Vary: 'Accept-Encoding',
    'X-Content-Type-Options': 'nosniff',
    ...headers,
    'Cache-Control': caching,
    ETag: etag,
  };
  const [, tags = ''] = Object.entries(sent).find(([name]) => name.toLowerCase() === 'if-none-match') ?? [];
  // The hash is unique, so the field needs no parsing. It may have several tags, including weak ones.
  if (tags === '*' || tags.includes(etag)) return { statusCode: 304, headers: kept, body: '' };
  return { statusCode: 200, headers: { ...kept, 'Content-Type': `${type}; charset=utf-8` }, body: text };
}

/** Escapes a text for an HTML attribute in double quotes. */
export const attribute = (text: string): string => text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);
