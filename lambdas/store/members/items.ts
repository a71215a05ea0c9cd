import { type Member, memberStates } from '../../core/member/member.ts';
import { roles } from '../../core/member/roles.ts';
import { changed, created } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import { defined, maybeFlag, maybeText, number, oneOf, text } from '../table/fields.ts';
import { type Key, memberKey } from '../table/keys.ts';

export const toMember = (item: Item): Member => ({
  id: text(item, 'id'),
  workspaceId: text(item, 'workspaceId'),
  email: text(item, 'email'),
  name: maybeText(item, 'name') ?? null,
  role: oneOf(item, 'role', roles),
  state: oneOf(item, 'state', memberStates),
  createdAt: text(item, 'createdAt'),
  revision: number(item, 'revision'),
  ...defined({
    lastSignedInAt: maybeText(item, 'lastSignedInAt'),
    personId: maybeText(item, 'personId'),
    invitationHash: maybeText(item, 'invitationHash'),
    invitedUntil: maybeText(item, 'invitedUntil'),
    revokesKeys: maybeFlag(item, 'revokesKeys'),
  }),
});

/** The item of a new member. It says who created it, and with which request. */
export const newMemberItem = (member: Member): Key & Item => ({
  ...memberKey(member.workspaceId, member.id),
  ...member,
  ...created(),
  ...changed(),
  ...(member.invitedUntil !== undefined && { ttl: Math.ceil(Date.parse(member.invitedUntil) / 1_000) }),
});
