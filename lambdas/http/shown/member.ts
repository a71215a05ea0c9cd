import type { Member } from '../../core/member/member.ts';
import { memberView } from '../../views/member.ts';
import type { Shown } from '../entity-tag.ts';

/**
 * A member as responses about a single one show it. What sign-ins say of them is no setting. The revision counts changes of
 * the role and the state, so that a tag doesn't match again once they have their former values.
 */
export const showMember = (member: Member): Shown => ({
  body: memberView(member),
  settings: { role: member.role, state: member.state, revision: member.revision },
});
