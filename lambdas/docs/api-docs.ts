import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { setting } from '../runtime/settings.ts';

// The reference of the API, with a console to try it. It is public, reads no table, and its page loads nothing from
// anywhere else and keeps nothing: no font, no proxy, no telemetry, no key.

/** A file of the function's package, which `lib/api-docs.ts` puts beside the bundle. Read once. */
const file = (name: string): (() => string) => {
  let text: string | undefined;
  return () => {
    text ??= readFileSync(join(setting('LAMBDA_TASK_ROOT'), name), 'utf8');
    return text;
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
  'X-Content-Type-Options': 'nosniff',
};

const respond = (type: string, body: string, caching = 'no-cache'): APIGatewayProxyResult => ({
  statusCode: 200,
  headers: { ...headers, 'Content-Type': `${type}; charset=utf-8`, 'Cache-Control': caching },
  body,
});

const attribute = (text: string): string => text.replace(/[&"<>]/g, (character) => `&#${character.charCodeAt(0)};`);

/** The page. It asks for its script by a hash, so that browsers keep the script until a deployment replaces it. */
function page(root: string): string {
  const hash = createHash('sha256').update(script()).digest('hex').slice(0, 8);
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
<script src="${attribute(root)}/docs/scalar.js?${hash}"></script>
<noscript>This page needs JavaScript. The same reference for programs is <a href="${attribute(root)}/openapi.json">openapi.json</a>.</noscript>
</body>
</html>
`;
}

/** Responds with the page, its script, or openapi.json, whose only server is the address of the request. */
export async function handler({ resource, headers: sent, requestContext }: APIGatewayProxyEvent): Promise<APIGatewayProxyResult> {
  // The path begins with the stage, unless the API has a domain of its own.
  const root = requestContext.path.slice(0, -resource.length).replace(/\/$/, '');
  switch (resource) {
    case '/docs':
      return respond('text/html', page(root));
    case '/docs/scalar.js':
      return respond('text/javascript', script(), 'public, max-age=31536000, immutable');
    default: {
      const origin = `${sent['X-Forwarded-Proto'] ?? 'https'}://${sent.Host ?? sent.host ?? requestContext.domainName}`;
      return respond('application/json', JSON.stringify({ ...JSON.parse(document()), servers: [{ url: `${origin}${root}` }] }));
    }
  }
}
