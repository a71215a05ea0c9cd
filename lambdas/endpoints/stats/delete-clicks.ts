import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { eraseClicks } from '../../store/erasures/erasure.ts';
import { findNamedLink } from '../../store/links/named-links.ts';

export const handler = endpoint({}, async ({ workspaceId, id }) => {
  await eraseClicks(orNotFound(await findNamedLink(workspaceId, id), 'link'));
  return reply(204);
});
