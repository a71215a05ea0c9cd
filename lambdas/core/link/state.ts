import { type BlockedHosts, isBlocked } from './destination.ts';
import type { Link } from './link.ts';

/** The states of a link. It is active if visitors get through. */
export const linkStates = ['active', 'inactive', 'scheduled', 'expired', 'used_up', 'pending', 'disabled', 'blocked'] as const;
export type LinkState = (typeof linkStates)[number];

/** What a link's state depends on, apart from its cap and its domain. */
type StatefulLink = Pick<Link, 'url' | 'disabledAt' | 'isActive' | 'startsAt' | 'expiresAt'>;

/** The states that follow from the link itself. The others also depend on its cap and its domain. */
const ownStates = ['disabled', 'blocked', 'inactive', 'scheduled', 'expired'] as const satisfies LinkState[];
type OwnState = (typeof ownStates)[number];

export const isOwnState = (state: LinkState): state is OwnState => (ownStates as readonly LinkState[]).includes(state);

/**
 * The state if it follows from the link itself: the first that applies. States that only the operator can undo come
 * first, because the workspace can't change them.
 */
export function ownState(
  { url, disabledAt, isActive, startsAt, expiresAt }: StatefulLink,
  blocked: BlockedHosts,
  now: number,
): OwnState | undefined {
  if (disabledAt !== null) return 'disabled';
  if (isBlocked(url, blocked)) return 'blocked';
  if (!isActive) return 'inactive';
  if (startsAt !== null && now < Date.parse(startsAt)) return 'scheduled';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : undefined;
}

/** The facts that decide a link's state. */
type StateFacts<Used> = {
  readonly blocked: BlockedHosts;
  /** In milliseconds since 1970. */
  readonly now: number;
  /** How much of its cap is used. */
  readonly used: Used;
  /** Its domain isn't active yet. */
  readonly pending: boolean;
};

/**
 * The state of a link. Visits use it too (`visit/visit.ts`), so the API shows what visitors meet.
 *
 * @returns `unread` if it depends on the cap, and `used` is undefined.
 */
export function stateOf(link: StatefulLink & Pick<Link, 'maxClicks'>, facts: StateFacts<number>): LinkState;
export function stateOf(
  link: StatefulLink & Pick<Link, 'maxClicks'>,
  facts: StateFacts<number | undefined>,
): LinkState | 'unread';
export function stateOf(
  link: StatefulLink & Pick<Link, 'maxClicks'>,
  { blocked, now, used, pending }: StateFacts<number | undefined>,
): LinkState | 'unread' {
  const own = ownState(link, blocked, now);
  if (own) return own;
  if (link.maxClicks !== null) {
    if (used === undefined) return 'unread';
    if (used >= link.maxClicks) return 'used_up';
  }
  return pending ? 'pending' : 'active';
}
