import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { backOff, timeLeft } from '../deadline.ts';
import { unavailable } from '../domain/errors.ts';

/** An item, with plain JavaScript values. */
export type Item = Record<string, unknown>;

/** The client of every store call. Its middleware stack is where tests inject faults. */
export const client = new DynamoDBClient({
  // `call` below tries again, by one rule for everything; the SDK's own retries would run out for a while after a bad time.
  maxAttempts: 1,
  // One attempt hangs at most this long. Without the flag the SDK would only warn.
  requestHandler: { connectionTimeout: 1_000, requestTimeout: 2_000, throwOnRequestTimeout: true },
});

/** How often a call is tried before it is given up. */
const maxAttempts = 5;

/** Errors that say that a call was not carried out, and may be at another time. */
const throttlingNames = new Set([
  // This function's clock is off by more than AWS takes. The SDK signs the next attempt by the clock that the refusal names.
  'InvalidSignatureException',
  'LimitExceededException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'ThrottlingException',
]);

const transientNames = new Set([
  ...throttlingNames,
  'AbortError',
  'InternalServerError',
  'TimeoutError',
  'TransactionInProgressException',
]);

type ServiceError = Error & { $metadata?: { httpStatusCode?: number }; code?: string };

/** True for what passes by itself: throttling, faults of the store, and a network that does not answer (`ECONNRESET`, …). */
const isTransient = (error: ServiceError): boolean =>
  transientNames.has(error.name) || (error.$metadata?.httpStatusCode ?? 0) >= 500 || /^E(?!RR_)[A-Z]+$/.test(error.code ?? '');

/**
 * Makes a call, again where it met something that passes, within the request's time. What it writes must bear being written
 * twice: the answer to the first attempt may have been lost.
 *
 * @param attempts how often it is tried: 1 for what may be left undone.
 * @param onUnanswered is called after each failure that leaves open whether the call was carried out, or still will be.
 * @throws RequestError `temporarily_unavailable` where all attempts were in vain; anything else as it came.
 */
export async function call<T>(
  send: (options: { abortSignal: AbortSignal }) => Promise<T>,
  { attempts = maxAttempts, onUnanswered }: { attempts?: number; onUnanswered?: () => void } = {},
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const left = Math.floor(Math.min(timeLeft(), 2 ** 31 - 1));
    if (left <= 0) throw unavailable();
    try {
      return await send({ abortSignal: AbortSignal.timeout(left) });
    } catch (error) {
      if (!(error instanceof Error) || !isTransient(error)) throw error;
      if (!throttlingNames.has(error.name)) onUnanswered?.();
      console.warn({ message: 'a store call failed', attempt, name: error.name, code: (error as ServiceError).code });
      if (attempt === attempts) throw unavailable();
    }
    await backOff(attempt);
  }
}
