import { orNotFound } from '../../core/errors.ts';
import { receivedAt } from '../../http/api-event.ts';
import { endpoint } from '../../http/endpoint.ts';
import { replyTagged } from '../../http/entity-tag.ts';
import { showKey } from '../../http/shown/key.ts';
import { getApiKey } from '../../store/api-keys/list.ts';

export const handler = endpoint({}, async ({ workspaceId, id, event }) =>
  replyTagged(event, 200, showKey(orNotFound(await getApiKey(workspaceId, id, receivedAt(event)), 'API key'))),
);
