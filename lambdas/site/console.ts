import { randomBytes } from 'node:crypto';
import type { APIGatewayProxyEvent, APIGatewayProxyResult } from 'aws-lambda';
import { parseConsolePath } from '../core/console/addresses.ts';
import { optionalSetting } from '../runtime/settings.ts';
import { attribute, type Body, file, forever, respond } from './answers.ts';

// The console: one page for all its addresses, and the files that the page loads, which `lib/site/console.ts` bundles.

/** The list of files that `lib/site/console.ts` writes. Their names have hashes. */
export type ConsoleFiles = {
  /** The script and the style sheet that the page loads first. */
  readonly script: string;
  readonly style: string;
  readonly names: readonly string[];
};

const list = file('console/files.json');
let files: ConsoleFiles | undefined;
const consoleFiles = (): ConsoleFiles => {
  files ??= JSON.parse(list().text) as ConsoleFiles;
  return files;
};

const read = new Map<string, () => Body>();
const types: Readonly<Record<string, string>> = { css: 'text/css', js: 'text/javascript' };

/**
 * Only the page's own script, and scripts that it loads, may run, whatever else this origin serves. Images from other
 * hosts are not loaded, because those hosts would learn who looks at which link.
 */
const policyFor = (nonce: string): string =>
  `default-src 'none'; script-src 'nonce-${nonce}' 'strict-dynamic'; style-src 'nonce-${nonce}'; ` +
  `img-src 'self' blob: data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; ` +
  `require-trusted-types-for 'script'; trusted-types 'none'`;

/** The first paint, before the script has run. clients/console/shell/frame.tsx draws the same. */
const frame =
  '<div class="shell" aria-hidden="true"><div class="top"></div>' +
  '<div class="body"><div class="nav"></div><div class="content"></div></div></div>';

/**
 * The page must not be translated: browsers replace texts by elements of their own, which React then fails to remove
 * (https://github.com/facebook/react/issues/11538). Chrome and Edge also need the `google` tag.
 */
function page(root: string, nonce: string): string {
  const { script, style } = consoleFiles();
  const at = `${attribute(root)}/console/assets`;
  return `<!doctype html>
<html lang="en" translate="no">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<meta name="google" content="notranslate">
<meta property="csp-nonce" nonce="${nonce}">
<title>Links</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${at}/${style}" nonce="${nonce}">
<script type="module" src="${at}/${script}" nonce="${nonce}"></script>
</head>
<body>
<noscript>The console needs JavaScript. Programs use the API.</noscript>
<div id="console" data-root="${attribute(root)}"${optionalSetting('SIGN_IN_OFFERED') ? ' data-sign-in="yes"' : ''}>${frame}</div>
</body>
</html>
`;
}

const notFound = (event: APIGatewayProxyEvent): APIGatewayProxyResult => ({
  statusCode: 404,
  headers: {
    'Content-Type': 'application/problem+json',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  },
  body: JSON.stringify({
    type: 'urn:problem:links:not_found',
    title: 'Not found',
    status: 404,
    detail: 'This address does not exist.',
    code: 'not_found',
    requestId: event.requestContext.requestId,
  }),
});

/** The file with that name; undefined if the console has none. */
function asset(event: APIGatewayProxyEvent, name: string): APIGatewayProxyResult | undefined {
  const type = types[name.slice(name.lastIndexOf('.') + 1)];
  if (type === undefined || !consoleFiles().names.includes(name)) return undefined;
  const body = read.get(name) ?? file(`console/${name}`);
  read.set(name, body);
  return respond(event, { type, body: body(), caching: forever });
}

/**
 * Responds with the page at the console's own addresses, with its files, and with 404 otherwise. `/` leads to the page.
 */
export function showConsole(event: APIGatewayProxyEvent): APIGatewayProxyResult {
  const { path } = event.requestContext;
  if (event.resource === '/') {
    const headers = { Location: `${path.replace(/\/+$/, '')}/console`, 'Cache-Control': 'no-store' };
    return { statusCode: 302, headers, body: '' };
  }
  // The path begins with the stage, unless the API has a domain of its own.
  const at = path.indexOf('/console');
  const root = path.slice(0, at);
  const rest = path.slice(at + '/console'.length);
  if (rest.startsWith('/assets/')) return asset(event, rest.slice('/assets/'.length)) ?? notFound(event);
  if (!parseConsolePath(rest)) return notFound(event);
  const nonce = randomBytes(16).toString('base64url');
  return {
    statusCode: 200,
    headers: {
      'Content-Type': 'text/html; charset=utf-8',
      'Content-Security-Policy': policyFor(nonce),
      'Cache-Control': 'no-store',
      'Cross-Origin-Opener-Policy': 'same-origin',
      'Referrer-Policy': 'no-referrer',
      'X-Content-Type-Options': 'nosniff',
      'X-Robots-Tag': 'noindex',
    },
    body: page(root, nonce),
  };
}
