import * as z from 'zod/mini';
import { notFound, RequestError } from '../../core/errors.ts';
import { overlapSeconds } from '../../core/limits.ts';
import { endpoint } from '../../http/endpoint.ts';
import { expiryFields, expiryIn, keyCallerOf, keyEnded, namingExpiry } from '../../http/keys/key-requests.ts';
import { reply } from '../../http/reply.ts';
import { type RotationRefusal, rotateApiKey } from '../../store/api-keys/rotation.ts';
import { newKeyView } from '../../views/key.ts';

export const body = z.strictObject({
  overlapSeconds: z.optional(z.int().check(z.minimum(0), z.maximum(overlapSeconds.most))),
  ...expiryFields,
});
/** All fields have defaults. */
export const isBodyOptional = true;

export const handler = endpoint({ body, isBodyOptional }, async ({ id, body, event }) => {
  const caller = keyCallerOf(event);
  const overlapMs = (body.overlapSeconds ?? overlapSeconds.unlessAsked) * 1_000;
  const options = { overlapMs, expiresAt: expiryIn(body, event) };
  const rotated = await namingExpiry(body, rotateApiKey(id, options, caller.receivedAt, caller));
  if ('refused' in rotated) throw refusalOf(rotated);
  const Location = event.requestContext.path.replace(/\/[^/]*\/rotate$/, `/${rotated.id}`);
  return reply(201, newKeyView(rotated), { Location });
});

function refusalOf(refusal: RotationRefusal): RequestError {
  switch (refusal.refused) {
    case 'unknown':
      return notFound('API key');
    case 'revoked':
      return keyEnded('is revoked');
    case 'expired':
      return keyEnded('has expired');
    case 'replaced':
      return new RequestError(
        'key_replaced',
        `The API key has been replaced by ${refusal.replacedBy}. If nobody has seen that key, rotate it with an overlap of 0.`,
      );
  }
}
