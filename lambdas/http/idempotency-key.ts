import { RequestError } from '../domain/errors.ts';
import { type ApiEvent, header } from './api-event.ts';

/**
 * The request's `Idempotency-Key`; undefined if it has none.
 *
 * @throws RequestError `validation_failed` if it isn't 1 to 255 visible ASCII characters.
 */
export function idempotencyKey(event: ApiEvent): string | undefined {
  const key = header(event, 'Idempotency-Key');
  if (key === undefined || /^[\x21-\x7e]{1,255}$/.test(key)) return key;
  const message = 'The header Idempotency-Key must be 1 to 255 visible ASCII characters';
  throw new RequestError('validation_failed', `${message}.`, {
    fieldErrors: [{ path: '', code: 'invalid_idempotency_key', message }],
  });
}
