import { receivedAt } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { replyTagged } from '../../http/entity-tag.ts';
import { showMember } from '../../http/shown/member.ts';
import { getMember } from '../../store/members/roster.ts';

export const handler = endpoint({}, async ({ workspaceId, id, event }) =>
  replyTagged(event, 200, showMember(await getMember(workspaceId, id, receivedAt(event)))),
);
