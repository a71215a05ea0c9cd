import { endpoint } from '../../http/endpoint.ts';
import { keyCallerOf } from '../../http/keys/key-requests.ts';
import { removalOptions, removalQuery } from '../../http/members/member-requests.ts';
import { reply } from '../../http/reply.ts';
import { removeMemberAs } from '../../store/member-changes/changes.ts';

export const query = removalQuery;

export const handler = endpoint({ query }, async ({ id, query, event }) => {
  await removeMemberAs(id, removalOptions(query), keyCallerOf(event));
  return reply(204);
});
