import * as z from 'zod/mini';
import { RequestError } from '../../core/errors.ts';
import { endpoint } from '../../http/endpoint.ts';
import { repeatableRequest } from '../../http/idempotency-key.ts';
import { expiryIn, keyCallerOf, keySettings, namingExpiry } from '../../http/keys/key-requests.ts';
import { reply } from '../../http/reply.ts';
import { createKeyAs } from '../../store/api-keys/api-keys.ts';
import { readCaller } from '../../store/api-keys/callers.ts';
import type { MadeApiKey } from '../../store/api-keys/items.ts';
import { executeInTransaction } from '../../store/idempotency/in-transaction.ts';
import { withRetryAdvice } from '../../store/idempotency/requests.ts';
import { newKeyView } from '../../views/key.ts';

export const body = z.strictObject(keySettings);
/** All fields have defaults. */
export const isBodyOptional = true;

/** The recorded result of a creation, without the key itself, which is never stored. */
const kept = ({ id }: MadeApiKey) => ({ id });

export const handler = endpoint({ body, isBodyOptional }, async ({ body, event }) => {
  const { name, permissions } = body;
  const wanted = { name, permissions, expiresAt: expiryIn(body, event) };
  const request = repeatableRequest(event, 'create-key');
  const caller = keyCallerOf(event);
  const outcome = await withRetryAdvice(request, () =>
    executeInTransaction(request, (recording) => namingExpiry(body, createKeyAs(caller, wanted, recording)), kept),
  );
  if ('before' in outcome) {
    // A caller that may no longer create keys must not learn of the earlier one either.
    await readCaller(caller, 'keys:write');
    throw alreadyCreated(outcome.before.id);
  }
  const { made } = outcome;
  return reply(201, newKeyView(made), { Location: `${event.requestContext.path}/${made.id}` });
});

const alreadyCreated = (id: string) =>
  new RequestError(
    'key_already_created',
    `An earlier attempt of this request created the API key ${id}, which is shown only once. If nobody has seen it, revoke it and create another.`,
  );
