import { orNotFound } from '../../core/errors.ts';
import { receivedAt } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { reply } from '../../http/reply.ts';
import { getApiKey } from '../../store/api-keys/list.ts';
import { keyView } from '../../views/key.ts';

export const handler = endpoint({}, async ({ workspaceId, id, event }) =>
  reply(200, keyView(orNotFound(await getApiKey(workspaceId, id, receivedAt(event)), 'API key'))),
);
