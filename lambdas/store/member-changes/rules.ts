import { RequestError } from '../../core/errors.ts';
import type { Member } from '../../core/member/member.ts';
import type { Person } from '../../core/member/person.ts';
import { higherRole } from '../../core/member/roles.ts';
import type { Place } from '../../core/sign-in/claims.ts';
import { toMember } from '../members/items.ts';
import { asMember, joinWorkspace } from '../members/joining.ts';
import { hasLeft } from '../members/memberships.ts';
import { countingOwners } from '../members/roster.ts';
import { signed } from '../table/authorship.ts';
import { is, set } from '../table/expressions.ts';
import { text } from '../table/fields.ts';
import { memberKey, membershipKey } from '../table/keys.ts';
import { getItem } from '../table/reads.ts';
import { overtaken, retrying } from '../table/retrying.ts';
import { updating } from '../table/writes.ts';
import { changed, removing } from './changes.ts';

/**
 * Applies the rules of the stage to a person at a sign-in: people who have entered a group join the workspace, those
 * who have left it are removed, and those who have changed groups get the role of the new one. Rules only change
 * members that a rule has made. An invitation or a change by an owner stays, and so does the last owner. People who
 * come back join again.
 *
 * @param receivedAt when the gateway received the request, in milliseconds since 1970.
 * @param keptDays how long a removed member stays for the history.
 */
export async function followRules(person: Person, place: Place, receivedAt: number, keptDays: number): Promise<void> {
  const { workspaceId, role, isKnown } = place;
  return retrying(async () => {
    const membership =
      role === undefined
        ? await getItem(membershipKey(person.id, workspaceId))
        : await joinWorkspace(person, { workspaceId, role }, receivedAt);
    if (!membership || hasLeft(membership)) return undefined;
    const item = await getItem(memberKey(workspaceId, text(membership, 'memberId')));
    const member = item && toMember(item);
    if (member?.state !== 'active' || member.origin !== 'rule') return undefined;
    // A later sign-in has been noted, and knows newer groups.
    if ((member.lastSignedInAt ?? '') > new Date(receivedAt).toISOString()) return undefined;
    const isLess = role === undefined || higherRole(role, member.role) !== role;
    if (role === member.role || (isLess && !isKnown)) return undefined;
    const options = { keys: 'revoke', keptDays } as const;
    const writes = () =>
      role === undefined ? removing(member, options, receivedAt, { isByRule: true }) : givingRole(member, role);
    try {
      if (await asMember(member.id, () => changed(workspaceId, writes()))) return undefined;
    } catch (error) {
      const code = error instanceof RequestError ? error.code : undefined;
      if (code !== 'last_owner' && code !== 'membership_inconsistent') throw error;
      console.warn({ message: 'a rule cannot change a member', workspaceId, memberId: member.id, reason: code });
      return undefined;
    }
    // The member has changed since it was read.
    return overtaken;
  });
}

const givingRole = (member: Member, role: Member['role']) => {
  const { workspaceId, id, revision } = member;
  const update = set({ role, revision: revision + 1 });
  return {
    member: updating(memberKey(workspaceId, id), signed(update), is('revision', revision)),
    roster: countingOwners(workspaceId, member, { ...member, role }),
  };
};
