import type { DomainSettings, Fallbacks } from '../domain/domain.ts';
import { type BlockedHosts, isBlocked } from '../link/destination.ts';
import { forwardParameters, forwardPath } from '../link/forwarding.ts';
import type { Link } from '../link/link.ts';
import { type RuledVisit, ruleFor } from '../link/rules.ts';
import { stateOf } from '../link/state.ts';
import { type VariedVisit, variantFor } from '../link/variants.ts';
import type { Visitor } from '../visitor/bots.ts';
import type { LinkRefusal } from './refusal.ts';

/** The facts about a visit that decide its response. */
export type Visit = RuledVisit &
  VariedVisit & {
    readonly method: string;
    /** The rest of the path after the link's slug, escaped as in a URL; undefined if there is none. */
    readonly behind?: string | undefined;
    readonly visitor: Visitor;
    /** A browser prefetches a page that its user may never open. */
    readonly isPrefetch: boolean;
    /** `/{slug}+`, which shows where the link leads. */
    readonly isPreview: boolean;
    /** `/{slug}.svg`, an image of the link's QR code. */
    readonly isCode: boolean;
    /** `Accept` names `text/html`. */
    readonly acceptsPage: boolean;
    /** Global Privacy Control, or Do Not Track. */
    readonly optsOut: boolean;
    /** It has the right password, or the cookie that proves it. */
    readonly mayPass: boolean;
    /**
     * Whether the visitor has pressed the confirmation page's button; `cross_site` if another site sent that request.
     */
    readonly confirmation: 'none' | 'given' | 'cross_site';
    readonly blocklist: Blocklist;
    /** The domain's fallbacks, and whether its QR codes are public. */
    readonly domain: Fallbacks & Pick<DomainSettings, 'publicQr'>;
    /** When the domain was read, in milliseconds since 1970. */
    readonly domainAsOf: number;
    /** How much of the link's cap is used, without this visit. Undefined if the cap was not read. */
    readonly used: number | undefined;
  };

/** The blocked hosts, as they were at `asOf`, in milliseconds since 1970. */
export type Blocklist = { readonly hosts: BlockedHosts; readonly asOf: number };

/** A decision that serves the link: not a refusal, a fallback, or an unread cap. */
export type Served = Exclude<Decision, { kind: 'refused' | 'fallback' | 'unread' }>;

/** What a visitor gets. */
export type Decision =
  | { readonly kind: 'refused'; readonly why: LinkRefusal }
  /** The link has a cap, so the decision depends on how much of it is used: read the cap, and decide again. */
  | { readonly kind: 'unread' }
  /**
   * `card` shows what the link is about, `preview` where it leads, and `confirm` asks the visitor to press a button.
   */
  | { readonly kind: 'card' | 'preview' | 'confirm' }
  /** An image of the link's QR code. */
  | { readonly kind: 'code' }
  /** Says only that the link exists. */
  | { readonly kind: 'withheld' }
  /** A page of the workspace instead of an error. */
  | { readonly kind: 'fallback'; readonly location: string }
  | ({ readonly kind: 'frame' | 'pixels' } & Passage)
  | ({
      readonly kind: 'redirect';
      readonly status: 301 | 302 | 303;
      /** How long the visitor's own cache may keep it, in seconds; 0 means not at all. */
      readonly maxAge: number;
    } & Passage);

/** The visit is sent on, and is a click if it is `counted`. `variant` is undefined if there is none. */
type Passage = { readonly location: string; readonly counted: boolean; readonly variant?: string | undefined };

/**
 * In characters. An HTTP API allows 10,240 bytes of request line and headers. AWS does not say whether this applies to
 * responses: https://docs.aws.amazon.com/apigateway/latest/developerguide/http-api-quotas.html
 */
export const longestLocation = 8_192;

/** How long a visitor waits for the click to be recorded, in milliseconds. */
export const recordedWithinMs = 1_000;

/** How long a function may reuse a link that it has read, in milliseconds. */
export const reusedForMs = 1_000;

/**
 * Whether a function may reuse a link for a moment: unless it has a password or a cap, or its workspace or the operator
 * has disabled it. Each visit checks again whether it has started or expired, and which hosts are blocked.
 */
export const mayBeReused = ({ passwordHash, maxClicks, isActive, disabledAt }: Link): boolean =>
  passwordHash === null && maxClicks === null && isActive && disabledAt === null;

/**
 * How long a 301 of an open link may be cached, in seconds. So an edit takes effect for everybody within a minute,
 * including visitors who came while a function still reused the link, and then waited for their click to be recorded.
 */
const longestMaxAge = 60 - (reusedForMs + recordedWithinMs) / 1_000;

/**
 * How long a block, or the deactivation of a domain, may take to reach everybody despite all caches, in milliseconds.
 */
export const blockTakes = 60_000;

/**
 * Decides what a visitor of a link gets: the first matching row of the table in docs/visitors.md.
 *
 * @param link undefined if there is none at the address.
 */
