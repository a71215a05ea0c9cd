import * as z from 'zod/mini';
import { makeCursor, positionIn } from '../../core/cursor.ts';
import { linksPerPage } from '../../core/limits.ts';
import { receivedAt } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { pageQuery } from '../../http/link-page.ts';
import { parameterRefused } from '../../http/parse-query.ts';
import { reply } from '../../http/reply.ts';
import { keyPage } from '../../store/api-keys/list.ts';
import { keyView } from '../../views/key.ts';

export const query = z.strictObject(pageQuery);

const positionPattern = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#key_[0-9A-Za-z_-]{43}$/;

export const handler = endpoint({ query }, async ({ workspaceId, query, event }) => {
  const { limit = linksPerPage.unlessAsked, cursor } = query;
  const scope = [workspaceId, 'keys'];
  const before = cursor === undefined ? undefined : positionIn(scope, cursor);
  if (cursor !== undefined && (before === undefined || !positionPattern.test(before)))
    throw parameterRefused('cursor', 'invalid_cursor', 'must be the nextCursor of the previous page');
  const { keys, next } = await keyPage(workspaceId, { limit, before, now: receivedAt(event) });
  return reply(200, { keys: keys.map(keyView), nextCursor: next === undefined ? null : makeCursor(scope, next) });
});
