import { type BlockedHosts, blockedBy, destinationHost } from '../core/link/destination.ts';
import { destinationsOf, type Link, shortUrlOf } from '../core/link/link.ts';
import { reportHref } from '../core/report/report-path.ts';
import type { Refusal } from '../core/visit/refusal.ts';
import type { Served } from '../core/visit/visit.ts';
import { optionalSetting, setting } from '../runtime/settings.ts';
import type { Brand, Look, Page } from './page-layout.ts';
import { type Headers, response, type VisitResponse } from './plain-responses.ts';
import { refusals } from './refusals.ts';
import type { ShortRequest } from './short-request.ts';
import {
  cardPage,
  confirmPage,
  framePage,
  messagePage,
  passwordPage,
  passwordRefusals,
  pixelsPage,
  previewPage,
} from './visitor-pages.ts';
import { languageFor, wordingIn } from './wording/languages.ts';

// This file, with its imports, is a bundle of its own, which is loaded when the first visitor needs it.

/** The parts of a request that the responses need. */
type Asking = Pick<ShortRequest, 'format' | 'requestId' | 'languages' | 'path'>;

const lookFor = ({ languages }: Asking, brand: Brand | undefined): Look => ({ brand, language: languageFor(languages) });

/** The same for a page with a link that visitors may want to report. Unknown hosts have no report page. */
const reportableLook = (request: Asking, brand: Brand | undefined): Look => ({
  ...lookFor(request, brand),
  report: brand && optionalSetting('LINK_REPORTS') ? reportHref(request.path) : undefined,
});

/** The refusals that don't concern the link, but the request or the service. */
const unrelated: ReadonlySet<Refusal> = new Set<Refusal>([
  'pending',
  'bots_refused',
  'prefetch_refused',
  'method_not_allowed',
  'address_too_long',
  'temporarily_unavailable',
  'internal_error',
]);

/** Programs get English, whatever they accept, because their texts are for logs. */
const forPrograms = wordingIn('en');

const text = (statusCode: number, line: string, headers: Headers = {}): VisitResponse =>
  response(statusCode, { 'Content-Type': 'text/plain; charset=utf-8', ...headers }, `${line}\n`);

const html = (statusCode: number, page: Page, headers: Headers = {}): VisitResponse =>
  response(statusCode, { ...page.headers, ...headers }, page.body);

/** RFC 9110, section 15.5.2, requires a challenge with a 401. Programs send the password in a header of that name. */
const passwordChallenge = { 'WWW-Authenticate': 'Link-Password' };

/** A refusal in the format that the visitor accepts: a page, a problem document (RFC 9457) or a line of text. */
export function refusalResponse(request: Asking, brand: Brand | undefined, refusal: Refusal, headers: Headers): VisitResponse {
  const { format, requestId } = request;
  const { status, code = refusal } = refusals[refusal];
  const [title, detail] = forPrograms.refusals[refusal];
  const all = { ...(status === 401 && passwordChallenge), ...(status === 503 && { 'Retry-After': '1' }), ...headers };
  if (format === 'page')
    return html(status, pageOf(refusal, (unrelated.has(refusal) ? lookFor : reportableLook)(request, brand)), all);
  if (format === 'text') return text(status, `${title}: ${detail}`, all);
  const reason = code === refusal || refusal === 'unknown' ? undefined : refusal;
  const document = { type: `urn:problem:links:${code}`, title, status, detail, code, reason, requestId };
  return response(status, { 'Content-Type': 'application/problem+json', ...all }, JSON.stringify(document));
}

function pageOf(refusal: Refusal, look: Look): Page {
  if (refusal === 'cross_site_confirmation') return confirmPage(wordingIn(look.language).refusals[refusal], look);
  const form = passwordRefusals.find((one) => one === refusal);
  return form ? passwordPage(form, look) : messagePage(refusal, look);
}

/** A decision whose response has a body. */
type WithBody = Exclude<Served, { kind: 'redirect' | 'code' | 'withheld' }>;

/** The response to a decision that isn't a refusal. @param blocked the blocked hosts */
export function pageResponse(
  request: Asking,
  brand: Brand | undefined,
  decision: WithBody,
  link: Link,
  blocked: BlockedHosts,
): VisitResponse {
  const look = lookFor(request, brand);
  switch (decision.kind) {
    case 'card':
      return html(200, cardPage(link, shortUrlOf(link, setting('SHORT_URL_ORIGIN')), look));
    case 'preview':
      return previewResponse(link, blocked, request, reportableLook(request, brand));
    case 'confirm':
      return confirmResponse(request, reportableLook(request, brand));
    case 'frame':
      return html(200, framePage(link, decision.location, look));
    case 'pixels':
      return html(200, pixelsPage(link, decision.location, look));
  }
}

/** Asks for a confirmation: with a button on a page, or with instructions for a program. */
function confirmResponse({ format }: Asking, look: Look): VisitResponse {
  if (format === 'page') return html(200, confirmPage(wordingIn(look.language).labels.confirm, look));
  const detail = 'To confirm, send the header "Link-Confirm: 1".';
  if (format === 'text') return text(200, `${forPrograms.labels.confirm.join(' ')} ${detail}`);
  return response(200, { 'Content-Type': 'application/json' }, JSON.stringify({ confirm: true, detail }));
}

function previewResponse(link: Link, blocked: BlockedHosts, { format }: Asking, look: Look): VisitResponse {
  const { labels } = forPrograms;
  const all = destinationsOf(link).map(({ url }) => destinationHost(url));
  const hosts = [...new Set(all)].filter((host) => blockedBy(host, blocked) === undefined);
  const named = hosts.join(', ');
  const createdOn = link.createdAt.slice(0, 10);
  if (format === 'page') return html(200, previewPage(link, named, createdOn, look));
  if (format === 'text')
    return text(200, [labels.leadsTo(named), oneLine(link.title ?? ''), labels.created(createdOn)].filter(Boolean).join('. '));
  return response(
    200,
    { 'Content-Type': 'application/json' },
    JSON.stringify({ host: hosts[0], hosts, title: link.title, createdOn }),
  );
}

/** A title without line breaks, control characters and changes of text direction. */
const oneLine = (title: string): string => title.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ').trim();
