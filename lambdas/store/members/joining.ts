import { membershipInconsistent, notFound, RequestError, signInEnded } from '../../core/errors.ts';
import { newMemberId } from '../../core/ids.ts';
import { membersPerWorkspace } from '../../core/limits.ts';
import { isSameEmail } from '../../core/member/email.ts';
import { invitationIn } from '../../core/member/invitation.ts';
import { isThere, type Member } from '../../core/member/member.ts';
import type { Person } from '../../core/member/person.ts';
import type { Role } from '../../core/member/roles.ts';
import { asAuthor } from '../../runtime/author.ts';
import { backOff } from '../../runtime/deadline.ts';
import { signed } from '../table/authorship.ts';
import { is, isAbsent, isLiveWorkspace } from '../table/conditions.ts';
import { text } from '../table/fields.ts';
import { memberKey, membershipKey, rosterKey, workspaceKey } from '../table/keys.ts';
import { transactNamed } from '../table/named-writes.ts';
import { getItem, getItems } from '../table/reads.ts';
import { checking, putting, updating } from '../table/writes.ts';
import { newMemberItem, toMember } from './items.ts';
import { hasLeft, joining } from './memberships.ts';
import { addingMember, countingOwners, everyMember } from './roster.ts';

/** What somebody is once they have accepted an invitation. */
export type Joined = Pick<Member, 'workspaceId' | 'role'> & {
  readonly memberId: string;
  readonly state: 'active' | 'pending';
};

/** The same whether there never was such an invitation, or it has ended, was used, or belongs to a workspace that is gone. */
const noInvitation = () => notFound('invitation, or it has been used or has ended');

/** Runs `work` in a member's name. */
const asMember = <T>(memberId: string, work: () => Promise<T>): Promise<T> =>
  asAuthor({ actor: { type: 'member', id: memberId, name: null }, requestId: null }, work);

/**
 * Accepts an invitation. However often and by however many it is accepted at once, one person becomes the member, and each
 * repetition of that person has the same result.
 *
 * The person has to have the invited email address. If the provider has verified it, they are active at once; if it does
 * not say, they wait until somebody approves.
 *
 * @param receivedAt when the gateway received the request, in milliseconds since 1970.
 * @throws RequestError `not_found`, `forbidden`, `already_member`, `unauthorized` if the person has been erased,
 *   `membership_inconsistent`
 */
export async function acceptInvitation(person: Person, secret: string, receivedAt: number): Promise<Joined> {
  const invitation = invitationIn(secret);
  if (!invitation) throw noInvitation();
  const { workspaceId, memberId, hash } = invitation;
  const key = memberKey(workspaceId, memberId);
  for (let attempt = 0; ; attempt++) {
    if (attempt > 0) await backOff(attempt);
    const [item, membership] = await getItems([key, membershipKey(person.id, workspaceId)]);
    const member = item && toMember(item);
    if (member?.invitationHash !== hash || !isThere(member, receivedAt)) throw noInvitation();
    const { state, role, revision } = member;
    if (state !== 'invited') {
      if (member.personId !== person.id) throw noInvitation();
      return { workspaceId, memberId, role, state: state as Joined['state'] };
    }
    checkAddress(person, member);
    if (membership && !hasLeft(membership)) {
      if (!(await getItem(memberKey(workspaceId, text(membership, 'memberId'))))) throw membershipInconsistent();
      throw alreadyMember();
    }
    const joined = { ...member, state: person.emailVerified ? ('active' as const) : ('pending' as const) };
    const update = {
      text: 'SET #state = :state, #revision = :next, #personId = :person, #email = :email, #name = :name, #lastSignedInAt = :at REMOVE #ttl, #invitedUntil',
      values: {
        ':state': joined.state,
        ':next': revision + 1,
        ':person': person.id,
        ':email': person.email,
        ':name': person.name,
        ':at': new Date(receivedAt).toISOString(),
      },
    };
    const failures = await asMember(memberId, async () =>
      transactNamed({
        member: updating(key, signed(update), is('revision', revision)),
        ...joining(member, person),
        roster: countingOwners(workspaceId, member, joined),
        workspace: checking(workspaceKey(workspaceId), isLiveWorkspace),
      }),
    );
    if (!failures) return { workspaceId, memberId, role, state: joined.state };
    if (failures.items.workspace) throw noInvitation();
    if (failures.items.identity) throw signInEnded();
    // The member, or the person's membership, has changed since it was read.
  }
}

/** @throws RequestError `forbidden` unless the invitation is for the person's address */
function checkAddress({ email, emailVerified }: Person, invited: Member): void {
  if (!isSameEmail(email, invited.email)) {
    throw new RequestError('forbidden', 'The invitation is for another email address than the one with which you signed in.');
  }
  if (emailVerified === false) {
    throw new RequestError('forbidden', 'Your provider has not verified your email address: verify it there, and sign in again.');
  }
}

const alreadyMember = () => new RequestError('already_member', 'You are a member of the workspace already.');

/**
 * Lets a person into a workspace because a rule of the stage says so. No-op for somebody who is a member, or was one: a rule
 * must not undo a removal. No-op also if the workspace is full, or gone, because a sign-in must not fail for that.
 *
 * @param receivedAt when the gateway received the request, in milliseconds since 1970.
 */
export async function joinWorkspace(
  person: Person,
  { workspaceId, role }: { readonly workspaceId: string; readonly role: Role },
  receivedAt: number,
): Promise<void> {
  const now = new Date(receivedAt).toISOString();
  const member: Member = {
    id: newMemberId(),
    workspaceId,
    email: person.email,
    name: person.name,
    role,
    state: 'active',
    createdAt: now,
    lastSignedInAt: now,
    personId: person.id,
    revision: 0,
  };
  for (let attempt = 0; ; attempt++) {
    if (attempt > 0) await backOff(attempt);
    const [membership, workspace, roster] = await getItems([
      membershipKey(person.id, workspaceId),
      workspaceKey(workspaceId),
      rosterKey(workspaceId),
    ]);
    if (membership || !workspace || workspace.deletingSince !== undefined) return;
    const there = (await everyMember(workspaceId)).filter((one) => isThere(one, receivedAt));
    if (there.length >= membersPerWorkspace) {
      console.warn({ message: 'a workspace has too many members for a rule that lets people in', workspaceId });
      return;
    }
    const failures = await asMember(member.id, async () =>
      transactNamed({
        member: putting(newMemberItem(member), isAbsent),
        ...joining(member, person, isAbsent),
        roster: addingMember(workspaceId, roster, member),
        workspace: checking(workspaceKey(workspaceId), isLiveWorkspace),
      }),
    );
    // Without their identity, the person has been erased since they signed in.
    if (!failures || failures.items.identity) return;
  }
}
