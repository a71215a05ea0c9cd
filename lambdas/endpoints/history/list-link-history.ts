import * as z from 'zod/mini';
import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { askedPage, pageQuery } from '../../http/list-pages.ts';
import { reply } from '../../http/reply.ts';
import { setting } from '../../runtime/settings.ts';
import { linkHistory } from '../../store/history/history.ts';
import { linkIdNamed } from '../../store/links/named-links.ts';
import { memberNames } from '../../store/members/names.ts';
import { isHistoryPosition } from '../../store/table/keys.ts';
import { entryView, membersIn } from '../../views/history.ts';

export const query = z.strictObject(pageQuery());

export const handler = endpoint({ query }, async ({ workspaceId, id, query }) => {
  const asked = askedPage([workspaceId, 'history', id], query, isHistoryPosition);
  const { linkId, externalId } = orNotFound(await linkIdNamed(workspaceId, id), 'link');
  const page = await linkHistory(workspaceId, linkId, { ...asked, externalId });
  const { entries, next, address } = orNotFound(page, 'link');
  const names = await memberNames(workspaceId, entries.flatMap(membersIn));
  const origin = setting('SHORT_URL_ORIGIN');
  return reply(200, {
    entries: entries.map((entry) => entryView(entry, address, origin, names)),
    nextCursor: asked.nextCursor(next),
  });
});
