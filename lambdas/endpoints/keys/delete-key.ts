import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { keyCallerOf } from '../../http/keys/key-requests.ts';
import { reply } from '../../http/reply.ts';
import { revokeApiKey } from '../../store/api-keys/api-keys.ts';

export const handler = endpoint({}, async ({ id, event }) => {
  orNotFound(await revokeApiKey(id, keyCallerOf(event)), 'API key');
  return reply(204);
});
