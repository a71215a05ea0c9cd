import { orNotFound } from '../../core/errors.ts';
import { isMemberId } from '../../core/ids.ts';
import { isOwning, isThere, type Member } from '../../core/member/member.ts';
import type { Item } from '../table/client.ts';
import { isKept } from '../table/expiry.ts';
import { all, type Expression, hasStill, lacks, plus, set } from '../table/expressions.ts';
import { memberKey, membersOf, rosterKey } from '../table/keys.ts';
import { getItem, query } from '../table/reads.ts';
import { updating, type Write } from '../table/writes.ts';
import { toMember } from './items.ts';

/**
 * A workspace's roster is an item beside its members. It guarantees two things, however many requests arrive at once:
 *
 * - Once there is an owner, there is always one, unless the operator erases the last. `owners` counts those who are
 *   active. It changes in the transaction that changes the member, and never from one to none.
 * - The number of members is limited, and no two have the same email address. To add a member, a function reads the
 *   roster, then all members, and then writes on the condition that the roster has the same revision.
 *
 * For example, two owners remove each other:
 *
 *     one      reads both, transaction: the other is removed, owners 2 → 1, "one is still an active owner"
 *     other    read both before; transaction: refused, because it is no longer an active owner itself
 *
 * The number of members is not stored, because invitations expire without a write.
 */

/**
 * The write of the roster that updates the number of owners; undefined if it stays the same.
 *
 * @param mayBeLast whether the last owner may be removed.
 */
export function countingOwners(
  workspaceId: string,
  before: Owning | undefined,
  after: Owning | undefined,
  mayBeLast = false,
): Write | undefined {
  const change = Number(after !== undefined && isOwning(after)) - Number(before !== undefined && isOwning(before));
  if (change === 0) return undefined;
  return updating(rosterKey(workspaceId), set({ owners: plus(change) }), change < 0 && !mayBeLast ? hasOthers : undefined);
}

type Owning = Pick<Member, 'role' | 'state'>;

const hasOthers: Expression = { text: '#owners > :one', values: { ':one': 1 } };

/** The write of the roster that adds a member, unless somebody else was added since the roster was read. */
export const addingMember = (workspaceId: string, roster: Item | undefined, member: Owning): Write =>
  updating(
    rosterKey(workspaceId),
    set({ revision: plus(1), owners: plus(Number(isOwning(member))) }),
    all(roster ? hasStill('revision', roster) : lacks('revision')),
  );

/** A member of a workspace, if it is there. @param now in milliseconds since 1970 @throws RequestError `not_found` */
export async function getMember(workspaceId: string, id: string, now: number): Promise<Member> {
  const item = isMemberId(id) ? await getItem(memberKey(workspaceId, id)) : undefined;
  const member = item && toMember(item);
  return orNotFound(member && isThere(member, now) ? member : undefined, 'member');
}

/**
 * The members of a workspace, with those who are invited. Strongly consistent.
 *
 * @param now in milliseconds since 1970
 */
export const listMembers = async (workspaceId: string, now: number): Promise<Member[]> =>
  (await everyMember(workspaceId)).filter((member) => isThere(member, now));

/** The same, with removed members that are still kept. */
export const everyMember = async (workspaceId: string): Promise<Member[]> =>
  (await Array.fromAsync(query(membersOf(workspaceId)))).flatMap((item) => (isKept(item) ? toMember(item) : []));
