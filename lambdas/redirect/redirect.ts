import type { APIGatewayProxyEventV2, Context } from 'aws-lambda';
import { accessSeconds, newAccessToken } from '../domain/access-token.ts';
import { alarming } from '../domain/alarms.ts';
import { hookOf, newClick, nothingKnown } from '../domain/click.ts';
import { dimensionsOf } from '../domain/dimensions.ts';
import { appLinkPaths, type Domain } from '../domain/domain.ts';
import { RequestError, unavailable } from '../domain/errors.ts';
import type { Link } from '../domain/link.ts';
import { outcomeOf } from '../domain/outcome.ts';
import { type Answer, decide, fallBack, longestLocation, recordedWithinMs, type Visit } from '../domain/visit.ts';
import { logAccess } from '../runtime/access-log.ts';
import { timeLeft, withDeadline, withinVisit } from '../runtime/deadline.ts';
import { instant, steadyTime } from '../runtime/instant.ts';
import { asLoggedRequest, loggedRequest } from '../runtime/logged-request.ts';
import { addToMetrics } from '../runtime/metrics.ts';
import { setting } from '../runtime/settings.ts';
import { stackOf } from '../runtime/stack.ts';
import { type Cap, getCap, isCapOf, takeTurn } from '../store/caps.ts';
import { recordClick } from '../store/clicks/clicks.ts';
import { blocklistMemory } from '../store/destinations.ts';
import { getLinkAt } from '../store/links/links.ts';
import { refuse, respond } from './later-answers.ts';
import { checkPassword, hasAccess } from './passwords.ts';
import { answer, fallbackAnswer, type Result } from './plain-answers.ts';
import type { AnyRefusal } from './refusals.ts';
import { capMemory } from './remembered-caps.ts';
import { domainMemory } from './remembered-domains.ts';
import { rememberedFile } from './remembered-files.ts';
import { linkMemory } from './remembered-links.ts';
import { accessCookie, readRequest, type ShortRequest } from './short-request.ts';
import { countryOf } from './whereabouts.ts';

/** The service's own paths, on every host. They cost no read. */
const ownPaths: Readonly<Record<string, Result>> = {
  // Crawlers are allowed, so that chats can show a card. The pages themselves say `noindex`.
  '/robots.txt': answer(200, { 'Content-Type': 'text/plain; charset=utf-8' }, 'User-agent: *\nDisallow:\n'),
  '/favicon.ico': answer(204, { 'Cache-Control': 'public, max-age=86400' }),
};

const rememberedBlocklist = blocklistMemory();
const rememberedDomain = domainMemory();
const rememberedLink = linkMemory(getLinkAt);
const rememberedCaps = capMemory();

/**
 * How often a visit may read a capped link again: once after its turn, and whenever others change the cap meanwhile.
 */
const mostLooksAgain = 5;

/** How long one attempt to record it may take. Repeating it is harmless, because the click's key is fixed. */
const recordAttempt = 400;

/**
 * Answers a visitor of a short link, by the table in docs/visitors.md, which `lambdas/domain/visit.ts` implements.
 *
 * @see https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-develop-integrations-lambda.html (payload
 *   format 2.0)
 */
export const handler = (event: APIGatewayProxyEventV2, context: Context): Promise<Result> =>
  withinVisit(context, async () => {
    const request = readRequest(event);
    return asLoggedRequest({ requestId: request.requestId }, () => observed(request, () => answerOf(request)));
  });

/** Answers a visitor, and logs and counts that if the stage wants it. */
async function observed(request: ShortRequest, answering: () => Promise<Result>): Promise<Result> {
  const since = steadyTime();
  const result = await answering();
  const { method, host, path, sourceIp } = request;
  logAccess({ method, host, path, status: result.statusCode, since, sourceIp });
  addToMetrics({ Visits: 1 }, { Outcome: outcomeOf(result.statusCode ?? 500) });
  return result;
}

/** Answers a visitor, also if something goes wrong. */
async function answerOf(request: ShortRequest): Promise<Result> {
  try {
    const result = await answerTo(request);
    return finish(request.method === 'HEAD' ? { ...result, body: '' } : result);
  } catch (error) {
    const isUnavailable = error instanceof RequestError && error.code === 'temporarily_unavailable';
    if (!isUnavailable) {
      const { name } = error as Error;
      console.error({ message: 'unexpected error', ...loggedRequest(), name, stack: stackOf(error as Error) });
    } else if (error.cause instanceof Error) {
      console.error({ message: error.cause.message, ...loggedRequest() });
    }
    return finish(await refuse(request, isUnavailable ? 'temporarily_unavailable' : 'internal_error'));
  }
}

/**
 * Browsers use only https for this host for the next 30 days (RFC 6797). No longer, so that a domain that leaves the
 * service can do without TLS again. Subdomains are not included, because they may belong to somebody else.
 */
const transportSecurity = { 'Strict-Transport-Security': `max-age=${30 * 24 * 60 * 60}` };

/**
 * Adds the header that every response has. A laptop serves plain http, where it must not be sent (RFC 6797, section
 * 7.2).
 */
