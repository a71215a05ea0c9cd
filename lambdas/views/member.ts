import type { Member } from '../core/member/member.ts';

/** A member as the API returns it. Removed members are not shown. */
export const memberView = ({ id, email, emailVerified, name, role, state, createdAt, lastSignedInAt }: Member) => ({
  id,
  email,
  emailVerified: emailVerified ?? null,
  name,
  role,
  state: state as Exclude<Member['state'], 'removed'>,
  createdAt,
  lastSignedInAt: lastSignedInAt ?? null,
});

/** A member with the link of the invitation, as only the response to the invitation shows it. */
export const invitedView = (member: Member, invitationUrl: string) => ({ ...memberView(member), invitationUrl });
