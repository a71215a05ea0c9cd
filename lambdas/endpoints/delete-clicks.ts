import { orNotFound } from '../domain/errors.ts';
import { endpoint } from '../http/endpoint.ts';
import { reply } from '../http/reply.ts';
import { eraseClicks } from '../store/clicks/erasure.ts';
import { findLink } from '../store/links/links.ts';

export const handler = endpoint({}, async ({ workspaceId, id }) => {
  await eraseClicks(orNotFound(await findLink(workspaceId, id), 'link'));
  return reply(204);
});
