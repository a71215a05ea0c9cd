import type { Link } from './link.ts';

/**
 * The states of a link. It is active if visitors get through, and otherwise in the first of the others that fits.
 * A workspace does not learn whether the operator has disabled a link.
 */
export const linkStates = ['active', 'inactive', 'scheduled', 'expired', 'used_up', 'pending'] as const;
export type LinkState = (typeof linkStates)[number];

/** The state if it follows from the link itself; for the other states, its cap and its domain have to be read. */
export const ownState = (
  { isActive, startsAt, expiresAt }: Pick<Link, 'isActive' | 'startsAt' | 'expiresAt'>,
  now: number,
): 'inactive' | 'scheduled' | 'expired' | undefined => {
  if (!isActive) return 'inactive';
  if (startsAt !== null && now < Date.parse(startsAt)) return 'scheduled';
  return expiresAt !== null && Date.parse(expiresAt) <= now ? 'expired' : undefined;
};

/** Whether the state follows from the link itself, without its cap and its domain. */
export const isOwnState = (state: LinkState): boolean => ['inactive', 'scheduled', 'expired'].includes(state);

/**
 * The state of a link.
 *
 * @param used how much of its cap is used.
 * @param pending its domain isn't active yet.
 */
export function stateOf(
  link: Pick<Link, 'isActive' | 'startsAt' | 'expiresAt' | 'maxClicks'>,
  { used, pending, now }: { readonly used: number; readonly pending: boolean; readonly now: number },
): LinkState {
  const own = ownState(link, now);
  if (own) return own;
  if (link.maxClicks !== null && used >= link.maxClicks) return 'used_up';
  return pending ? 'pending' : 'active';
}
