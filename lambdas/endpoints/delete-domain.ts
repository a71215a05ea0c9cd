import { domainOf } from '../http/domain-parameter.ts';
import { endpoint } from '../http/endpoint.ts';
import { reply } from '../http/reply.ts';
import { deleteDomain } from '../store/domains.ts';

export const handler = endpoint({}, async ({ workspaceId, event }) => {
  await deleteDomain(workspaceId, domainOf(event));
  return reply(204);
});
