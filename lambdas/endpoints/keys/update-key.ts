import * as z from 'zod/mini';
import { orNotFound } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import {
  expiryFields,
  expiryIn,
  keyCallerOf,
  keyEnded,
  keyName,
  keyPermissions,
  namingExpiry,
} from '../../http/keys/key-requests.ts';
import { reply } from '../../http/reply.ts';
import { updateApiKey } from '../../store/api-keys/api-keys.ts';
import { keyView } from '../../views/key.ts';

export const body = z.strictObject({
  name: z.optional(z.nullable(keyName)),
  permissions: z.optional(keyPermissions),
  ...expiryFields,
});

export const handler = endpoint({ body }, async ({ id, body, event }) => {
  const { name, permissions } = body;
  const changes = { name, permissions, expiresAt: expiryIn(body, event) };
  const updated = orNotFound(await namingExpiry(body, updateApiKey(id, changes, keyCallerOf(event))), 'API key');
  if (updated === 'revoked') throw keyEnded('is revoked');
  return reply(200, keyView(updated));
});
