import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { canonicalHost } from '../domain/host.ts';
import { type Visitor, visitorOf } from '../domain/visitor.ts';

/** In what form an answer is given that is more than a redirect. */
export type Format = 'page' | 'problem' | 'text';

/** A visitor's request, as far as anything depends on it. Nothing in it has been checked against the table. */
export type ShortRequest = {
  readonly requestId: string;
  readonly method: string;
  /** Without port, in lower case. */
  readonly host: string;
  /** Decoded by the gateway. */
  readonly path: string;
  /** Undefined where the path is no slug. */
  readonly slug: string | undefined;
  /** `/{slug}+` */
  readonly isPreview: boolean;
  readonly query: string;
  readonly format: Format;
  readonly visitor: Visitor;
  readonly isPrefetch: boolean;
  readonly optsOut: boolean;
  /** As the gateway saw it: what a visitor says of its address counts for nothing. */
  readonly sourceIp: string;
  /** A browser sends it for a page of another site. */
  readonly isCrossSite: boolean;
  /** From the form, or from the header `Link-Password`. */
  readonly password: string | undefined;
  /** Every value that a cookie of ours may have. */
  readonly accessTokens: readonly string[];
};

/** The cookie that stands for a password, for 15 minutes. */
export const accessCookie = 'link-access';

/** The longest body of a form that is read, in bytes: a password has 128 characters at most, each of 12 bytes at most. */
const longestForm = 4_096;

/** Reads a request. Every text in it is the visitor's own: it is compared and escaped, and never becomes a header as it is. */
export function readRequest(event: APIGatewayProxyEventV2): ShortRequest {
  const { http, domainName, requestId } = event.requestContext;
  const header = (name: string) => event.headers[name] ?? '';
  const host = canonicalHost(domainName.replace(/:\d*$/, '').toLowerCase());
  const [, slug, plus] = /^\/([A-Za-z0-9_-]{1,64})(\+?)$/.exec(event.rawPath) ?? [];
  return {
    requestId,
    method: http.method,
    host,
    path: event.rawPath,
    slug,
    isPreview: plus === '+',
    query: event.rawQueryString,
    format: formatOf(header('accept')),
    visitor: visitorOf(http.userAgent ?? ''),
    isPrefetch: /prefetch|prerender|preview/i.test(['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map(header).join()),
    optsOut: [header('sec-gpc'), header('dnt')].some((value) => /^1\b/.test(value)),
    sourceIp: http.sourceIp,
    isCrossSite: isCrossSite(event.headers, host),
    password: http.method === 'POST' ? formPassword(event) : event.headers['link-password'],
    accessTokens: (event.cookies ?? []).flatMap((cookie) =>
      cookie.startsWith(`${accessCookie}=`) ? [cookie.slice(accessCookie.length + 1)] : [],
    ),
  };
}

/**
 * Whether a browser sends a request for a page of another site, as far as it says. `Sec-Fetch-Site` says it for certain
 * (https://www.w3.org/TR/fetch-metadata/); it is there on https and on localhost. Another name of the same site is another workspace's, perhaps. What has no
 * such field is an older browser, which says the origin of a form, or a program, which says neither. The form of our own page
 * has the origin `null` only if something keeps the page from telling: then it cannot be told from others.
 */
function isCrossSite({ 'sec-fetch-site': site, origin }: APIGatewayProxyEventV2['headers'], host: string): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && (!URL.canParse(origin) || canonicalHost(new URL(origin).hostname) !== host);
}

/** A page for who names `text/html`, a problem document for who names JSON, a line of text for all others. */
function formatOf(accept: string): Format {
  if (/\btext\/html\b/i.test(accept)) return 'page';
  return /\bapplication\/(problem\+)?json\b/i.test(accept) ? 'problem' : 'text';
}

function formPassword({ headers, body = '', isBase64Encoded }: APIGatewayProxyEventV2): string | undefined {
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')) return undefined;
  const form = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
  return form.length > longestForm ? undefined : (new URLSearchParams(form).get('password') ?? undefined);
}
