import { type Member, memberOrigins, memberStates } from '../../core/member/member.ts';
import type { Profile } from '../../core/member/profile.ts';
import { roles } from '../../core/member/roles.ts';
import { changed, created } from '../table/authorship.ts';
import type { Item } from '../table/client.ts';
import { all, any, type Expression, is, lacks } from '../table/expressions.ts';
import { defined, maybeFlag, maybeText, number, oneOf, text } from '../table/fields.ts';
import { type Key, memberKey } from '../table/keys.ts';

const toProfile = (item: Item): Profile => ({
  email: text(item, 'email'),
  name: maybeText(item, 'name') ?? null,
  ...defined({
    emailVerified: maybeFlag(item, 'emailVerified'),
    emailAt: maybeText(item, 'emailAt'),
    lastSignedInAt: maybeText(item, 'lastSignedInAt'),
  }),
});

export const toMember = (item: Item): Member => ({
  id: text(item, 'id'),
  workspaceId: text(item, 'workspaceId'),
  ...toProfile(item),
  role: oneOf(item, 'role', roles),
  state: oneOf(item, 'state', memberStates),
  createdAt: text(item, 'createdAt'),
  revision: number(item, 'revision'),
  ...defined({
    personId: maybeText(item, 'personId'),
    invitationHash: maybeText(item, 'invitationHash'),
    invitedUntil: maybeText(item, 'invitedUntil'),
    revokesKeys: maybeFlag(item, 'revokesKeys'),
    origin: item.origin === undefined ? undefined : oneOf(item, 'origin', memberOrigins),
  }),
});

/** The item of a new member. It says who created it, and with which request. */
export const newMemberItem = (member: Member): Key & Item => ({
  ...memberKey(member.workspaceId, member.id),
  ...defined(member),
  ...created(),
  ...changed(),
  ...(member.invitedUntil !== undefined && { ttl: Math.ceil(Date.parse(member.invitedUntil) / 1_000) }),
});

/** What sign-ins say about a member, as fields of an update. */
export const profileFields = ({ email, emailVerified, emailAt, name, lastSignedInAt }: Profile) => ({
  email,
  emailVerified: emailVerified ?? null,
  emailAt: emailAt ?? null,
  name,
  lastSignedInAt: lastSignedInAt ?? null,
});

/** The condition that no other sign-in has been noted since a member was read. */
export const hasProfile = ({ emailVerified, emailAt, lastSignedInAt }: Profile): Expression =>
  all(...Object.entries({ emailVerified, emailAt, lastSignedInAt }).map(([name, value]) => isOrLacks(name, value)));

const isOrLacks = (name: string, value: unknown): Expression =>
  value === undefined ? any(lacks(name), is(name, null)) : is(name, value);
