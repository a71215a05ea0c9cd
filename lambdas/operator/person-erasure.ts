import { orNotFound } from '../core/errors.ts';
import { isMemberId } from '../core/ids.ts';
import type { Member } from '../core/member/member.ts';
import type { RemovalOptions } from '../core/member/removal.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { madeKeys, revokeMadeKeys, startingRevocation } from '../store/api-keys/made-keys.ts';
import { removing } from '../store/member-changes/changes.ts';
import { toMember } from '../store/members/items.ts';
import { everyMember } from '../store/members/roster.ts';
import { forgetPerson } from '../store/people/people.ts';
import type { Item } from '../store/table/client.ts';
import { commit } from '../store/table/commit.ts';
import { text, textSet } from '../store/table/fields.ts';
import { madeKeysSweepKey, memberKey, membershipsIn, toKey } from '../store/table/keys.ts';
import { getItem, query } from '../store/table/reads.ts';
import { overtaken, retrying } from '../store/table/retrying.ts';
import { deleteItem } from '../store/table/writes.ts';
import { listWorkspaces } from '../store/workspaces/workspaces.ts';

/**
 * How a person is erased, with everything that names them:
 *
 * 1. Their identity at the provider, and what the provider said of them, are deleted. That ends their sign-ins, they
 *    can't return as the same person, and no acceptance under way makes them a member.
 * 2. In each workspace of the stage, every member that they are or were is removed, its keys are revoked if that is
 *    wanted, and its item is deleted. All workspaces are searched, because the memberships may be incomplete after a
 *    restoration or a run that died.
 * 3. Their memberships are deleted, each after the keys of members whose items have expired: only the membership has
 *    their ids.
 * 4. The member that the operator named is deleted last, because it leads to the others.
 *
 * If a run dies, repeat it with the same member, or with the person's id. The history has only ids, and says
 * `former member` once the item is gone. The last owner is erased too: the law makes no exception.
 */

/** How many people and members this run has erased, in how many workspaces. */
export type Erased = { readonly people: number; readonly members: number; readonly workspaces: number };

/**
 * Erases the person who is or was a member, as the operator, or an invitation that nobody has accepted.
 *
 * @throws RequestError `not_found`
 */
export async function eraseMember(workspaceId: string, id: string, options: RemovalOptions): Promise<Erased> {
  const item = isMemberId(id) ? await getItem(memberKey(workspaceId, id)) : undefined;
  const named = toMember(orNotFound(item, 'member'));
  if (named.personId !== undefined) return erasePerson(named.personId, options, named);
  await eraseOne(named, options);
  return { people: 0, members: 1, workspaces: 1 };
}

/** How many workspaces are looked through at a time. */
const concurrency = 25;

/**
 * Erases a person, as the operator, whether or not they are or were a member of a workspace. Idempotent.
 *
 * @param last the member to erase last, if any.
 */
export async function erasePerson(personId: string, options: RemovalOptions, last?: Member): Promise<Erased> {
  const people = Number(await forgetPerson(personId));
  // From now on, the person can't join a workspace, not even one that is created later.
  const workspaceIds = (await listWorkspaces()).map(({ id }) => id);
  return { people, ...(await eraseMembers(personId, workspaceIds, options, last)) };
}

/** Erases the members that a person is or was, after the person's identity. */
export async function eraseMembers(
  personId: string,
  workspaceIds: readonly string[],
  options: RemovalOptions,
  last?: Member,
): Promise<Omit<Erased, 'people'>> {
  const isTheirs = (member: Member) => member.personId === personId && member.id !== last?.id;
  const found = await inParallel(workspaceIds, concurrency, async (id) => (await everyMember(id)).filter(isTheirs));
  const members = [...found.flat(), ...(last ? [last] : [])];
  for (const member of found.flat()) await eraseOne(member, options);
  for (const membership of await Array.fromAsync(query(membershipsIn(personId)))) {
    if (options.keys === 'revoke') await revokeKeysOfMembers(membership, last);
    await deleteItem(toKey(membership));
  }
  if (last) await eraseOne(last, options);
  return { members: members.length, workspaces: new Set(members.map(({ workspaceId }) => workspaceId)).size };
}

/** Removes a member, if that is not done, revokes their keys, and deletes the item. */
async function eraseOne(found: Member, options: RemovalOptions): Promise<void> {
  const key = memberKey(found.workspaceId, found.id);
  let member = found;
  const isThere = await retrying(async () => {
    const { state, revokesKeys = false } = member;
    if (state === 'removed' && (revokesKeys || options.keys === 'keep')) return true;
    if (!(await commit(removing(member, options, Date.now(), { isForced: true }))).failed) return true;
    const item = await getItem(key);
    if (!item) return false;
    member = toMember(item);
    return overtaken;
  });
  if (!isThere) return;
  await finishRevocation(found.id);
  await deleteItem(key);
}

const finishRevocation = async (memberId: string): Promise<void> => {
  while (await getItem(madeKeysSweepKey(memberId))) await revokeMadeKeys(memberId);
};

/** Revokes the keys that a person made as members whose items have expired, and any that those keys make meanwhile. */
async function revokeKeysOfMembers(membership: Item, { id: lastId }: Partial<Member> = {}): Promise<void> {
  const workspaceId = text(membership, 'workspaceId');
  for (const memberId of textSet(membership, 'memberIds')) {
    while (memberId !== lastId && (await madeKeys(memberId)).length > 0) {
      await commit({ sweep: startingRevocation(memberId, workspaceId, new Date().toISOString()) });
      await finishRevocation(memberId);
    }
  }
}
