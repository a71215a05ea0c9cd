import { RequestError } from '../errors.ts';
import type { ApiKey } from '../key/api-key.ts';
import { checkHolds } from '../key/authority.ts';
import type { Member } from './member.ts';
import { type Role, rolePermissions } from './roles.ts';

/**
 * What a key may do to members. Nobody can give or take what they lack: to invite, approve, promote, demote or remove
 * somebody, the caller needs every permission of the member's role, before and after. To revoke the keys that a member
 * made, the caller needs their permissions, too. A key with an expiry can't give a role. The other rules are those for
 * keys (`key/authority.ts`), with `members:write`.
 */

/** The requested changes. Absent fields stay unchanged. */
export type MemberChanges = { readonly role?: Role | undefined; readonly state?: 'active' | undefined };

/** Refuses a caller that lacks a permission of the role. @throws RequestError `forbidden` */
export const checkRole = (caller: ApiKey, role: Role): void =>
  checkHolds(caller, rolePermissions[role], `so it cannot make or change a member with the role ${role}`);

/**
 * Refuses a caller that lacks a permission of the role, or that expires: a role doesn't expire, so it would exceed what
 * the caller could give to a key. Keys of sign-ins expire within minutes, but act for a member who stays.
 *
 * @throws RequestError `forbidden`
 */
export function checkGivesRole(caller: ApiKey, role: Role): void {
  checkRole(caller, role);
  if (caller.expiresAt === undefined || caller.signIn) return;
  throw new RequestError(
    'forbidden',
    'A key that expires cannot give a role, because a role does not expire. Use a key without an expiry.',
  );
}

/** Refuses a caller that lacks a permission of a key that the member made. @throws RequestError `forbidden` */
export const checkMadeKey = (caller: ApiKey, { id, permissions }: ApiKey): void =>
  checkHolds(caller, permissions, `so it cannot revoke ${id}, which the member made: remove the member with keys=keep`);

/**
 * A member after a change.
 *
 * @param caller the key that asks for it; undefined for the operator.
 * @throws RequestError `forbidden`; `invitation_not_accepted` if the member to approve has not accepted
 */
export function changedMember(
  caller: ApiKey | undefined,
  member: Member,
  { role = member.role, state = undefined }: MemberChanges,
): Member {
  if (caller) checkRole(caller, member.role);
  if (caller && (role !== member.role || state !== undefined)) checkGivesRole(caller, role);
  if (state !== undefined && member.state === 'invited') {
    throw new RequestError('invitation_not_accepted', 'Nobody has accepted the invitation, so there is nobody to approve.');
  }
  return { ...member, role, state: state ?? member.state };
}
