import { membershipInconsistent, notFound, RequestError, signInEnded } from '../../core/errors.ts';
import { newMemberId } from '../../core/ids.ts';
import { membersPerWorkspace } from '../../core/limits.ts';
import { isSameEmail } from '../../core/member/email.ts';
import { invitationIn } from '../../core/member/invitation.ts';
import { isThere, type Member } from '../../core/member/member.ts';
import type { Person } from '../../core/member/person.ts';
import { profileOf } from '../../core/member/profile.ts';
import { higherRole, type Role } from '../../core/member/roles.ts';
import { asAuthor } from '../../runtime/author.ts';
import { signed } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import { commit } from '../table/commit.ts';
import { all, type Expression, is, isAbsent, isLiveWorkspace, lacks, set } from '../table/expressions.ts';
import { text } from '../table/fields.ts';
import { memberKey, membershipKey, rosterKey, workspaceKey } from '../table/keys.ts';
import { getItem, getItems } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { checking, putting, updating } from '../table/writes.ts';
import { newMemberItem, profileFields, toMember } from './items.ts';
import { hasLeft, isMembershipAsRead, joining, mayJoinByRule } from './memberships.ts';
import { addingMember, countingOwners, everyMember } from './roster.ts';

/** The member that somebody is after accepting an invitation. */
export type Joined = Pick<Member, 'workspaceId' | 'role'> & {
  readonly memberId: string;
  readonly state: 'active' | 'pending';
};

/** The same error for an invitation that never existed, has ended, was used, or belongs to a workspace that is gone. */
const noInvitation = () => notFound('invitation, or it has been used or has ended');

/** Runs `work` in a member's name. */
export const asMember = <T>(memberId: string, work: () => Promise<T>): Promise<T> =>
  asAuthor({ actor: { type: 'member', id: memberId, name: null }, requestId: null }, work);

/**
 * Accepts an invitation. However many people accept it at once, one of them becomes the member, and that person's
 * retries have the same result.
 *
 * The person has to have the invited email address. If the provider has verified it, they are active at once; if it
 * does not say, they wait until somebody approves. A person who is a member already, for example by a rule of the
 * stage, gets the higher of the two roles, and the invitation ends.
 *
 * @param receivedAt when the gateway received the request, in milliseconds since 1970.
 * @throws RequestError `not_found`, `forbidden`, `already_member` if the provider has not verified the address of a
 *   member, `unauthorized` if the person has been erased, `membership_inconsistent`
 */
export async function acceptInvitation(person: Person, secret: string, receivedAt: number): Promise<Joined> {
  const invitation = invitationIn(secret);
  if (!invitation) throw noInvitation();
  const { workspaceId, memberId, hash } = invitation;
  return retrying(async () => {
    const [item, membership] = await getItems([memberKey(workspaceId, memberId), membershipKey(person.id, workspaceId)]);
    const member = item && toMember(item);
    if (member?.invitationHash !== hash) throw noInvitation();
    const isTheirs = member.personId === person.id;
    if (isTheirs && (member.state === 'active' || member.state === 'pending')) return joinedAs(member);
    const current = membership && !hasLeft(membership) ? await readCurrent(membership) : undefined;
    // They accepted it when they were a member already.
    if (isTheirs && current) return joinedAs(current);
    if (member.state !== 'invited' || !isThere(member, receivedAt)) throw noInvitation();
    checkAddress(person, member);
    if (current && !person.emailVerified) throw alreadyMember();
    const next = { ...member, state: person.emailVerified ? ('active' as const) : ('pending' as const) };
    const raised = current && { ...current, state: 'active' as const, role: higherRole(current.role, member.role) };
    const { failed, items } = await asMember(current?.id ?? memberId, async () =>
      commit(raised ? raising(current, raised, member) : entering(member, next, person, receivedAt)),
    );
    if (!failed) return joinedAs(raised ?? next);
    if (items.workspace) throw noInvitation();
    if (items.identity) throw signInEnded();
    // The member, or the person's membership, has changed since it was read.
    return overtaken;
  });
}

const joinedAs = ({ workspaceId, id, role, state }: Member): Joined => ({
  workspaceId,
  memberId: id,
  role,
  state: state as Joined['state'],
});

/** The member that a person is, by their membership. @throws RequestError `membership_inconsistent` */
async function readCurrent(membership: Item): Promise<Member> {
  const item = await getItem(memberKey(text(membership, 'workspaceId'), text(membership, 'memberId')));
  const member = item && toMember(item);
  if (member?.state !== 'active' && member?.state !== 'pending') throw membershipInconsistent();
  return member;
}

