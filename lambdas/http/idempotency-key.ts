import { RequestError } from '../core/errors.ts';
import { idempotencyKeyLength } from '../core/limits.ts';
import { type ApiEvent, callerOf, header, receivedAt } from './api-event.ts';

const goodKey = new RegExp(`^[\\x21-\\x7e]{1,${idempotencyKeyLength}}$`);

/**
 * The request's `Idempotency-Key`; undefined if it has none.
 *
 * @throws RequestError `validation_failed` if it isn't 1 to `idempotencyKeyLength` visible ASCII characters.
 */
export function idempotencyKey(event: ApiEvent): string | undefined {
  const key = header(event, 'Idempotency-Key');
  if (key === undefined || goodKey.test(key)) return key;
  const message = `The header Idempotency-Key must be 1 to ${idempotencyKeyLength} visible ASCII characters`;
  throw new RequestError('validation_failed', `${message}.`, {
    fieldErrors: [{ path: '', code: 'invalid_idempotency_key', message }],
  });
}

/** A request that may be retried with its `Idempotency-Key`. @throws what `idempotencyKey` throws */
export const repeatableRequest = (event: ApiEvent, operation: string) => ({
  workspaceId: callerOf(event).workspaceId,
  operation,
  key: idempotencyKey(event),
  body: event.body ?? '',
  receivedAt: receivedAt(event),
});
