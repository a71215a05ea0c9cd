import { notFound } from '../domain/errors.ts';
import { setting } from '../env.ts';
import { checkIfMatch, isConditional } from '../http/conditional.ts';
import { endpoint } from '../http/endpoint.ts';
import { reply } from '../http/reply.ts';
import { deleteLink } from '../store/link-changes.ts';
import { linkViews } from '../store/link-views.ts';
import { getLink } from '../store/links.ts';

export const handler = endpoint({}, async ({ workspaceId, id, event }) => {
  const found = await getLink(workspaceId, id);
  if (!found) throw notFound('link');
  const asRead = isConditional(event);
  if (asRead) {
    const [link] = await linkViews([found], setting('SHORT_URL_ORIGIN'));
    checkIfMatch(event, { link });
  }
  await deleteLink(found, { asRead });
  return reply(204);
});
