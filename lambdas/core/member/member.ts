import { byCodeUnits, type ListOrder } from '../list-order.ts';
import type { Profile } from './profile.ts';
import type { Role } from './roles.ts';

/**
 * - `invited` can be accepted until `invitedUntil`.
 * - `pending` has accepted, and waits for approval, because nobody has verified the email address.
 * - `removed` is kept only so that the history can show the name.
 */
export const memberStates = ['invited', 'pending', 'active', 'removed'] as const;

/** Later sign-ins change only memberships with the origin `rule`. */
export const memberOrigins = ['invitation', 'rule', 'owner'] as const;

type MemberState = (typeof memberStates)[number];

/**
 * A member of a workspace as stored in the table. Until somebody has accepted the invitation, `email` is the invited
 * one.
 */
export type Member = Profile & {
  readonly id: string;
  readonly workspaceId: string;
  readonly role: Role;
  readonly state: MemberState;
  readonly createdAt: string;
  /** Absent until the invitation is accepted. */
  readonly personId?: string;
  /** The hash of the invitation's secret. It stays, so that a repeated acceptance is recognised. */
  readonly invitationHash?: string;
  readonly invitedUntil?: string;
  /** Where the role comes from: an accepted invitation, a rule of the stage, or an owner who has changed it since. */
  readonly origin?: (typeof memberOrigins)[number];
  /** How often role or state changed. */
  readonly revision: number;
  /** The keys that a removed member made are revoked, or being revoked. They can't create keys any more. */
  readonly revokesKeys?: boolean;
};

/** Whether a member exists: neither removed, nor an expired invitation. */
export const isThere = ({ state, invitedUntil }: Member, now: number): boolean =>
  state !== 'removed' && (state !== 'invited' || hasNotEnded(invitedUntil, now));

/** An unreadable time is treated as over. */
const hasNotEnded = (until: string | undefined, now: number): boolean => now < Date.parse(until ?? '');

/**
 * Whether nobody else may be invited with the member's address. An unverified address is only a claim, and must not
 * keep out its real owner.
 */
export const holdsEmail = ({ state, emailVerified }: Pick<Member, 'state' | 'emailVerified'>): boolean =>
  state === 'invited' || emailVerified === true;

/** Whether this is an active owner. A workspace must have one. */
export const isOwning = ({ role, state }: Pick<Member, 'role' | 'state'>): boolean => role === 'owner' && state === 'active';

/** Newest first. */
export const memberOrder: ListOrder<Pick<Member, 'id' | 'createdAt'>> = {
  positionOf: ({ createdAt, id }) => `${createdAt}#${id}`,
  compare: (one, other) => byCodeUnits(other, one),
};
