import { appLinkPaths } from '../../../lambdas/core/domain/domain.ts';
import { RuleError } from '../../../lambdas/core/errors.ts';
import { checkSlug } from '../../../lambdas/core/link/slug.ts';
import { reportPath } from '../../../lambdas/core/report/report-path.ts';
import { type LinkPath, otherPlaces, readLinkPath } from '../../../lambdas/core/visit/link-path.ts';
import { GatewayError } from '../../../local/gateway/gateway-error.ts';
import { decodedPath } from '../../../local/gateway/http/http-api-event.ts';

/**
 * How we know what API Gateway makes of a path: others have captured it on AWS; AWS has decoded twice what others captured,
 * so this follows; it has nothing to decode; or nobody has published it. docs/aws.md has the sources.
 */
type Source = 'captured' | 'decoded twice' | 'unchanged' | 'assumed';

/** Paths in a request, and the source for what reaches the function. */
const paths: readonly (readonly [path: string, source: Source])[] = [
  ['/', 'unchanged'],
  ['/a', 'unchanged'],
  ['/A', 'unchanged'],
  ['/a/', 'unchanged'],
  ['/a//', 'assumed'],
  ['//a', 'assumed'],
  ['//', 'assumed'],
  ['/a+', 'unchanged'],
  ['/a%2B', 'decoded twice'],
  ['/a+/', 'unchanged'],
  ['/a++', 'unchanged'],
  ['/a+b', 'unchanged'],
  ['/+', 'unchanged'],
  ['/+report', 'unchanged'],
  ['/%2Breport', 'decoded twice'],
  ['/+report/', 'unchanged'],
  ['/a/+report', 'unchanged'],
  ['/a.q', 'unchanged'],
  ['/A.Q', 'unchanged'],
  ['/a.q/', 'unchanged'],
  ['/a.q+', 'unchanged'],
  ['/a.q.q', 'unchanged'],
  ['/a.svg', 'unchanged'],
  ['/a.SVG', 'unchanged'],
  ['/a.svg/b', 'unchanged'],
  ['/a.qr', 'unchanged'],
  ['/a.', 'unchanged'],
  ['/a..', 'unchanged'],
  ['/a.q.', 'unchanged'],
  ['/a)/', 'unchanged'],
  ['/a+,', 'unchanged'],
  ['/a%3E', 'decoded twice'],
  ['/a%23', 'captured'],
  ['/a%E2%80%9D.', 'decoded twice'],
  ['/a%E2%80%8B', 'decoded twice'],
  ['/a-', 'unchanged'],
  ['/...', 'unchanged'],
  ['/a&b=1', 'unchanged'],
  ['/a%26b=1', 'decoded twice'],
  ['/a&', 'unchanged'],
  ['/a+&b=1', 'unchanged'],
  ['/a.&b=1', 'unchanged'],
  ['/&b=1', 'unchanged'],
  ['/.a', 'unchanged'],
  ['/.q', 'unchanged'],
  ['/a.b.c', 'unchanged'],
  ['/a/b', 'unchanged'],
  ['/a/b/', 'unchanged'],
  ['/a/b/c/d/e', 'unchanged'],
  ['/a/b&c=1', 'unchanged'],
  ['/a/b.', 'unchanged'],
  ['/a/b+', 'unchanged'],
  ['/a/b.q', 'unchanged'],
  ['/a/b.svg', 'unchanged'],
  ['/a+/b', 'unchanged'],
  ['/a//b', 'assumed'],
  ['/a/./b', 'assumed'],
  ['/a/../b', 'assumed'],
  ['/a/%2e%2e/b', 'assumed'],
  ['/../a', 'assumed'],
  ['/a/...', 'unchanged'],
  ['/a%2Fb', 'captured'],
  ['/a%252Fb', 'captured'],
  ['/a%5Cb', 'decoded twice'],
  ['/a\\b', 'assumed'],
  ['/%61', 'decoded twice'],
  ['/a%2Eb', 'decoded twice'],
  ['/a%20b', 'captured'],
  ['/a%3Fb', 'captured'],
  ['/a%253Fb', 'captured'],
  ['/a%23b', 'captured'],
  ['/a%25b', 'captured'],
  ['/a%2525b', 'captured'],
  ['/a%', 'decoded twice'],
  ['/a%00', 'decoded twice'],
  ['/a%0D%0Ab', 'decoded twice'],
  ['/%CE%BB', 'captured'],
  ['/a/%CE%BB', 'captured'],
  ['/%E2%84%AA', 'decoded twice'],
  ['/a%FF', 'assumed'],
  ['/a%C0%AFb', 'assumed'],
  ['/a;b=1', 'unchanged'],
  ['/a,b', 'unchanged'],
  ['/@a', 'unchanged'],
  ['/api', 'unchanged'],
  ['/robots.txt', 'unchanged'],
  ['/robots.txt/', 'unchanged'],
  ['/favicon.ico', 'unchanged'],
  ['/.well-known/assetlinks.json', 'unchanged'],
  ['/.well-known/acme', 'unchanged'],
  ['/a/.well-known', 'unchanged'],
  [`/${'a'.repeat(190)}`, 'unchanged'],
  [`/${'a'.repeat(191)}`, 'unchanged'],
];

