import { notFound } from '../domain/errors.ts';
import { setting } from '../env.ts';
import { replyTagged } from '../http/conditional.ts';
import { endpoint } from '../http/endpoint.ts';
import { linkViews } from '../store/link-views.ts';
import { getLink } from '../store/links.ts';

export const handler = endpoint({}, async ({ workspaceId, id, event }) => {
  const found = await getLink(workspaceId, id);
  if (!found) throw notFound('link');
  const [link] = await linkViews([found], setting('SHORT_URL_ORIGIN'));
  return replyTagged(event, 200, { link });
});
