import { memberOrder } from '../../core/member/member.ts';
import { receivedAt } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { listPage, listQuery } from '../../http/list-pages.ts';
import { reply } from '../../http/reply.ts';
import { listMembers } from '../../store/members/roster.ts';
import { memberView } from '../../views/member.ts';

export const query = listQuery;

export const handler = endpoint({ query }, async ({ workspaceId, query, event }) => {
  const read = () => listMembers(workspaceId, receivedAt(event));
  const { page, nextCursor } = await listPage([workspaceId, 'members'], query, memberOrder, read);
  return reply(200, { members: page.map(memberView), nextCursor });
});
