import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { Arrival } from '../core/click/dimensions.ts';
import { canonicalHost } from '../core/host/host.ts';
import { type OtherPlace, otherPlaces, readLinkPath } from '../core/visit/link-path.ts';
import type { Visit } from '../core/visit/visit.ts';
import { type Visitor, visitorOf } from '../core/visitor/bots.ts';
import { readWhereabouts, type Whereabouts } from './whereabouts.ts';

/** The format of a response that isn't a redirect. */
type Format = 'page' | 'problem' | 'text';

/** The relevant parts of a visitor's request. Nothing has been checked against the table. */
export type ShortRequest = Arrival &
  Whereabouts & {
    readonly requestId: string;
    /** When the gateway received the request, in milliseconds since 1970. */
    readonly receivedAt: number;
    readonly method: string;
    /** Without port, in lower case. */
    readonly host: string;
    /** Decoded by the gateway. */
    readonly path: string;
    /** Undefined if the path can't be a link's. */
    readonly slug: string | undefined;
    /** Where the link may be if there is none at the path itself. */
    readonly otherPlaces: () => readonly OtherPlace[];
    /** `/{slug}+` */
    readonly isPreview: boolean;
    /** `/{slug}.svg` */
    readonly isCode: boolean;
    readonly query: string;
    readonly format: Format;
    readonly visitor: Visitor;
    readonly isPrefetch: boolean;
    readonly optsOut: boolean;
    /** A browser sent the request for a page of another site. */
    readonly isCrossSite: boolean;
    /** By the form's `confirm=1`, or by the header `Link-Confirm: 1`. */
    readonly confirmation: Visit['confirmation'];
    /** From the form, or from the header `Link-Password`. */
    readonly password: string | undefined;
    /** The values of all our cookies; there may be several with the same name. */
    readonly accessTokens: readonly string[];
  };

/**
 * The request as if it had been sent to another place that its path may mean. A query within the path comes before the
 * visitor's own.
 */
export const movedTo = (request: ShortRequest, { query, isScan, ...place }: OtherPlace) => ({
  ...request,
  ...place,
  isMoved: place.behind === undefined,
  source: sourceOf(isScan),
  query: [query, request.query].filter(Boolean).join('&'),
});

const sourceOf = (isScan: boolean): Arrival['source'] => (isScan ? 'qr' : 'link');

/** The cookie that replaces a password for 15 minutes. */
export const accessCookie = 'link-access';

/**
 * The longest form that is read, in characters: room for a password of `passwordLength`, each at most 12 when escaped.
 */
const longestForm = 4_096;

/**
 * Reads a request. All its texts are untrusted: they are compared or escaped, and never become a header unchanged.
 */
export function readRequest(event: APIGatewayProxyEventV2): ShortRequest {
  const { http, domainName, requestId, timeEpoch } = event.requestContext;
  const header = (name: string) => event.headers[name] ?? '';
  const form = http.method === 'POST' ? formOf(event) : undefined;
  const host = canonicalHost(domainName.replace(/:\d*$/, '').toLowerCase());
  const isForeign = isCrossSite(event.headers, host);
  const confirms = (http.method === 'POST' ? form?.get('confirm') : header('link-confirm')) === '1';
  const { slug, isPreview = false, isCode = false, isScan = false } = readLinkPath(event.rawPath) ?? {};
  const format = formatOf(header('accept'));
  return {
    ...readWhereabouts(http.sourceIp, event.headers),
    agent: {
      userAgent: http.userAgent ?? '',
      brands: header('sec-ch-ua'),
      platform: header('sec-ch-ua-platform'),
      mobile: header('sec-ch-ua-mobile'),
    },
    referrer: event.headers.referer,
    languages: header('accept-language'),
    source: sourceOf(isScan),
    requestId,
    receivedAt: timeEpoch,
    method: http.method,
    host,
    path: event.rawPath,
    slug,
    // Only for people, who copy addresses with the punctuation around them. Programs are told that the address is
    // wrong.
    otherPlaces: () => otherPlaces(event.rawPath, http.method === 'GET' && format === 'page'),
    isPreview,
    isCode,
    query: event.rawQueryString,
    format,
    visitor: visitorOf(http.userAgent ?? ''),
    isPrefetch: /prefetch|prerender|preview/i.test(['sec-purpose', 'purpose', 'x-purpose', 'x-moz'].map(header).join()),
    optsOut: [header('sec-gpc'), header('dnt')].some((value) => /^1\b/.test(value)),
    isCrossSite: isForeign,
    confirmation: !confirms ? 'none' : http.method === 'POST' && isForeign ? 'cross_site' : 'given',
    password: http.method === 'POST' ? (form?.get('password') ?? undefined) : event.headers['link-password'],
    accessTokens: (event.cookies ?? []).flatMap((cookie) =>
      cookie.startsWith(`${accessCookie}=`) ? [cookie.slice(accessCookie.length + 1)] : [],
    ),
  };
}

/**
 * Whether a browser sent the request for a page of another site.
 *
 * `Sec-Fetch-Site` is reliable (https://www.w3.org/TR/fetch-metadata/); browsers send it to https and to localhost.
 * `same-site` is treated as another site, because another subdomain may belong to another workspace. A request without
 * that header comes from an older browser, which sends the `Origin` of a form, or from a program, which sends neither.
 * An `Origin` of `null` is refused: it may be another site's, and our own form sends it only if something hides the
 * origin.
 */
function isCrossSite({ 'sec-fetch-site': site, origin }: APIGatewayProxyEventV2['headers'], host: string): boolean {
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return origin !== undefined && (!URL.canParse(origin) || canonicalHost(new URL(origin).hostname) !== host);
}

/** A page if `Accept` names `text/html`, a problem document if it names JSON, otherwise a line of text. */
function formatOf(accept: string): Format {
  if (/\btext\/html\b/i.test(accept)) return 'page';
  return /\bapplication\/(problem\+)?json\b/i.test(accept) ? 'problem' : 'text';
}

/** The fields of a form; undefined if it isn't one, or too long. */
function formOf({ headers, body = '', isBase64Encoded }: APIGatewayProxyEventV2): URLSearchParams | undefined {
  if (!/^application\/x-www-form-urlencoded\b/i.test(headers['content-type'] ?? '')) return undefined;
  const form = isBase64Encoded ? Buffer.from(body, 'base64').toString() : body;
  return form.length > longestForm ? undefined : new URLSearchParams(form);
}
