import { hash } from 'node:crypto';
import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { alarming } from '../core/alarms.ts';
import { toBase62 } from '../core/base62.ts';
import type { Domain } from '../core/domain/domain.ts';
import { foldSlug } from '../core/link/slug.ts';
import { reportReasons } from '../core/report/report.ts';
import type { ReportedPlace } from '../core/report/reported-address.ts';
import { withinVisit } from '../runtime/deadline.ts';
import { instant } from '../runtime/instant.ts';
import { asLoggedRequest, loggedRequest } from '../runtime/logged-request.ts';
import { setting } from '../runtime/settings.ts';
import { getDomain } from '../store/domains/domains.ts';
import { getFirstLink, getLinkAt } from '../store/links/links.ts';
import { fileVisitorReport, type ReportedLink, takeReport } from '../store/reports/visitor-reports.ts';
import { brandOf, refuse } from './decision-response.ts';
import type { Brand, Page } from './page-layout.ts';
import { type Headers, response, type VisitResponse } from './plain-responses.ts';
import { domainMemory } from './remembered-domains.ts';
import { type Checked, checkForm, type Field, newForm, readForm, type Typed } from './report-form.ts';
import { reportPage, thanksPage, type Wrong } from './report-page.ts';
import { respondAnyway } from './respond-anyway.ts';
import { readRequest, type ShortRequest } from './short-request.ts';
import { languageFor } from './wording/languages.ts';
import { reportWordingIn } from './wording/reporting.ts';

// This file, with its imports, is a bundle of its own, which is loaded when somebody reports a link. So it doesn't
// share memory with the redirect's bundle, and works like a separate function.

const rememberedDomain = domainMemory();

/** Responds to a visitor of `/+report`, on any host. */
export const answerReport = (event: APIGatewayProxyEventV2, context: Context): Promise<VisitResponse> =>
  withinVisit(context, async () => {
    const request = readRequest(event);
    return asLoggedRequest({ requestId: request.requestId }, () => respondAnyway(request, () => respondTo(request, event)));
  });

async function respondTo(request: ShortRequest, event: APIGatewayProxyEventV2): Promise<VisitResponse> {
  const { method, host } = request;
  if (!['GET', 'HEAD', 'POST'].includes(method)) return refuse(request, 'method_not_allowed', { Allow: 'GET, HEAD, POST' });
  const { domain } = (await rememberedDomain(host, instant())) ?? {};
  if (!domain) return refuse(request, 'unknown');
  if (domain.status !== 'ACTIVE') return refuse(request, 'pending');
  const brand = await brandOf({ ...request, domain });
  const answer = answers(request, brand);
  if (method !== 'POST') return answer.form(200, newForm(startingAddress(request)));
  const typed = readForm(event);
  const report = reportWordingIn(languageFor(request.languages));
  if (typeof typed === 'number') return answer.form(typed, newForm(), { sentence: report.unreadable });
  // Checked before anything is counted: otherwise any website could report links from its visitors' addresses.
  if (request.isCrossSite) return answer.form(403, typed, { sentence: report.crossSite });
  const checked = checkForm(typed, host);
  if (!('place' in checked)) return answer.form(422, typed, { fields: checked });
  const { place, reason, note } = checked;
  const tooMany = (seconds: number) =>
    answer.form(429, typed, { sentence: report.tooMany(Math.ceil(seconds / 60)) }, { 'Retry-After': String(seconds) });
  const token = tokenOf(typed.form, checked);
  const { passed, resetSeconds } = await takeReport(domain, request.sourceIp, token, request.receivedAt);
  if (!passed) return tooMany(Math.max(1, resetSeconds));
  const reported = await lookAt(place, domain);
  if (!reported) return answer.form(422, typed, { fields: ['address'] });
  const { newId, isFull } = await fileVisitorReport(reported, { reason, note }, token, request.receivedAt);
  if (isFull) return tooMany(secondsToMidnight(request.receivedAt));
  // The line names nobody. The operator reads the rest by the report's id.
  if (newId !== undefined) console.warn({ message: alarming.linkReported, ...loggedRequest(), reportId: newId });
  return answer.thanks();
}

