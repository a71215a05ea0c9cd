import * as z from 'zod/mini';
import { listClicks } from '../../click-log/listing.ts';
import { orNotFound } from '../../core/errors.ts';
import { clickPageOf, clickPageQuery } from '../../http/clicks/click-page.ts';
import { endpoint } from '../../http/endpoint.ts';
import { findNamedLink } from '../../store/links/named-links.ts';

export const query = z.strictObject(clickPageQuery());

export const handler = endpoint({ query }, async ({ workspaceId, id, query, event }) => {
  const { asked, reply, ...page } = clickPageOf([workspaceId, id], query, event);
  const link = orNotFound(await findNamedLink(workspaceId, id), 'link');
  return reply(await listClicks(workspaceId, { ...asked, linkIds: [link.id] }, page));
});
