import { RequestError, workspaceGone } from '../../core/errors.ts';
import { newMemberId } from '../../core/ids.ts';
import { invitationDays, membersPerWorkspace } from '../../core/limits.ts';
import { checkGivesRole } from '../../core/member/authority.ts';
import { isSameEmail } from '../../core/member/email.ts';
import { invitationHash, newInvitationSecret } from '../../core/member/invitation.ts';
import { holdsEmail, type Member } from '../../core/member/member.ts';
import type { Role } from '../../core/member/roles.ts';
import { checkingCaller, type KeyCaller, readCaller } from '../api-keys/callers.ts';
import { newMemberItem } from '../members/items.ts';
import { addingMember, listMembers } from '../members/roster.ts';
import { commit, type Outcome, type Writes } from '../table/commit.ts';
import { isAbsent, isLiveWorkspace } from '../table/expressions.ts';
import { rosterKey, workspaceKey } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { checking, putting, type Write } from '../table/writes.ts';

/** Whom somebody invites. @property email as `parseEmail` returns it */
export type Invitee = { readonly email: string; readonly role: Role };

/** A new member with the secret of the invitation. This is the only time that it is visible. */
export type Invited = { readonly member: Member; readonly secret: string };

const dayMs = 24 * 60 * 60 * 1_000;

/** A member who is invited, and the secret, whose hash the member has. */
function newInvited(workspaceId: string, { email, role }: Invitee, now: number): Invited {
  const id = newMemberId();
  const secret = newInvitationSecret(workspaceId, id);
  const member: Member = {
    id,
    workspaceId,
    email,
    name: null,
    role,
    state: 'invited',
    createdAt: new Date(now).toISOString(),
    invitationHash: invitationHash(secret),
    invitedUntil: new Date(now + invitationDays * dayMs).toISOString(),
    revision: 0,
  };
  return { secret, member };
}

/**
 * Adds an invited member, unless there are too many members, or one of them holds the email address.
 *
 * @param others writes that belong to it.
 * @returns the outcome: which conditions of the others failed, if any.
 * @throws RequestError `already_member`, `member_limit_reached`, `unauthorized` if the workspace is being deleted, or
 *   gone
 */
async function putInvited(member: Member, now: number, others: Writes): Promise<Outcome> {
  const { workspaceId } = member;
  return retrying(async () => {
    // Whoever is added after this changes the roster.
    const roster = await getItem(rosterKey(workspaceId));
    const there = await listMembers(workspaceId, now);
    const same = there.find((one) => holdsEmail(one) && isSameEmail(one.email, member.email));
    if (same) throw alreadyThere(same);
    if (there.length >= membersPerWorkspace) throw tooManyMembers();
    const outcome = await commit({
      ...others,
      workspace: checking(workspaceKey(workspaceId), isLiveWorkspace),
      roster: addingMember(workspaceId, roster, member),
      member: putting(newMemberItem(member), isAbsent),
    });
    const { failed, items } = outcome;
    if (!failed) return outcome;
    if (items.workspace) throw workspaceGone();
    if (Object.keys(others).some((name) => items[name])) return outcome;
    // Somebody else was added since the roster was read.
    return overtaken;
  });
}

const alreadyThere = ({ id, email, state }: Member) =>
  new RequestError(
    'already_member',
    `${email} ${state === 'invited' ? 'has already been invited. To invite again, first remove' : 'is already a member:'} ${id}.`,
  );

const tooManyMembers = () =>
  new RequestError(
    'member_limit_reached',
    `A workspace may have at most ${membersPerWorkspace} members, with those who are invited: remove one first.`,
  );

/**
 * Invites somebody, as the operator. Only this returns the secret.
 *
 * @throws RequestError `already_member`, `member_limit_reached`, `unauthorized` if the workspace is being deleted, or
 *   gone
 */
export async function inviteMember(workspaceId: string, invitee: Invitee, now = Date.now()): Promise<Invited> {
  const invited = newInvited(workspaceId, invitee, now);
  await putInvited(invited.member, now, {});
  return invited;
}

/**
 * Invites somebody to the workspace of a key, within the key's own permissions.
 *
 * @param recording the write that records the request, as `executeInTransaction` gives it; undefined if nothing is
 *   recorded.
 * @throws RequestError `unauthorized`, `forbidden`, `already_member`, `member_limit_reached`; ConditionFailed if the
 *   request is recorded already
 */
export async function inviteMemberAs(by: KeyCaller, invitee: Invitee, recording?: (invited: Invited) => Write): Promise<Invited> {
  const invited = newInvited(by.workspaceId, invitee, by.receivedAt);
  return retrying(async () => {
    const caller = await readCaller(by, 'members:write');
    checkGivesRole(caller, invitee.role);
    const others = { ...checkingCaller(caller), record: recording?.(invited) };
    const { failed, items } = await putInvited(invited.member, by.receivedAt, others);
    if (!failed) return invited;
    if (items.record) throw failed;
    // The caller has changed since it was read.
    return overtaken;
  });
}