/** The form's initial address, from the query. A path becomes a full address on this domain. */
function startingAddress({ query, host }: ShortRequest): string {
  const address = new URLSearchParams(query).get('address') ?? '';
  if (address === '/') return '';
  return address.startsWith('/') ? setting('SHORT_URL_ORIGIN').replace('{domain}', host) + address : address;
}

/** Identifies a report. It is the same if the same form is sent twice; after an edit, it is another report. */
const tokenOf = (form: string, { place, reason, note }: Checked): string =>
  toBase62(hash('sha256', JSON.stringify([form, place, reason, note])).slice(0, 24), 16);

/**
 * The link at a place; undefined if the host isn't an active domain. The calls don't depend on whether a link exists.
 */
async function lookAt({ host, slug, others }: ReportedPlace, own: Domain): Promise<ReportedLink | undefined> {
  const domain = host === own.host ? own : host.length > 253 ? undefined : await getDomain(host);
  if (domain?.status !== 'ACTIVE') return undefined;
  const { domainId } = domain;
  const [exact, other] = await Promise.all([
    slug === undefined ? undefined : getLinkAt(domainId, slug),
    others.length === 0 ? undefined : getFirstLink(domainId, others),
  ]);
  return { domain, slug: foldSlug(slug ?? others.at(-1)?.slug ?? ''), link: exact ?? other?.link };
}

const dayMs = 24 * 60 * 60 * 1_000;
const secondsToMidnight = (now: number): number => Math.ceil((dayMs - (now % dayMs)) / 1_000);

/** Instructions for programs, which get English texts. */
const howTo = `Send a form with the fields "address", "reason" (one of ${reportReasons.join(', ')}) and "note".`;

/** The codes of problem documents. */
const codes: Readonly<Record<number, string>> = {
  403: 'cross_site_report',
  413: 'body_too_large',
  415: 'unsupported_media_type',
  422: 'invalid_report',
  429: 'rate_limited',
};

/** The responses in the format that the visitor accepts. */
function answers({ format, languages, requestId }: ShortRequest, brand: Brand | undefined) {
  const look = { brand, language: languageFor(languages) };
  const english = reportWordingIn('en');
  const html = (status: number, { body, headers: own }: Page, headers: Headers = {}) =>
    response(status, { ...own, ...headers }, body);
  const text = (status: number, line: string, headers: Headers = {}) =>
    response(status, { 'Content-Type': 'text/plain; charset=utf-8', ...headers }, `${line}\n`);
  const json = (status: number, type: string, document: object, headers: Headers = {}) =>
    response(status, { 'Content-Type': type, ...headers }, JSON.stringify(document));
  return {
    form: (status: number, typed: Typed, wrong: Wrong = {}, headers: Headers = {}): VisitResponse => {
      if (format === 'page') return html(status, reportPage(typed, look, wrong), headers);
      const [title] = english.intro;
      if (status === 200) {
        return format === 'text' ? text(200, `${title}: ${howTo}`) : json(200, 'application/json', { detail: howTo });
      }
      const said = (wrong.fields ?? []).map((field: Field) => `${field}: ${english.wrong[field]}`).join(' ');
      const detail = `${said || problems[status]} ${howTo}`;
      if (format === 'text') return text(status, detail, headers);
      const code = codes[status];
      const document = { type: `urn:problem:links:${code}`, title: 'Nothing was reported', status, detail, code, requestId };
      return json(status, 'application/problem+json', document, headers);
    },
    thanks: (): VisitResponse => {
      if (format === 'page') return html(200, thanksPage(look));
      return format === 'text' ? text(200, english.thanks.join('. ')) : json(200, 'application/json', { reported: true });
    },
  };
}

/** Messages for programs about problems that don't concern a field. */
const problems: Readonly<Record<number, string>> = {
  403: 'The report came from another website.',
  413: 'The report is too long.',
  415: 'The report is not a form.',
  429: 'Too many reports have been sent: see Retry-After.',
};