export function decide(link: Link | undefined, visit: Visit): Decision {
  const takesPath = visit.behind === undefined || link?.forwardPath;
  if (!link || !takesPath) return fallBack(visit.domain.notFoundUrl, 'unknown', visit.blocklist);
  // Visits of a domain that isn't active never get here.
  const state = stateOf(link, { blocked: visit.blocklist.hosts, now: visit.now, used: visit.used, pending: false });
  // If the domain has no `notFoundUrl`, such a link looks as if it didn't exist.
  if (state === 'disabled' || state === 'blocked' || state === 'inactive') return refused('unknown');
  if (visit.isCode) return visit.domain.publicQr ? { kind: 'code' } : refused('unknown');
  if (state === 'scheduled') return refused('not_yet');
  if (state === 'unread') return { kind: 'unread' };
  if (state === 'expired' || state === 'used_up')
    return fallBack(link.expiredUrl ?? visit.domain.expiredUrl, state, visit.blocklist);

  const isProtected = link.passwordHash !== null;
  const isCapped = link.maxClicks !== null;
  const isBot = visit.visitor !== 'person';
  if (visit.visitor === 'crawler' && hasCard(link) && !isProtected) return { kind: 'card' };
  if (isBot && link.blockBots) return refused('bots_refused');
  if (visit.isPreview) return preview(link);
  if (isProtected && !visit.mayPass) return refused('password_required');
  if (isCapped && visit.method === 'HEAD') return { kind: 'withheld' };
  if (isCapped && visit.isPrefetch) return refused('prefetch_refused');
  if (isCapped && isBot) return refused('bots_refused');
  if (link.confirmVisit && visit.confirmation === 'cross_site') return refused('cross_site_confirmation');
  if (link.confirmVisit && visit.confirmation === 'none') return { kind: 'confirm' };
  return passage(link, visit);
}

/** Decides where a visit leads, after all checks. */
function passage(link: Link, visit: Visit): Decision {
  const { url, variant } = targetOf(link, visit);
  if (url !== link.url && isBlocked(url, visit.blocklist.hosts)) return refused('unknown');
  const there = visit.behind === undefined ? url : forwardPath(url, visit.behind);
  const whole = link.forwardParameters ? forwardParameters(there, visit.query) : there;
  // Parameters that others append, such as `fbclid`, must not break the link.
  const location = whole.length > longestLocation ? there : whole;
  if (location.length > longestLocation) return refused('address_too_long');

  const isPerson = visit.visitor === 'person';
  // With `confirmVisit`, the only POST that gets here is the confirmation page's.
  const isConfirmed = visit.method === 'POST' && link.confirmVisit;
  const counted = (visit.method === 'GET' || isConfirmed) && isPerson && !visit.isPrefetch;
  const on = { location, counted, variant };
  if (link.cloaked && url === link.url && url !== link.unframeableUrl) return { kind: 'frame', ...on };
  if (hasPixels(link) && visit.acceptsPage && isPerson && !visit.optsOut) return { kind: 'pixels', ...on };
  if (isConfirmed) return { kind: 'redirect', status: 303, maxAge: 0, ...on };
  const status = link.redirectType === 'PERMANENT_301' ? 301 : 302;
  return { kind: 'redirect', status, maxAge: status === 301 && counted ? maxAgeOf(link, visit) : 0, ...on };
}

/**
 * Where a visit leads: the first matching rule, else the variant, else the link's own destination.
 */
function targetOf(link: Link, visit: Visit): { readonly url: string; readonly variant?: string | undefined } {
  const rule = link.rules.length > 0 ? ruleFor(link.rules, visit) : undefined;
  const variant = rule ? undefined : variantFor(link, visit);
  return { url: (rule ?? variant ?? link).url, variant: variant?.id };
}

/**
 * Sends a visitor to the workspace's page for those whom no link serves. If the page's host is blocked, the visitor
 * gets the same as without a link.
 *
 * @param url null if there is no such page.
 * @param otherwise why the visitor is refused then.
 */
export function fallBack(url: string | null, otherwise: LinkRefusal, blocklist: Blocklist): Decision {
  if (url === null) return refused(otherwise);
  return isBlocked(url, blocklist.hosts) ? refused('unknown') : { kind: 'fallback', location: url };
}

const refused = (why: LinkRefusal): Decision => ({ kind: 'refused', why });

/**
 * A title alone is only a label. A card with only that would replace the destination's own, with its picture and text.
 */
const hasCard = ({ description, image }: Link): boolean => description !== null || image !== null;

const hasPixels = ({ metaPixelId, googleTagId }: Link): boolean => metaPixelId !== null || googleTagId !== null;

/** A preview must not reveal what the link hides. */
function preview(link: Link): Decision {
  const hides = link.passwordHash !== null || link.maxClicks !== null || link.cloaked;
  return hides ? refused('no_preview') : { kind: 'preview' };
}

/**
 * How long the redirect may be cached, in seconds. 0 if the service must see each visit: with a password, a cap,
 * pixels, a confirmation, or if not all visits lead to the same destination.
 */
function maxAgeOf(link: Link, { now, blocklist, domainAsOf }: Visit): number {
  if (link.passwordHash !== null || link.maxClicks !== null || hasPixels(link) || link.confirmVisit) return 0;
  if (link.rules.length > 0 || link.variants.length > 0) return 0;
  const asOf = Math.min(blocklist.asOf, domainAsOf);
  const ends = [asOf + blockTakes - recordedWithinMs, ...(link.expiresAt === null ? [] : [Date.parse(link.expiresAt)])];
  return Math.max(0, Math.min(longestMaxAge, ...ends.map((end) => Math.floor((end - now) / 1000))));
}
