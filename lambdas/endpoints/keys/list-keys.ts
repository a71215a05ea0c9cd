import * as z from 'zod/mini';
import { fingerprintInId } from '../../core/key/api-key.ts';
import { receivedAt } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { askedPage, pageQuery } from '../../http/list-pages.ts';
import { reply } from '../../http/reply.ts';
import { keyPage } from '../../store/api-keys/list.ts';
import { keyView } from '../../views/key.ts';

export const query = z.strictObject(pageQuery());

function isKeyPosition(text: string): boolean {
  const [createdAt = '', id = '', ...more] = text.split('#');
  return /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/.test(createdAt) && fingerprintInId(id) !== undefined && more.length === 0;
}

export const handler = endpoint({ query }, async ({ workspaceId, query, event }) => {
  const asked = askedPage([workspaceId, 'keys'], query, isKeyPosition);
  const { keys, next } = await keyPage(workspaceId, asked, receivedAt(event));
  return reply(200, { keys: keys.map(keyView), nextCursor: asked.nextCursor(next) });
});
