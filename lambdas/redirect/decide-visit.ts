import type { Domain } from '../core/domain/domain.ts';
import type { Link } from '../core/link/link.ts';
import type { Refusal } from '../core/visit/refusal.ts';
import { type Decision, decide, type Visit } from '../core/visit/visit.ts';
import { checkPassword, hasAccess } from './passwords.ts';
import type { Headers } from './plain-responses.ts';
import type { ShortRequest } from './short-request.ts';
import { countryOf } from './whereabouts.ts';

/** A request, with its domain. */
export type VisitRequest = ShortRequest & {
  readonly domain: Domain;
  readonly slug: string;
  /** The link is at `path`, which is not the requested one. */
  readonly isMoved?: boolean;
} & Pick<Visit, 'behind' | 'domainAsOf'> &
  Pick<Domain, 'wantsClicks'>;

/** The time of a decision, and the hosts that are blocked at that time. */
export type Moment = Pick<Visit, 'now' | 'blocklist'>;

/** The facts that change while a visit waits: the moment, and how much of the link's cap is used. */
export type Circumstances = Moment & Pick<Visit, 'used'>;

/** The decision on a visit, after the password was checked if one is needed. */
export type VisitDecision =
  | Exclude<Decision, { kind: 'refused' }>
  | { readonly kind: 'refused'; readonly why: Refusal; readonly headers?: Headers }
  /** A form was sent with the right password. */
  | { readonly kind: 'unlocked' };

/** Decides on a visit without checking its password. */
export const decideIf = (mayPass: boolean, request: VisitRequest, link: Link | undefined, now: Circumstances): Decision =>
  decide(link, {
    ...request,
    ...now,
    country: () => countryIfKnown(request),
    acceptsPage: request.format === 'page',
    mayPass,
  });

/**
 * Decides on a visit. Checks the password only if nothing else stops the visitor.
 *
 * @param known the password hashes that the request's password matches. A match is added, so that the next decision on
 *   the same request does not check it again.
 */
export async function decideVisit(
  request: VisitRequest,
  link: Link | undefined,
  now: Circumstances,
  known: Set<string>,
): Promise<VisitDecision> {
  const { method, isCrossSite } = request;
  const mayPass = link !== undefined && (known.has(link.passwordHash ?? '') || hasAccess(link, request, now.now));
  const decision = decideIf(mayPass, request, link, now);
  if (!link || decision.kind !== 'refused' || decision.why !== 'password_required') return decision;
  // Before the attempt is counted: otherwise any website could use up its visitors' attempts.
  if (method === 'POST' && isCrossSite) return { kind: 'refused', why: 'cross_site_password' };
  const check = await checkPassword(link, request);
  if (check === 'none') return decision;
  if (check === 'wrong') return { kind: 'refused', why: 'password_wrong' };
  if (check === 'right') {
    known.add(link.passwordHash ?? '');
    return method === 'POST' ? { kind: 'unlocked' } : decideIf(true, request, link, now);
  }
  return { kind: 'refused', why: 'too_many_attempts', headers: { 'Retry-After': String(check.retryAfter) } };
}

/** The visitor's country. If the lookup fails, rules with a country don't match. */
function countryIfKnown(request: ShortRequest): string | undefined {
  try {
    return countryOf(request);
  } catch (error) {
    console.error({ message: 'the country of a visitor could not be looked up', name: (error as Error).name });
    return undefined;
  }
}
