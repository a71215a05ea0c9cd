import { byCodeUnits, type ListOrder } from '../list-order.ts';
import type { Profile } from './profile.ts';
import type { Role } from './roles.ts';

/**
 * - `invited` can be accepted until `invitedUntil`.
 * - `pending` has accepted, and waits for somebody to approve, because nobody has verified the email address.
 * - `removed` is kept for the history, which names it, and is shown to nobody.
 */
export const memberStates = ['invited', 'pending', 'active', 'removed'] as const;

/** Only what a rule has made, another sign-in changes. */
export const memberOrigins = ['invitation', 'rule', 'owner'] as const;

type MemberState = (typeof memberStates)[number];

/** A member of a workspace as stored in the table. Until somebody has accepted the invitation, `email` is the invited one. */
export type Member = Profile & {
  readonly id: string;
  readonly workspaceId: string;
  readonly role: Role;
  readonly state: MemberState;
  readonly createdAt: string;
  /** Who it is. Absent until the invitation is accepted. */
  readonly personId?: string;
  /** The hash of the invitation's secret. It stays, so that a repeated acceptance is recognised. */
  readonly invitationHash?: string;
  readonly invitedUntil?: string;
  /** What made it so: an invitation that was accepted, a rule of the stage, or an owner who has changed it since. */
  readonly origin?: (typeof memberOrigins)[number];
  /** How often role or state changed. */
  readonly revision: number;
  /** The keys that a removed member made are being revoked, or are revoked; none of them makes another one. */
  readonly revokesKeys?: boolean;
};

/** Whether a member is there: not removed, nor an invitation that has ended. */
export const isThere = ({ state, invitedUntil }: Member, now: number): boolean =>
  state !== 'removed' && (state !== 'invited' || hasNotEnded(invitedUntil, now));

/** An unreadable time has ended. */
const hasNotEnded = (until: string | undefined, now: number): boolean => now < Date.parse(until ?? '');

/**
 * Whether nobody else may be invited with the member's address. An address that nobody has verified is only what somebody
 * calls themselves, and must not keep out whom it belongs to.
 */
export const holdsEmail = ({ state, emailVerified }: Pick<Member, 'state' | 'emailVerified'>): boolean =>
  state === 'invited' || emailVerified === true;

/** Whether a member counts as one of the owners, of whom there must be one. */
export const isOwning = ({ role, state }: Pick<Member, 'role' | 'state'>): boolean => role === 'owner' && state === 'active';

/** Newest first. */
export const memberOrder: ListOrder<Pick<Member, 'id' | 'createdAt'>> = {
  positionOf: ({ createdAt, id }) => `${createdAt}#${id}`,
  compare: (one, other) => byCodeUnits(other, one),
};
