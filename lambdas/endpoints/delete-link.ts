import { notFound } from '../domain/errors.ts';
import { checkIfMatch, isConditional } from '../http/conditional.ts';
import { endpoint } from '../http/endpoint.ts';
import { reply } from '../http/reply.ts';
import { setting } from '../runtime/settings.ts';
import { deleteLink } from '../store/links/changes.ts';
import { detailsOfOne } from '../store/links/details.ts';
import { getLink } from '../store/links/links.ts';
import { linkView } from '../views/link.ts';

export const handler = endpoint({}, async ({ workspaceId, id, event }) => {
  const found = await getLink(workspaceId, id);
  if (!found) throw notFound('link');
  const asRead = isConditional(event);
  if (asRead) checkIfMatch(event, { link: linkView(await detailsOfOne(found), setting('SHORT_URL_ORIGIN')) });
  await deleteLink(found, { asRead });
  return reply(204);
});