/** The writes that make a person the invited member. */
const entering = (
  invited: Member,
  next: Pick<Member, 'role' | 'state'>,
  person: Person,
  receivedAt: number,
  condition?: Expression,
) => {
  const { workspaceId, revision } = invited;
  const { state, role } = next;
  const update = set({
    ...{ state, role, revision: revision + 1, personId: person.id, origin: 'invitation', ttl: null, invitedUntil: null },
    ...profileFields({ ...profileOf(person), lastSignedInAt: new Date(receivedAt).toISOString() }),
  });
  return {
    member: updating(memberKey(workspaceId, invited.id), signed(update), is('revision', revision)),
    ...joining(invited, person, condition),
    roster: countingOwners(workspaceId, invited, next),
    workspace: checking(workspaceKey(workspaceId), isLiveWorkspace),
  };
};

/**
 * The writes with which an invitation raises a member's role. The invitation ends, and records who accepted it, so that
 * a retry is recognised until the invitation would have expired.
 */
const raising = (current: Member, raised: Member, { id, workspaceId, revision }: Member) => {
  const membership = membershipKey(current.personId ?? '', workspaceId);
  const used = set({ state: 'removed', revision: revision + 1, personId: current.personId, invitedUntil: null });
  const { state, role } = raised;
  const update = set({ state, role, revision: current.revision + 1, origin: 'invitation' });
  const isStill = all(is('revision', current.revision), is('state', current.state));
  return {
    invitation: updating(memberKey(workspaceId, id), signed(used), is('revision', revision)),
    member: updating(memberKey(workspaceId, current.id), signed(update), isStill),
    membership: checking(membership, all(is('memberId', current.id), lacks('removedAt'))),
    roster: countingOwners(workspaceId, current, raised),
    workspace: checking(workspaceKey(workspaceId), isLiveWorkspace),
  };
};

/** @throws RequestError `forbidden` unless the invitation is for the person's address */
function checkAddress({ email, emailVerified }: Person, invited: Member): void {
  if (!isSameEmail(email, invited.email)) {
    throw new RequestError('forbidden', 'The invitation is for a different email address than the one you signed in with.');
  }
  if (emailVerified === false) {
    throw new RequestError('forbidden', 'Your provider has not verified your email address: verify it there, and sign in again.');
  }
}

const alreadyMember = () =>
  new RequestError(
    'already_member',
    'You are already a member of the workspace. Your provider does not verify your address, so an owner has to change your role.',
  );

/**
 * Lets a person into a workspace by a rule of the stage. If their verified address is invited, this accepts the
 * invitation, with the higher of the two roles. No-op for members, and for former ones unless a rule has removed them:
 * a rule must not undo a removal. No-op also if the workspace is full, or gone, because that must not fail a sign-in.
 *
 * @param receivedAt when the gateway received the request, in milliseconds since 1970.
 * @returns the membership of somebody who was a member or is one, as it was read; undefined if the person is new
 */
export async function joinWorkspace(
  person: Person,
  { workspaceId, role }: { readonly workspaceId: string; readonly role: Role },
  receivedAt: number,
): Promise<Item | undefined> {
  const now = new Date(receivedAt).toISOString();
  const member: Member = {
    id: newMemberId(),
    workspaceId,
    ...profileOf(person),
    lastSignedInAt: now,
    role,
    state: 'active',
    createdAt: now,
    personId: person.id,
    origin: 'rule',
    revision: 0,
  };
  return retrying(async () => {
    const [membership, workspace, roster] = await getItems([
      membershipKey(person.id, workspaceId),
      workspaceKey(workspaceId),
      rosterKey(workspaceId),
    ]);
    if (!mayJoinByRule(membership) || !workspace || workspace.deletingSince !== undefined) return membership;
    const there = (await everyMember(workspaceId)).filter((one) => isThere(one, receivedAt));
    const invited = person.emailVerified && there.find((one) => one.state === 'invited' && isSameEmail(one.email, person.email));
    if (!invited && there.length >= membersPerWorkspace) {
      console.warn({ message: 'a workspace has too many members for a rule that lets people in', workspaceId });
      return membership;
    }
    const next = { state: 'active', role: invited ? higherRole(invited.role, role) : role } as const;
    const { failed, items } = await asMember(invited ? invited.id : member.id, async () =>
      commit(
        invited
          ? entering(invited, next, person, receivedAt, isMembershipAsRead(membership))
          : {
              member: putting(newMemberItem(member), isAbsent),
              ...joining(member, person, isMembershipAsRead(membership)),
              roster: addingMember(workspaceId, roster, member),
              workspace: checking(workspaceKey(workspaceId), isLiveWorkspace),
            },
      ),
    );
    // If the identity is gone, the person has been erased since they signed in.
    if (!failed || items.identity) return undefined;
    return overtaken;
  });
}
