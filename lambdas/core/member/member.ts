import { byCodeUnits, type ListOrder } from '../list-order.ts';
import type { Role } from './roles.ts';

/**
 * - `invited` can be accepted until `invitedUntil`.
 * - `pending` has accepted, and waits for somebody to approve, because nobody has verified the email address.
 * - `removed` is kept for the history, which names it, and is shown to nobody.
 */
export const memberStates = ['invited', 'pending', 'active', 'removed'] as const;

type MemberState = (typeof memberStates)[number];

/** A member of a workspace as stored in the table. */
export type Member = {
  readonly id: string;
  readonly workspaceId: string;
  /** As invited; once somebody has accepted, as of their last sign-in. */
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly state: MemberState;
  readonly createdAt: string;
  readonly lastSignedInAt?: string;
  /** Who it is. Absent until the invitation is accepted. */
  readonly personId?: string;
  /** The hash of the invitation's secret. It stays, so that a repeated acceptance is recognised. */
  readonly invitationHash?: string;
  readonly invitedUntil?: string;
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

/** Whether a member counts as one of the owners, of whom there must be one. */
export const isOwning = ({ role, state }: Pick<Member, 'role' | 'state'>): boolean => role === 'owner' && state === 'active';

/** Newest first. */
export const memberOrder: ListOrder<Pick<Member, 'id' | 'createdAt'>> = {
  positionOf: ({ createdAt, id }) => `${createdAt}#${id}`,
  compare: (one, other) => byCodeUnits(other, one),
};
