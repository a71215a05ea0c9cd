import * as z from 'zod/mini';
import { makeCursor } from '../../core/cursor.ts';
import { fingerprintInId } from '../../core/key/api-key.ts';
import { linksPerPage } from '../../core/limits.ts';
import { receivedAt } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { pageQuery, positionOf } from '../../http/link-page.ts';
import { reply } from '../../http/reply.ts';
import { keyPage } from '../../store/api-keys/list.ts';
import { keyView } from '../../views/key.ts';

export const query = z.strictObject(pageQuery);

function isKeyPosition(text: string): boolean {
  const [createdAt = '', id = '', ...more] = text.split('#');
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(createdAt) && fingerprintInId(id) !== undefined && more.length === 0;
}

export const handler = endpoint({ query }, async ({ workspaceId, query, event }) => {
  const { limit = linksPerPage.unlessAsked, cursor } = query;
  const scope = [workspaceId, 'keys'];
  const before = positionOf(scope, cursor, isKeyPosition);
  const { keys, next } = await keyPage(workspaceId, { limit, before, now: receivedAt(event) });
  return reply(200, { keys: keys.map(keyView), nextCursor: next === undefined ? null : makeCursor(scope, next) });
});
