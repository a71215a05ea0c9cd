import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { setting } from '../runtime/settings.ts';

// The reference of the API, with a console to try it. It is public, reads no table, and its page loads nothing from
// anywhere else and keeps nothing: no font, no proxy, no telemetry, no key.

type Body = {
  readonly text: string;
  /** Different for every different text. */
  readonly hash: string;
};

const bodyOf = (text: string): Body => ({ text, hash: createHash('sha256').update(text).digest('base64url').slice(0, 22) });

/** A file of the function's package, which `lib/api-docs.ts` puts beside the bundle. Read once. */
const file = (name: string): (() => Body) => {
  let body: Body | undefined;
  return () => {
    body ??= bodyOf(readFileSync(join(setting('LAMBDA_TASK_ROOT'), name), 'utf8'));
    return body;
  };
};
const script = file('scalar.js');
const document = file('openapi.json');

/** https://scalar.com/products/api-references/configuration */
const configuration = {
  agent: { disabled: true },
  hideClientButton: true,
  mcp: { disabled: true },
  persistAuth: false,
  showDeveloperTools: 'never',
  telemetry: false,
  withDefaultFonts: false,
};

/** Scalar styles its elements itself. Everything else comes from here. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; " +
  "base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

const headers = {
  'Content-Security-Policy': policy,
  'Referrer-Policy': 'no-referrer',
  // The gateway compresses what is large, for clients that accept that.
  Vary: 'Accept-Encoding',
  'X-Content-Type-Options': 'nosniff',
};

/** Responds with a text, or with 304 if the client still has it. */
function respond(
  { headers: sent }: APIGatewayProxyEvent,
  type: string,
  { text, hash }: Body,
  caching = 'no-cache',
): APIGatewayProxyResult {
  const etag = `"${hash}"`;
  const kept = { ...headers, 'Cache-Control': caching, ETag: etag };
  const [, tags = ''] = Object.entries(sent).find(([name]) => name.toLowerCase() === 'if-none-match') ?? [];
  // No other text has these characters, so that the field needs no parsing: it may have several tags, weak ones among them.
  if (tags === '*' || tags.includes(etag)) return { statusCode: 304, headers: kept, body: '' };
  return { statusCode: 200, headers: { ...kept, 'Content-Type': `${type}; charset=utf-8` }, body: text };
}

const attribute = (text: string): string => text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The page. It asks for its script by a hash, so that browsers keep the script until a deployment replaces it. */
function page(root: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Links API</title>
<link rel="icon" href="data:,">
</head>
<body>
<script id="api-reference" data-url="${attribute(root)}/openapi.json" data-configuration="${attribute(JSON.stringify(configuration))}"></script>
<script src="${attribute(root)}/docs/scalar.js?${script().hash}"></script>
<noscript>This page needs JavaScript. The same reference for programs is <a href="${attribute(root)}/openapi.json">openapi.json</a>.</noscript>
</body>
</html>
`;
}

/** Responds with the page, its script, or openapi.json, whose only server is the address of the request. */
export async function handler(event: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  const { resource, headers: sent, requestContext } = event;
  // The path begins with the stage, unless the API has a domain of its own.
  const root = requestContext.path.slice(0, -resource.length).replace(/\/$/, '');
  switch (resource) {
    case '/docs':
      return respond(event, 'text/html', bodyOf(page(root)));
    case '/docs/scalar.js':
      return respond(event, 'text/javascript', script(), 'public, max-age=31536000, immutable');
    default: {
      const origin = `${sent['X-Forwarded-Proto'] ?? 'https'}://${sent.Host ?? sent.host ?? requestContext.domainName}`;
      const shown = { ...JSON.parse(document().text), servers: [{ url: `${origin}${root}` }] };
      return respond(event, 'application/json', bodyOf(JSON.stringify(shown)));
    }
  }
}
