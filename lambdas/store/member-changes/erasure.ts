import { orNotFound } from '../../core/errors.ts';
import { isMemberId } from '../../core/ids.ts';
import type { Member } from '../../core/member/member.ts';
import type { RemovalOptions } from '../../core/member/removal.ts';
import { backOff } from '../../runtime/deadline.ts';
import { revokeMadeKeys } from '../api-keys/made-keys.ts';
import { toMember } from '../members/items.ts';
import { everyMember } from '../members/roster.ts';
import { erasePerson } from '../people/people.ts';
import { text } from '../table/fields.ts';
import { madeKeysSweepKey, memberKey, membershipKey, membershipsIn } from '../table/keys.ts';
import { transactNamed } from '../table/named-writes.ts';
import { getItem, query } from '../table/reads.ts';
import { deleteItem } from '../table/writes.ts';
import { removing } from './changes.ts';

/**
 * How a person is erased, with all that names them:
 *
 * 1. Who they are to their provider. Their sign-ins end with that, and nobody lets them in again as the same person.
 * 2. In each of their workspaces, every member that they are or were: it is removed if it is still there, its keys are
 *    revoked if they are to be, and then its item goes.
 * 3. The member whom the operator named goes last, because it leads to the others. So a run that dies is done again.
 *
 * The history has only ids, and says `former member` once the item is gone. The last owner is erased too: the law does not
 * ask who else there is.
 */

/** How many members were erased, in how many workspaces. */
export type Erased = { readonly members: number; readonly workspaces: number };

/**
 * Erases the person who is or was a member, as the operator, or an invitation that nobody has accepted.
 *
 * @throws RequestError `not_found`
 */
export async function eraseMember(workspaceId: string, id: string, options: RemovalOptions): Promise<Erased> {
  const item = isMemberId(id) ? await getItem(memberKey(workspaceId, id)) : undefined;
  const named = toMember(orNotFound(item, 'member'));
  const { personId } = named;
  if (personId === undefined) {
    await eraseOne(named, options);
    return { members: 1, workspaces: 1 };
  }
  await erasePerson(personId);
  const memberships = await Array.fromAsync(query(membershipsIn(personId)));
  const others = memberships.map((one) => text(one, 'workspaceId')).filter((other) => other !== workspaceId);
  let members = 0;
  for (const one of [...others, workspaceId]) {
    const theirs = (await everyMember(one)).filter((member) => member.personId === personId);
    for (const member of [...theirs.filter((other) => other.id !== id), ...theirs.filter((other) => other.id === id)]) {
      await eraseOne(member, options);
      members++;
    }
    await deleteItem(membershipKey(personId, one));
  }
  return { members, workspaces: others.length + 1 };
}

async function eraseOne(member: Member, options: RemovalOptions): Promise<void> {
  const key = memberKey(member.workspaceId, member.id);
  for (let attempt = 0; member.state !== 'removed'; attempt++) {
    if (attempt > 0) await backOff(attempt);
    if (!(await transactNamed(removing(member, options, Date.now(), { isForced: true })))) break;
    const item = await getItem(key);
    if (!item) return;
    member = toMember(item);
  }
  while (await getItem(madeKeysSweepKey(member.id))) await revokeMadeKeys(member.id);
  await deleteItem(key);
}
