import { createHash, createHmac } from 'node:crypto';
import { RequestError } from '../../core/errors.ts';
import { newRequestId, newSalt } from '../../core/ids.ts';
import type { Creation } from '../../core/link/creation.ts';
import { any, isAbsent } from '../table/expressions.ts';
import { requestKey } from '../table/keys.ts';

/**
 * Requests that a client may send again with the same `Idempotency-Key`. A record in the workspace keeps the result.
 * There are two protocols:
 *
 * - `in-transaction.ts`, for work that is one transaction: the record is part of it.
 * - `leased.ts`, for work that takes several writes: the record has a lease, which another function can take over.
 */

/** A request that may be repeated. */
export type RepeatableRequest = {
  readonly workspaceId: string;
  readonly operation: string;
  /** The `Idempotency-Key`. Without one nothing is recorded. */
  readonly key: string | undefined;
  /** The raw body. */
  readonly body: string;
  /**
   * When the gateway received it, in milliseconds since 1970. Whether its record has expired is decided by this time.
   */
  readonly receivedAt: number;
};

/** How long a record is valid, in milliseconds: from the receipt of its request to that of a retry. */
export const keptMs = 24 * 60 * 60 * 1_000;

/** The `ttl` of a record that expires then, in seconds. */
export const ttlOf = (expiresAt: number): number => Math.ceil(expiresAt / 1_000);

/** Where a request's record is, and the hash of its body. */
export const identityOf = ({ workspaceId, operation, body }: RepeatableRequest, key: string) => ({
  recordKey: requestKey(workspaceId, operation, createHash('sha256').update(key).digest('base64url')),
  // Keyed with the Idempotency-Key, which the table does not have. The body may contain a password, which could be
  // guessed from a plain hash.
  bodyHash: createHmac('sha256', key).update(body).digest('base64url'),
});

/** The condition that there is no record, or only one that had expired when the request was received. */
export const isNewOrExpired = ({ receivedAt }: RepeatableRequest) =>
  any(isAbsent, { text: '#expiresAt <= :now', values: { ':now': receivedAt } });

export const keyReused = () =>
  new RequestError(
    'idempotency_key_reused',
    'This Idempotency-Key was already sent with another body. Send a new key with each new request.',
  );

/** What the attempts of a new request have in common. */
export const newCreation = (): Creation => ({ requestId: newRequestId(), salt: newSalt(), createdAt: new Date().toISOString() });

/**
 * Does the work of a request that creates something. If the work cannot finish in time and the request has no key, the
 * error says what to check before a retry.
 */
export async function withRetryAdvice<R>({ key }: Pick<RepeatableRequest, 'key'>, work: () => Promise<R>): Promise<R> {
  if (key !== undefined) return work();
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof RequestError) || error.code !== 'temporarily_unavailable') throw error;
    throw new RequestError(
      error.code,
      'The service could not finish in time, and may have created what was sent. Check that before you retry, or send an Idempotency-Key.',
      { ...(error.retryAfter !== undefined && { retryAfter: error.retryAfter }) },
    );
  }
}
