import { unavailable } from '../core/errors.ts';
import type { Link } from '../core/link/link.ts';
import { accessSeconds, newAccessToken } from '../core/visit/access-token.ts';
import { longestLocation } from '../core/visit/visit.ts';
import { instant } from '../runtime/instant.ts';
import { type Cap, claimVisit, getCap, isCapOf } from '../store/links/caps.ts';
import { type Circumstances, decideIf, decideVisit, type Moment, type VisitDecision, type VisitRequest } from './decide-visit.ts';
import { decisionResponse, refuse } from './decision-response.ts';
import { fallbackResponse, response, type VisitResponse } from './plain-responses.ts';
import { type Recorder, recordVisit } from './record-visit.ts';
import type { CapMemory } from './remembered-caps.ts';
import { accessCookie } from './short-request.ts';

/*
 * A visit of a link: decide, record the click, respond. If the link has a cap, the decision takes these steps, so that
 * the link never redirects more often than its cap allows, however many visitors come at once, and whatever fails:
 *
 * 1. Decide with the known use of the cap: from a read, or from the function's cache of the last minute.
 * 2. If the visit would be counted, claim one of the cap's visits: one conditional write to the cap's item.
 * 3. Read the link again, and decide again. Only this decision redirects the visitor, and only if the claim belongs to
 *    the link's current cap.
 *
 * For example, a link may be clicked twice, and one click is used. Anna and Ben come at once:
 *
 * - Both functions see one visit left. Anna's claims visit 2. Ben's write fails, and its response shows that 2 visits
 *   are used: his function decides again, and tells him that the link has reached its limit.
 * - Anna's function dies before it responds. Nobody returns its claim: the link redirects once less than it may, never
 *   once more.
 * - The workspace raises the cap to 5. Cleo's function claims visit 3, reads the link again, and redirects.
 * - Dan's function claims visit 4. Before it reads the link again, the workspace removes the cap and sets a new one.
 *   The new cap has another generation, so the claim is void, and Dan's function starts again with the new cap.
 *
 * So changes of the link, and an operator who disables it, never wait for visitors.
 */

/** The state for a visit's decision. */
type Known = {
  /** Undefined if there is none at the address. */
  readonly link: Link | undefined;
  /** The cap without this visit's own claim; undefined if it was not read. */
  readonly cap: Cap | undefined;
  readonly isClaimed: boolean;
};

type ReadLink = () => Promise<Link | undefined>;

/** The function's means for a visit. */
type Means = {
  /** Reads the link again, consistently. */
  readonly readLink: ReadLink;
  /** Returns the current moment. */
  readonly moment: () => Promise<Moment>;
  /** The function's cache of caps. */
  readonly caps: CapMemory;
  readonly recorder: Recorder;
};

/**
 * How often a visit may read a capped link again: once after its claim, and whenever somebody changes the cap
 * meanwhile.
 */
const mostReads = 5;

/**
 * Responds to a visitor of a link.
 *
 * @param found the link, read at most a second ago; undefined if there is none.
 */
export async function visitLink(request: VisitRequest, found: Link | undefined, means: Means): Promise<VisitResponse> {
  const { moment, caps, recorder } = means;
  const readLink = atMost(mostReads, means.readLink);
  const knownPasswords = new Set<string>();
  let known: Known = { link: found, cap: undefined, isClaimed: false };
  for (;;) {
    const { link, cap, isClaimed } = known;
    const now = await moment();
    const used = isCapOf(cap, link) ? cap?.used : undefined;
    const decision = await decideVisit(request, link, { ...now, used }, knownPasswords);
    if (decision.kind === 'fallback') return fallbackResponse(decision.location, request.domain, link);
    if (!link) return refuse(request, 'unknown');
    if (decision.kind === 'unread') {
      const mayClaim = mayClaimUnread(request, link, { ...now, used: caps.last(link, instant())?.used });
      known = await (mayClaim ? claim : readCap)(link, readLink, caps);
    } else if (counts(decision) && link.maxClicks !== null && !isClaimed) {
      known = await claim(link, readLink, caps);
    } else {
      return carryOut(request, link, decision, now, recorder, isClaimed ? cap : undefined);
    }
  }
}

