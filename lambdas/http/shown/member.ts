import type { Member } from '../../core/member/member.ts';
import { memberView } from '../../views/member.ts';
import type { Shown } from '../entity-tag.ts';

/**
 * A member as responses about a single one show it. Fields that come from sign-ins aren't settings. The revision counts
 * changes of role and state, so that a tag doesn't match again if they return to their former values.
 */
export const showMember = (member: Member): Shown => ({
  body: memberView(member),
  settings: { role: member.role, state: member.state, revision: member.revision },
});
