import * as z from 'zod/mini';
import { orNotFound } from '../../core/errors.ts';
import type { ApiKey } from '../../core/key/api-key.ts';
import { endpoint } from '../../http/endpoint.ts';
import { readIfMatch, replyTagged } from '../../http/entity-tag.ts';
import { expiryIn, keyCallerOf, keyEnded, keySettings, namingExpiry } from '../../http/keys/key-requests.ts';
import { showKey } from '../../http/shown/key.ts';
import { updateApiKey } from '../../store/api-keys/api-keys.ts';

export const body = z.strictObject(keySettings);

export const handler = endpoint({ body }, async ({ id, body, event }) => {
  const { name, permissions } = body;
  const changes = { name, permissions, expiresAt: expiryIn(body, event) };
  const check = (key: ApiKey) => readIfMatch(event, async () => key, showKey);
  const updated = orNotFound(await namingExpiry(body, updateApiKey(id, changes, keyCallerOf(event), check)), 'API key');
  if (updated === 'revoked') throw keyEnded('is revoked');
  return replyTagged(event, 200, showKey(updated));
});