/**
 * Limits how often a link is read, because the cap might change again and again.
 *
 * @throws RequestError `temporarily_unavailable`
 */
function atMost(most: number, read: ReadLink): ReadLink {
  let reads = 0;
  return async () => {
    if (++reads > most) throw unavailable();
    return read();
  };
}

/** Whether a decision redirects the visitor and is a click. */
const counts = (decision: VisitDecision): boolean => 'counted' in decision && decision.counted;

/**
 * Whether a visit of a capped link may claim without reading the cap: it would be counted, and the cached cap has
 * visits left. Not with a password, which must not be checked for a link that is used up.
 */
const mayClaimUnread = (request: VisitRequest, link: Link, now: Circumstances): boolean =>
  link.passwordHash === null && now.used !== undefined && counts(decideIf(false, request, link, now));

/** Claims one of the cap's visits, if there is one left, and reads the link again. */
async function claim(link: Link, readLink: ReadLink, caps: CapMemory): Promise<Known> {
  const { cap, isClaimed } = await claimVisit(link);
  caps.see(cap && { ...cap, used: cap.used + (isClaimed ? 1 : 0) }, instant());
  return { link: await readLink(), cap, isClaimed };
}

/** Reads the cap, and the link again if that has another cap by now. */
async function readCap(link: Link, readLink: ReadLink, caps: CapMemory): Promise<Known> {
  const cap = await getCap(link);
  caps.see(cap, instant());
  return { link: isCapOf(cap, link) ? link : await readLink(), cap, isClaimed: false };
}

/**
 * Carries out a decision: records the click if the visit is one, and responds.
 *
 * @param cap the cap from which the visit has claimed the next visit; undefined if it has not.
 */
async function carryOut(
  request: VisitRequest,
  link: Link,
  decision: Exclude<VisitDecision, { kind: 'fallback' | 'unread' }>,
  { now, blocklist }: Moment,
  recorder: Recorder,
  cap: Cap | undefined,
): Promise<VisitResponse> {
  // A form is sent to the address of its page, so the page must be at the link's own address.
  if (request.isMoved && request.format === 'page' && asks(decision)) return back(request);
  if (decision.kind === 'refused') return refuse(request, decision.why, decision.headers);
  if (decision.kind === 'unlocked') return backWithAccess(request, link, now);
  // The link no longer asks for the form that was sent. Only a confirmed visit is redirected, even if it is not
  // counted: otherwise, a person who is taken for a bot could only press the button again and again.
  const isConfirmed = 'location' in decision && link.confirmVisit;
  if (request.method === 'POST' && !isConfirmed) return back(request);
  if ('counted' in decision && decision.counted)
    await recordVisit(link, request, recorder, { claim: cap && cap.used + 1, variant: decision.variant });
  return decisionResponse(request, decision, link, blocklist.hosts);
}

/** Whether the visitor gets a form for the first time. */
const asks = (decision: VisitDecision): boolean =>
  decision.kind === 'confirm' || (decision.kind === 'refused' && decision.why === 'password_required');

/** Redirects to the address of the visit with GET. Its query is rebuilt, so that no header contains raw input. */
async function back(request: VisitRequest): Promise<VisitResponse> {
  const { search } = new URL(`https://host/?${request.query}`);
  const { path, slug, behind } = request;
  const location = (behind === undefined ? path : `/${slug}/${behind}`) + search;
  return location.length > longestLocation ? refuse(request, 'address_too_long') : response(303, { Location: location });
}

/**
 * The same, with a cookie that replaces the password, for all paths below the slug. Except on a laptop, browsers send
 * it only over TLS.
 */
async function backWithAccess(request: VisitRequest, link: Link, now: number): Promise<VisitResponse> {
  const isLaptop = /(^|\.)localhost$/.test(request.host);
  const cookie = [
    `${accessCookie}=${newAccessToken(link, now)}`,
    `Max-Age=${accessSeconds}`,
    `Path=${request.behind === undefined ? request.path.replace(/\/$/, '') : `/${request.slug}`}`,
    'HttpOnly',
    'SameSite=Lax',
    ...(isLaptop ? [] : ['Secure']),
  ];
  return { ...(await back(request)), cookies: [cookie.join('; ')] };
}
