import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { timeLeft } from '../deadline.ts';
import { unavailable } from '../domain/errors.ts';

/** An item, with plain JavaScript values. */
export type Item = Record<string, unknown>;

/** The client of every store call. Its middleware stack is where tests inject faults. */
export const client = new DynamoDBClient({
  maxAttempts: 3,
  // One call hangs at most this long; the SDK then tries again. Without the flag it would only warn.
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
});

const transientNames = new Set([
  'AbortError',
  'InternalServerError',
  'ItemCollectionSizeLimitExceededException',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
  'TimeoutError',
  'TransactionInProgressException',
]);

/** True for what passes by itself: throttling, faults of the store, and a network that does not answer. */
function isTransient(error: Error & { $metadata?: { httpStatusCode?: number }; code?: string }): boolean {
  return transientNames.has(error.name) || (error.$metadata?.httpStatusCode ?? 0) >= 500 || /^E[A-Z_]+$/.test(error.code ?? '');
}

/**
 * Makes one call within the request's time.
 *
 * @throws RequestError `temporarily_unavailable` where the SDK's own attempts were in vain; anything else as it came.
 */
export async function call<T>(send: (options: { abortSignal: AbortSignal }) => Promise<T>): Promise<T> {
  const left = Math.min(timeLeft(), 2 ** 31 - 1);
  if (left <= 0) throw unavailable();
  try {
    return await send({ abortSignal: AbortSignal.timeout(left) });
  } catch (error) {
    throw error instanceof Error && isTransient(error) ? unavailable() : error;
  }
}