const unknown = '404';

function whatVisitorGets(path: string): string {
  if (path === '/') return "the domain's `rootUrl`";
  if (['/robots.txt', '/favicon.ico'].includes(path)) return 'the file of the service';
  if (path === reportPath) return 'the page to report a link';
  if (appLinkPaths.has(path)) return "the domain's file for apps";
  const read = readLinkPath(path);
  const places = [
    ...(read && !isReserved(read.slug) ? [linkOf(read)] : []),
    ...otherPlaces(path, true).map((place) => {
      if (place.behind !== undefined) return `\`${place.behind}\` behind \`${place.slug}\``;
      return linkOf(place) + (place.query ? `, with the query \`${place.query}\`` : '');
    }),
  ];
  return places.length > 0 ? [places[0], places.slice(1).join(', or ')].filter(Boolean).join(', else ') : unknown;
}

function linkOf({ slug, isPreview, isCode, isScan }: LinkPath): string {
  const name = `\`${shortened(slug)}\``;
  if (isPreview) return `the preview of ${name}`;
  if (isCode) return `the image of the code of ${name}`;
  return isScan ? `the link ${name}, as scanned` : `the link ${name}`;
}

/** Whether no link can have a slug. */
function isReserved(slug: string): boolean {
  try {
    return checkSlug(slug) !== slug;
  } catch (error) {
    if (error instanceof RuleError) return true;
    throw error;
  }
}

/** What reaches the function; undefined if the gateway refuses the path. */
function received(path: string): string | undefined {
  try {
    return decodedPath(path);
  } catch (error) {
    if (error instanceof GatewayError) return undefined;
    throw error;
  }
}

const shortened = (text: string): string => text.replace(/a{100,}/, (run) => `a…a (${run.length} times)`);

/** A text with control and invisible characters escaped as in JSON. */
const visible = (text: string): string =>
  JSON.stringify(shortened(text)).slice(1, -1).replace('\\\\', '\\').replace('\u200b', '\\u200b');

const csv = (cells: readonly string[]): string =>
  cells.map((cell) => (/[",]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join(',');

/** The text of test/data/paths.csv: a path as a browser sends it, how we know what the gateway makes of it, and the rest. */
export function pathsTable(): string {
  const rows = paths.map(([path, source]) => {
    const there = received(path);
    return there === undefined
      ? [visible(path), source, '', '400 by the gateway']
      : [visible(path), source, visible(there), whatVisitorGets(there)];
  });
  return [['path', 'source', 'reaches the redirect as', 'the visitor gets'], ...rows].map((row) => `${csv(row)}\n`).join('');
}

/** The paths that the table has. */
export const pathsInTable: readonly string[] = paths.map(([path]) => path);