const finish = (result: Result): Result =>
  setting('SHORT_URL_ORIGIN').startsWith('https:') ? { ...result, headers: { ...result.headers, ...transportSecurity } } : result;

async function answerTo(request: ShortRequest): Promise<Result> {
  const { method, slug, host } = request;
  if (!['GET', 'HEAD', 'POST'].includes(method)) return refuse(request, 'method_not_allowed', { Allow: 'GET, HEAD, POST' });
  const own = ownPaths[request.path];
  if (own) return own;
  const now = instant();
  // The list is only needed for the decision. It is read here so that the visitor doesn't wait for it afterwards.
  const [known] = await Promise.all([rememberedDomain(host, now), slug === undefined ? undefined : rememberedBlocklist(now)]);
  if (!known) return refuse(request, 'unknown');
  const { domain, asOf: domainAsOf } = known;
  if (domain.status !== 'ACTIVE') return refuse(request, 'pending');
  if (slug === undefined) return visitWithoutLink(request, domain);
  // The reads before may have taken seconds, so the link's second is measured from here.
  const link = await rememberedLink(domain.domainId, slug, instant());
  return visit({ ...request, domain, domainAsOf, wantsClicks: domain.wantsClicks }, link, () => getLinkAt(domain.domainId, slug));
}

/** Answers a visitor who asks for `/`, for a file for apps, or for a path that cannot be a link's. */
async function visitWithoutLink(request: ShortRequest, domain: Domain): Promise<Result> {
  const { rootUrl, notFoundUrl } = domain;
  const file = appLinkPaths.get(request.path);
  if (file) {
    const json = await rememberedFile(domain, file, instant());
    return json === undefined
      ? refuse({ ...request, domain }, 'unknown')
      : answer(200, { 'Content-Type': 'application/json' }, json);
  }
  const url = request.path === '/' ? rootUrl : notFoundUrl;
  // Without a fallback, the visit costs no read of the blocked hosts.
  const decision = url === null ? undefined : fallBack(url, 'unknown', (await moment()).blocklist);
  return decision?.answer === 'fallback' ? fallbackAnswer(decision.location) : refuse({ ...request, domain }, 'unknown');
}

/** A request on a domain as it was known. */
type VisitRequest = ShortRequest & { readonly domain: Domain } & Pick<Visit, 'domainAsOf'> & Pick<Domain, 'wantsClicks'>;

/** The time of a decision, and the hosts that are blocked at that time. */
type Moment = Pick<Visit, 'now' | 'blocklist'>;

/** The present moment. The reads before may have taken so long that the list is too old by now. */
async function moment(): Promise<Moment> {
  const now = instant();
  return { now: now.wall, blocklist: await rememberedBlocklist(now) };
}

/**
 * Answers a visitor of a link: decides, counts the visit if it is a click, and responds.
 *
 * A counted visit of a capped link takes a turn of the cap, if the cap looks open or did a moment ago, and then reads
 * the link again. It passes only by that second look, and only if the turn is of the cap that the link then has. So
 * neither a change of the link nor the operator has to wait for visitors. If others change the cap in between, the
 * visit starts again.
 *
 * @param found the link, read at most a second ago.
 * @param readLink reads the link again, consistently.
 */
async function visit(request: VisitRequest, found: Link | undefined, readLink: () => Promise<Link | undefined>): Promise<Result> {
  let link = found;
  let looksAgain = 0;
  const lookAgain = () => {
    if (++looksAgain > mostLooksAgain) throw unavailable();
    return readLink();
  };
  /** The cap without this visit's own turn. */
  let cap: Cap | undefined;
  let hasTurn = false;
  const take = async (capped: Link) => {
    ({ cap, isTaken: hasTurn } = await takeTurn(capped));
    rememberedCaps.see(cap && { ...cap, used: cap.used + (hasTurn ? 1 : 0) }, instant());
    link = await lookAgain();
  };
  /** The hashes of the link's password that the visitor knows, so that another look does not check it again. */
  const known = new Set<string>();
  for (;;) {
    const present = await moment();
    const used = isCapOf(cap, link) ? cap?.used : undefined;
    const decision = await decideWithPassword(request, link, { ...present, used }, known);
    if (decision.answer === 'fallback') return fallbackAnswer(decision.location);
    if (!link) return refuse(request, 'unknown');
    if (decision.answer === 'unread') {
      hasTurn = false;
      if (mayTakeTurnUnread(request, link, present)) await take(link);
      else {
        cap = await getCap(link);
        rememberedCaps.see(cap, instant());
        if (!isCapOf(cap, link)) link = await lookAgain();
      }
      continue;
    }
    if (decision.answer === 'refused') return refuse(request, decision.why, decision.headers);
    if (decision.answer === 'unlocked') return backWithAccess(request, link, present.now);
    const isCounted = 'counted' in decision && decision.counted;
    // A form was sent that the link does not ask for any more. Only a visit that was confirmed leads on, even if it
    // is not counted: back on its page, a person who is taken for a bot could only press the button again.
    const isConfirmed = 'location' in decision && link.confirmVisit;
    if (request.method === 'POST' && !isConfirmed) return back(request);

    if (isCounted && link.maxClicks !== null && !hasTurn) {
      await take(link);
      continue;
    }
    if (isCounted) {
      const turn = hasTurn && cap ? cap.used + 1 : undefined;
      await record(link, request, present.now, { turn, variant: decision.variant });
    }
    return respond(request, decision, link);
  }
}

