import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { unavailable } from '../../domain/errors.ts';
import { backOff, timeLeft } from '../../runtime/deadline.ts';

/** An item, with plain JavaScript values. */
export type Item = Record<string, unknown>;

/** The SDK's client, as `documents` uses it. Its middleware stack is where tests inject faults. */
export const client = new DynamoDBClient({
  // `call` below tries again, by one rule for everything; the SDK's own retries would run out for a while after a bad time.
  maxAttempts: 1,
  // One attempt hangs at most this long. Without the flag the SDK would only warn.
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
});

/** Makes every store call: items go in and come out with plain JavaScript values. Attributes that are undefined are left out. */
export const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });

/** How often a call is tried before it is given up. */
const maxAttempts = 5;

/** The store refused a call before it did anything, and may take it at another time. */
const throttledNames = new Set([
  // This function's clock is off by more than AWS takes. The SDK signs the next attempt by the clock that the refusal names.
  'InvalidSignatureException',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

/** The store gave no answer, or failed on the way: it may have executed the call, or still do so. */
const ambiguousNames = new Set(['AbortError', 'InternalServerError', 'TimeoutError', 'TransactionInProgressException']);

type ServiceError = Error & { $metadata?: { httpStatusCode?: number }; code?: string };

/**
 * True for a failure after which nobody knows whether the call was executed: faults of the store, and a network that does not answer
 * (`ECONNRESET`, …).
 */
export const isAmbiguous = (error: ServiceError): boolean =>
  !throttledNames.has(error.name) &&
  (ambiguousNames.has(error.name) || (error.$metadata?.httpStatusCode ?? 0) >= 500 || /^E(?!RR_)[A-Z]+$/.test(error.code ?? ''));

const isTransient = (error: ServiceError): boolean => throttledNames.has(error.name) || isAmbiguous(error);

/**
 * Makes a call, and retries transient failures within the request's time. A retried write may find the first one executed, even after
 * somebody else has written since, and the first one may arrive after it. So every write must be one that this can do no harm to: see
 * `writes.ts`.
 *
 * @param attempts how often it is tried: 1 for what may be left undone.
 * @throws RequestError `temporarily_unavailable` where all attempts were in vain; anything else as it came.
 */
export async function call<T>(
  send: (options: { abortSignal: AbortSignal }) => Promise<T>,
  attempts: number = maxAttempts,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const left = Math.floor(Math.min(timeLeft(), 2 ** 31 - 1));
    if (left <= 0) throw unavailable();
    try {
      return await send({ abortSignal: AbortSignal.timeout(left) });
    } catch (error) {
      if (!(error instanceof Error) || !isTransient(error)) throw error;
      console.warn({ message: 'a store call failed', attempt, name: error.name, code: (error as ServiceError).code });
      if (attempt === attempts) throw unavailable();
    }
    await backOff(attempt);
  }
}
