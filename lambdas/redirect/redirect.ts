import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { appLinkPaths, type Domain } from '../core/domain/domain.ts';
import { reportPath } from '../core/report/report-path.ts';
import { outcomeOf } from '../core/visit/outcome.ts';
import { fallBack } from '../core/visit/visit.ts';
import { logAccess } from '../runtime/access-log.ts';
import { withinVisit } from '../runtime/deadline.ts';
import { instant, steadyTime } from '../runtime/instant.ts';
import { asLoggedRequest } from '../runtime/logged-request.ts';
import { addToMetrics } from '../runtime/metrics.ts';
import { optionalSetting } from '../runtime/settings.ts';
import { blocklistMemory } from '../store/hosts/destinations.ts';
import { getFirstLink, getLinkAt } from '../store/links/links.ts';
import type { Moment } from './decide-visit.ts';
import { refuse } from './decision-response.ts';
import { fallbackResponse, response, type VisitResponse } from './plain-responses.ts';
import { capMemory } from './remembered-caps.ts';
import { domainMemory } from './remembered-domains.ts';
import { rememberedFile } from './remembered-files.ts';
import { linkMemory } from './remembered-links.ts';
import { throttleMemory } from './remembered-throttles.ts';
import type { answerReport } from './reporting.ts';
import { respondAnyway } from './respond-anyway.ts';
import { movedTo, readRequest, type ShortRequest } from './short-request.ts';
import { uniqueVisitors } from './unique-visitors.ts';
import { visitLink } from './visit-link.ts';

/** The service's own paths, on every host. They cost no read. */
const ownPaths: Readonly<Record<string, VisitResponse>> = {
  // Crawlers are allowed, so that chats can show a card, and search engines see `noindex`.
  '/robots.txt': response(200, { 'Content-Type': 'text/plain; charset=utf-8' }, 'User-agent: *\nDisallow:\n'),
  '/favicon.ico': response(204, { 'Cache-Control': 'public, max-age=86400' }),
};

// The function's caches, which outlive a visit.
const rememberedBlocklist = blocklistMemory();
const rememberedDomain = domainMemory();
const rememberedLink = linkMemory(getLinkAt);
const rememberedCaps = capMemory();
const recorder = { throttles: throttleMemory(), visitors: uniqueVisitors() };

/**
 * Responds to a visitor, by the table in docs/visitors.md, which `lambdas/core/visit/visit.ts` implements.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html (payload
 *   format 2.0)
 */
export const handler = (event: APIGatewayProxyEventV2, context: Context): Promise<VisitResponse> =>
  withinVisit(context, async () => {
    const request = readRequest(event);
    return asLoggedRequest({ requestId: request.requestId }, () =>
      observed(request, () => (isReport(request) ? report(event, context) : respondAnyway(request, respondTo))),
    );
  });

/** No link can be there, because no slug begins with a plus. */
const isReport = ({ path }: ShortRequest): boolean => path === reportPath && optionalSetting('LINK_REPORTS') !== undefined;

/**
 * Lets a visitor report a link. The code is in a file of its own beside the bundle, with its own part of the store, so
 * that visits don't load it. It isn't a function of its own, because that would need a route `/+report` in the gateway,
 * and AWS documents a plus in a route only as the mark of a greedy variable:
 * https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-routes.html
 */
const report: typeof answerReport = async (event, context) => (await import('#reporting')).answerReport(event, context);

/** Logs a response and counts it, if the stage wants that. */
async function observed(request: ShortRequest, work: () => Promise<VisitResponse>): Promise<VisitResponse> {
  const since = steadyTime();
  const sent = await work();
  const { method, host, path, sourceIp } = request;
  logAccess({ method, host, path, status: sent.statusCode, since, sourceIp });
  addToMetrics({ Visits: 1 }, { Outcome: outcomeOf(sent.statusCode ?? 500) });
  return sent;
}

async function respondTo(request: ShortRequest): Promise<VisitResponse> {
  const { method, slug, host } = request;
  if (!['GET', 'HEAD', 'POST'].includes(method)) return refuse(request, 'method_not_allowed', { Allow: 'GET, HEAD, POST' });
  const own = ownPaths[request.path];
  if (own) return own;
  const isLink = slug !== undefined || request.otherPlaces().length > 0;
  const now = instant();
  // The decision needs the blocklist, and recording the visit needs the day's secret. Both are read here, in parallel,
  // so that the visitor doesn't wait for them later.
  const [known] = await Promise.all([
    rememberedDomain(host, now),
    ...(isLink ? [rememberedBlocklist(now), recorder.visitors.prepare(request, now)] : []),
  ]);
  if (!known) return refuse(request, 'unknown');
  const { domain, asOf: domainAsOf } = known;
  if (domain.status !== 'ACTIVE') return refuse(request, 'pending');
  if (!isLink) return visitWithoutLink(request, domain);
  // The earlier reads may have taken seconds, so the link's second is measured from here.
  const { domainId, wantsClicks } = domain;
  const exact = slug === undefined ? undefined : await rememberedLink(domainId, slug, instant());
  const other = exact ? undefined : await linkElsewhere(request, domainId);
  const at = other ? movedTo(request, other.at) : { ...request, slug: slug ?? '' };
  return visitLink({ ...at, domain, domainAsOf, wantsClicks }, exact ?? other?.link, {
    readLink: () => getLinkAt(domainId, at.slug),
    moment,
    caps: rememberedCaps,
    recorder,
  });
}

/**
 * The link at another place that the path may mean. No call if there is no such place, else one, or two for an alias.
 */
async function linkElsewhere({ otherPlaces }: ShortRequest, domainId: string) {
  const places = otherPlaces();
  const [at] = places;
  if (!at) return undefined;
  if (places.length > 1 || at.behind !== undefined) return getFirstLink(domainId, places);
  // One place is read like the path itself, so a link with many visitors is remembered.
  const link = await rememberedLink(domainId, at.slug, instant());
  return link && { link, at };
}

/** The response to a request for `/`, for a file for apps, or for a path that cannot be a link's. */
async function visitWithoutLink(request: ShortRequest, domain: Domain): Promise<VisitResponse> {
  const { rootUrl, notFoundUrl } = domain;
  const file = appLinkPaths.get(request.path);
  if (file) {
    const json = await rememberedFile(domain, file, instant());
    return json === undefined
      ? refuse({ ...request, domain }, 'unknown')
      : response(200, { 'Content-Type': 'application/json' }, json);
  }
  const url = request.path === '/' ? rootUrl : notFoundUrl;
  // Without a fallback, the visit costs no read of the blocked hosts.
  const decision = url === null ? undefined : fallBack(url, 'unknown', (await moment()).blocklist);
  return decision?.kind === 'fallback' ? fallbackResponse(decision.location, domain) : refuse({ ...request, domain }, 'unknown');
}

/** The current moment. Earlier reads may have taken so long that the blocklist has to be read again. */
async function moment(): Promise<Moment> {
  const now = instant();
  return { now: now.wall, blocklist: await rememberedBlocklist(now) };
}