/**
 * Whether a visit of a capped link may take a turn without a look at the cap: it would count, and this function has
 * seen a turn left a moment ago. Not with a password, which must not be checked for a link that is used up.
 */
function mayTakeTurnUnread(request: VisitRequest, link: Link, moment: Moment): boolean {
  const cap = rememberedCaps.last(link, instant());
  if (!cap || link.passwordHash !== null) return false;
  const decision = decideAbout(request, link, { ...moment, used: cap.used }, false);
  return 'counted' in decision && decision.counted;
}

const decideAbout = (request: VisitRequest, link: Link | undefined, moment: Moment & Pick<Visit, 'used'>, mayPass: boolean) =>
  decide(link, {
    ...request,
    ...moment,
    country: () => countryIfKnown(request),
    acceptsPage: request.format === 'page',
    mayPass,
  });

/** A rule that asks for the country does not hold if it cannot be told, whatever the reason. */
function countryIfKnown(request: ShortRequest): string | undefined {
  try {
    return countryOf(request);
  } catch (error) {
    console.error({ message: 'the country of a visitor cannot be told', name: (error as Error).name });
    return undefined;
  }
}

/** The decision after the password check, if one is needed. `unlocked` answers a form with the right password. */
type PasswordDecision =
  | Answer
  | { readonly answer: 'fallback'; readonly location: string }
  | { readonly answer: 'unread' }
  | { readonly answer: 'refused'; readonly why: AnyRefusal; readonly headers?: Readonly<Record<string, string>> }
  | { readonly answer: 'unlocked' };

/**
 * Decides about a visit. Checks the password only if nothing else stops the visitor.
 *
 * @param known the password hashes that the request has been checked against. A right one is added.
 */
async function decideWithPassword(
  request: VisitRequest,
  link: Link | undefined,
  moment: Moment & Pick<Visit, 'used'>,
  known: Set<string>,
): Promise<PasswordDecision> {
  const { method, isCrossSite } = request;
  const decideIf = (mayPass: boolean) => decideAbout(request, link, moment, mayPass);
  const isKnown = link !== undefined && (known.has(link.passwordHash ?? '') || hasAccess(link, request, moment.now));
  const decision = decideIf(isKnown);
  if (!link || decision.answer !== 'refused' || decision.why !== 'password_required') return decision;
  // Before the attempt is counted: otherwise any website could use up its visitors' attempts.
  if (method === 'POST' && isCrossSite) return { answer: 'refused', why: 'cross_site_password' };
  const check = await checkPassword(link, request, moment.now);
  if (check === 'none') return decision;
  if (check === 'wrong') return { answer: 'refused', why: 'password_wrong' };
  if (check === 'right') {
    known.add(link.passwordHash ?? '');
    return method === 'POST' ? { answer: 'unlocked' } : decideIf(true);
  }
  return { answer: 'refused', why: 'too_many_attempts', headers: { 'Retry-After': String(check.retryAfter) } };
}

/**
 * Records a click, without its dimensions if the visitor does not want that. If it fails, the visitor is redirected
 * anyway, and a metric counts the failure.
 *
 * @param turn the number of the turn that the visit took of the link's cap; undefined without a cap.
 * @param variant the id of the variant that the visitor got; undefined if it was none.
 */
async function record(
  link: Link,
  request: VisitRequest,
  now: number,
  { turn, variant }: { readonly turn: number | undefined; readonly variant: string | undefined },
): Promise<void> {
  try {
    const known = request.optsOut ? nothingKnown : dimensionsOf(request, countryOf(request), variant);
    const click = newClick(link, now, known, hookOf(link, request.wantsClicks, turn));
    await withDeadline(Math.min(timeLeft(), recordedWithinMs), () => recordClick(click), recordAttempt);
  } catch (error) {
    const { id: linkId, workspaceId } = link;
    console.error({ message: alarming.clickNotRecorded, ...loggedRequest(), workspaceId, linkId, name: (error as Error).name });
  }
}

/** Redirects to the requested address with GET. Its query is rebuilt, so that no header contains raw input. */
async function back(request: VisitRequest): Promise<Result> {
  const { search } = new URL(`https://host/?${request.query}`);
  const location = request.path + search;
  return location.length > longestLocation ? refuse(request, 'address_too_long') : answer(303, { Location: location });
}

/** The same with a cookie that stands for the password. Except on a laptop, browsers send it only over TLS. */
async function backWithAccess(request: VisitRequest, link: Link, now: number): Promise<Result> {
  const isLaptop = /(^|\.)localhost$/.test(request.host);
  const cookie = [
    `${accessCookie}=${newAccessToken(link, now)}`,
    `Max-Age=${accessSeconds}`,
    `Path=${request.path}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isLaptop ? [] : ['Secure']),
  ];
  return { ...(await back(request)), cookies: [cookie.join('; ')] };
}
