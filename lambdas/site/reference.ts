import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { originOf } from '../runtime/request-origin.ts';
import { attribute, bodyOf, file, forever, respond } from './answers.ts';

// The reference of the API, where people can try requests. It is public and reads no table. Its page loads nothing from
// other hosts and stores nothing: no font, no proxy, no telemetry, no key.

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

/**
 * Inline styles are allowed because Scalar uses them. The page may call only the API, not other addresses of this
 * origin, such as the console's.
 */
const policyFor = (base: string): string =>
  `default-src 'none'; script-src 'self'; style-src 'unsafe-inline'; img-src 'self' data:; ` +
  `connect-src ${base}/api/v1/ ${base}/openapi.json; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`;

/** The page. The script's address has a hash, so that browsers cache the script until a deployment replaces it. */
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
<noscript>This page needs JavaScript. For programs, <a href="${attribute(root)}/openapi.json">openapi.json</a> has the same content.</noscript>
</body>
</html>
`;
}

/** Responds with the page, its script, or openapi.json, whose only server is the address of the request. */
export function showReference(event: APIGatewayProxyEvent): APIGatewayProxyResult {
  const { resource, requestContext } = event;
  // The path begins with the stage, unless the API has a domain of its own.
  const root = requestContext.path.slice(0, -resource.length).replace(/\/$/, '');
  const base = `${originOf(event)}${root}`;
  const headers = { 'Content-Security-Policy': policyFor(base) };
  switch (resource) {
    case '/docs':
      return respond(event, { type: 'text/html', body: bodyOf(page(root)), headers });
    case '/docs/scalar.js':
      return respond(event, { type: 'text/javascript', body: script(), caching: forever, headers });
    default: {
      const shown = { ...JSON.parse(document().text), servers: [{ url: base }] };
      return respond(event, { type: 'application/json', body: bodyOf(JSON.stringify(shown)), headers });
    }
  }
}
