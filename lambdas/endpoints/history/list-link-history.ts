import * as z from 'zod/mini';
import { makeCursor, positionIn } from '../../core/cursor.ts';
import { orNotFound } from '../../core/errors.ts';
import { linksPerPage } from '../../core/limits.ts';
import { endpoint } from '../../http/endpoint.ts';
import { pageQuery } from '../../http/link-page.ts';
import { parameterRefused } from '../../http/parse-query.ts';
import { reply } from '../../http/reply.ts';
import { setting } from '../../runtime/settings.ts';
import { linkHistory } from '../../store/history/history.ts';
import { linkIdNamed } from '../../store/links/named-links.ts';
import { memberNames } from '../../store/members/names.ts';
import { isHistoryPosition } from '../../store/table/keys.ts';
import { entryView, membersIn } from '../../views/history.ts';

export const query = z.strictObject(pageQuery);

export const handler = endpoint({ query }, async ({ workspaceId, id, query }) => {
  const { limit = linksPerPage.unlessAsked, cursor } = query;
  const scope = [workspaceId, 'history', id];
  const before = cursor === undefined ? undefined : positionIn(scope, cursor);
  if (cursor !== undefined && (before === undefined || !isHistoryPosition(before))) {
    throw parameterRefused('cursor', 'invalid_cursor', 'must be the nextCursor of the previous page, with the same filter');
  }
  const { linkId, externalId } = orNotFound(await linkIdNamed(workspaceId, id), 'link');
  const page = await linkHistory(workspaceId, linkId, { limit, before, externalId });
  const { entries, next, address } = orNotFound(page, 'link');
  const names = await memberNames(workspaceId, entries.flatMap(membersIn));
  const origin = setting('SHORT_URL_ORIGIN');
  return reply(200, {
    entries: entries.map((entry) => entryView(entry, address, origin, names)),
    nextCursor: next === undefined ? null : makeCursor(scope, next),
  });
});
