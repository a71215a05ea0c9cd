import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { destinationHost } from '../domain/destination.ts';
import { destinationsOf, type Link, shortUrlOf } from '../domain/link.ts';
import type { Answer } from '../domain/visit.ts';
import { setting } from '../runtime/settings.ts';
import type { Page } from './page.ts';
import {
  cardPage,
  confirmPage,
  framePage,
  messagePage,
  passwordPage,
  passwordRefusals,
  pixelsPage,
  previewPage,
} from './pages.ts';
import { type AnyRefusal, refusals } from './refusals.ts';
import type { Format, ShortRequest } from './short-request.ts';
import { labels, wording } from './wording.ts';

type CodeImage = typeof import('./code-image.ts');

export type Result = APIGatewayProxyStructuredResultV2;
type Headers = Readonly<Record<string, string>>;

/** Headers of every response: do not cache, and do not guess the type. A cacheable redirect overrides the first. */
const commonHeaders = { 'Cache-Control': 'private, no-store', 'X-Content-Type-Options': 'nosniff' };

/** A response with a body, or without one. */
export const answer = (statusCode: number, headers: Headers = {}, body = ''): Result => ({
  statusCode,
  headers: { ...commonHeaders, ...headers },
  body,
});

const text = (statusCode: number, line: string, headers: Headers = {}): Result =>
  answer(statusCode, { 'Content-Type': 'text/plain; charset=utf-8', ...headers }, `${line}\n`);

const html = (statusCode: number, page: Page, headers: Headers = {}): Result =>
  answer(statusCode, { ...page.headers, ...headers }, page.body);

/** RFC 9110, section 15.5.2, requires a challenge with a 401. Programs send the password in a header of that name. */
const passwordChallenge = { 'WWW-Authenticate': 'Link-Password' };

/** A refusal in the format that the visitor accepts: a page, a problem document (RFC 9457) or a line of text. */
export function refuse({ format, requestId }: ShortRequest, refusal: AnyRefusal, headers: Headers = {}): Result {
  const { status, code = refusal } = refusals[refusal];
  const [title, detail] = wording[refusal];
  const all = { ...(status === 401 && passwordChallenge), ...(status === 503 && { 'Retry-After': '1' }), ...headers };
  if (format === 'page') return html(status, pageOf(refusal), all);
  if (format === 'text') return text(status, `${title}: ${detail}`, all);
  const reason = code === refusal || refusal === 'unknown' ? undefined : refusal;
  const document = { type: `urn:problem:links:${code}`, title, status, detail, code, reason, requestId };
  return answer(status, { 'Content-Type': 'application/problem+json', ...all }, JSON.stringify(document));
}

function pageOf(refusal: AnyRefusal): Page {
  if (refusal === 'cross_site_confirmation') return confirmPage(wording[refusal]);
  const form = passwordRefusals.find((one) => one === refusal);
  return form ? passwordPage(form) : messagePage(refusal);
}

/** Sends a visitor whom no link serves to a page of the workspace. */
export const fallbackAnswer = (location: string): Result => answer(302, { Location: location });

/** The response to a decision that isn't a refusal. */
export function decisionAnswer(decision: Answer, link: Link, format: Format): Result | Promise<Result> {
  switch (decision.answer) {
    case 'card':
      return html(200, cardPage(link, shortUrlOf(link, setting('SHORT_URL_ORIGIN'))));
    case 'preview':
      return previewAnswer(link, format);
    case 'code':
      return codeAnswer(link);
    case 'confirm':
      return confirmAnswer(format);
    case 'withheld':
      return answer(200);
    case 'frame':
      return html(200, framePage(link, decision.location));
    case 'pixels':
      return html(200, pixelsPage(link, decision.location));
    case 'redirect': {
      const kept = decision.maxAge > 0 && { 'Cache-Control': `private, max-age=${decision.maxAge}` };
      return answer(decision.status, { Location: decision.location, ...kept });
    }
  }
}

/** Asks for a confirmation: a page with a button, or how a program confirms. */
function confirmAnswer(format: Format): Result {
  if (format === 'page') return html(200, confirmPage());
  const [title, sentence] = labels.confirm;
  if (format === 'text') return text(200, `${title} ${sentence} ${labels.confirmHeader}`);
  return answer(200, { 'Content-Type': 'application/json' }, JSON.stringify({ confirm: true, detail: labels.confirmHeader }));
}

function previewAnswer(link: Link, format: Format): Result {
  const hosts = [...new Set(destinationsOf(link).map(({ url }) => destinationHost(url)))];
  const named = hosts.join(', ');
  const createdOn = link.createdAt.slice(0, 10);
  if (format === 'page') return html(200, previewPage(link, named, createdOn));
  if (format === 'text')
    return text(200, [labels.leadsTo(named), oneLine(link.title ?? ''), labels.created(createdOn)].filter(Boolean).join('. '));
  return answer(
    200,
    { 'Content-Type': 'application/json' },
    JSON.stringify({ host: hosts[0], hosts, title: link.title, createdOn }),
  );
}

/** The file beside the bundle that draws QR codes. Only a bundle has it (`lib/bundles.ts`). */
declare const CODE_IMAGE: string | undefined;

/** An image of the link's QR code. What draws it is loaded only here, because few visits ask for it. */
async function codeAnswer(link: Link): Promise<Result> {
  const { codeImage } =
    typeof CODE_IMAGE === 'undefined' ? await import('./code-image.ts') : ((await import(CODE_IMAGE)) as CodeImage);
  return answer(200, { 'Content-Type': 'image/svg+xml' }, codeImage(shortUrlOf(link, setting('SHORT_URL_ORIGIN'))));
}

/** A title without line breaks, control characters and changes of text direction. */
const oneLine = (title: string): string => title.replace(/[\p{Cc}\u2028-\u202e\u2066-\u2069]+/gu, ' ').trim();
