import type { Member } from '../../core/member/member.ts';
import type { Person } from '../../core/member/person.ts';
import { afterSignIn, profileOf } from '../../core/member/profile.ts';
import type { Role } from '../../core/member/roles.ts';
import { inParallel } from '../../runtime/in-parallel.ts';
import { getIdentity, keepingIdentity, releasingIdentity } from '../people/people.ts';
import type { Item } from '../table/client.ts';
import { commit, type Writes } from '../table/commit.ts';
import { all, any, type Expression, failedCondition, has, is, isAbsent, lacks, plus, set } from '../table/expressions.ts';
import { maybeFlag, maybeText, text } from '../table/fields.ts';
import { memberKey, membershipKey, membershipsIn, workspaceKey } from '../table/keys.ts';
import { getItems, query } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { deleting, updateItem, updating, type Write } from '../table/writes.ts';
import { hasProfile, profileFields, toMember } from './items.ts';

/**
 * A membership says which member of a workspace a person is, so that a person finds their workspaces. It is written in
 * one transaction with the member. Once the member is removed, it says so, and stays: the rules of the stage that let
 * people in (`signIn.join`) must not undo a removal. An invitation may. If a rule itself has removed the person, they
 * may come back.
 */

/** A person's role and state in a workspace. */
export type Membership = {
  readonly workspaceId: string;
  readonly workspaceName: string;
  readonly memberId: string;
  readonly role: Role;
  readonly state: 'active' | 'pending';
};

/**
 * The writes that make a person a member, unless they are one, or have been erased. A membership remembers all members
 * of the workspace that the person was, whose keys may outlive them.
 */
export const joining = (member: Member, person: Pick<Person, 'id' | 'identity'>, condition = isNoMember) =>
  ({ membership: noting(member, person.id, condition), identity: keepingIdentity(person) }) satisfies Writes;

/** The write that makes a membership match the member. @param removedAt if the member is removed */
export function noting(member: Member, personId: string, condition: Expression, removedAt?: string): Write {
  const { id: memberId, workspaceId, createdAt } = member;
  const removal = removedAt === undefined ? { removedAt: null, endedByRule: null } : { removedAt };
  const update = set({ workspaceId, memberId, createdAt, memberIds: plus(new Set([memberId])), ...removal });
  return updating(membershipKey(personId, workspaceId), update, condition);
}

/** The condition that a membership is as it was read. */
export const isMembershipAsRead = (membership: Item | undefined): Expression =>
  membership ? all(is('memberId', text(membership, 'memberId')), (hasLeft(membership) ? has : lacks)('removedAt')) : isAbsent;

/** The person isn't a member, but may have been one. */
const isNoMember: Expression = any(isAbsent, has('removedAt'));

/** The write that says that a person is no longer a member. @param isByRule whether a rule may make them one again */
export const leaving = ({ id, workspaceId }: Member, personId: string, removedAt: string, isByRule: boolean): Write =>
  updating(membershipKey(personId, workspaceId), set({ removedAt, endedByRule: isByRule || undefined }), is('memberId', id));

/**
 * Removes a membership, even if it only says that the person was removed. After the last one, the person expires like
 * somebody who has never joined a workspace.
 */
export async function dropMembership(personId: string, workspaceId: string): Promise<void> {
  return retrying(async () => {
    const identity = await getIdentity(personId);
    const all = await Array.fromAsync(query(membershipsIn(personId)));
    const hasOthers = all.some((one) => text(one, 'workspaceId') !== workspaceId);
    const { failed } = await commit({
      membership: deleting(membershipKey(personId, workspaceId)),
      identity: identity && releasingIdentity(identity, hasOthers, Date.now()),
    });
    if (!failed) return undefined;
    // The person has joined or left another workspace since, or was erased.
    return overtaken;
  });
}

/** Which of the people are or were members of the workspace, by their memberships. */
export async function peopleWithMembership(workspaceId: string, personIds: readonly string[]): Promise<string[]> {
  const items = await getItems(personIds.map((personId) => membershipKey(personId, workspaceId)));
  return personIds.filter((_, index) => items[index] !== undefined);
}

/** Whether a membership is that of somebody who was removed. */
export const hasLeft = (membership: Item): boolean => maybeText(membership, 'removedAt') !== undefined;

/** Whether a rule may make somebody a member: they never were one, or a rule has ended it. */
export const mayJoinByRule = (membership: Item | undefined): boolean =>
  membership === undefined || (hasLeft(membership) && maybeFlag(membership, 'endedByRule') === true);

/** The members that a person is in all workspaces, with the workspaces' items. */
async function membersOfPerson(personId: string): Promise<{ readonly member: Member; readonly workspace: Item }[]> {
  const memberships = (await Array.fromAsync(query(membershipsIn(personId)))).filter((item) => !hasLeft(item));
  const idsOf = memberships.map((item) => ({ workspaceId: text(item, 'workspaceId'), memberId: text(item, 'memberId') }));
  const items = await getItems(
    idsOf.flatMap(({ workspaceId, memberId }) => [memberKey(workspaceId, memberId), workspaceKey(workspaceId)]),
  );
  return idsOf.flatMap((_, index) => {
    const [member, workspace] = [items[index * 2], items[index * 2 + 1]];
    return member && workspace && workspace.deletingSince === undefined ? { member: toMember(member), workspace } : [];
  });
}

/** The workspaces of a person, in arbitrary order, with those where they wait for approval. */
export const membershipsOf = async (personId: string): Promise<Membership[]> =>
  (await membersOfPerson(personId)).flatMap(({ member: { id, workspaceId, role, state }, workspace }) =>
    state === 'active' || state === 'pending'
      ? { workspaceId, workspaceName: text(workspace, 'name'), memberId: id, role, state }
      : [],
  );

/** How many members are written at a time. */
const concurrency = 10;

/**
 * Updates the members that a person is with what the provider said at a sign-in: see `afterSignIn`. For example, two
 * sign-ins overlap:
 *
 *     one      at 10:00, with a verified address: reads the member
 *     other    at 10:01, with one that is not verified: reads the member, and is noted
 *     one      its write fails, because the member has changed. Its next attempt starts from the changed member: it
 *              keeps the other's time, and brings the verified address
 *
 * If the response to a write is lost, its retry finds nothing left to change.
 */
export async function noteSignIn(person: Person): Promise<void> {
  await inParallel(await membersOfPerson(person.id), concurrency, async ({ member }) => {
    let known: Member | undefined = member;
    await retrying(async () => {
      if (known?.personId !== person.id) return undefined;
      const next = afterSignIn(known, profileOf(person));
      if (next === known) return undefined;
      const isAsKnown = all(is('personId', person.id), hasProfile(known));
      const update = set(profileFields(next));
      const failed = await failedCondition(updateItem(memberKey(member.workspaceId, member.id), update, isAsKnown));
      if (!failed) return undefined;
      known = failed.items[0] && toMember(failed.items[0]);
      return overtaken;
    });
  });
}
