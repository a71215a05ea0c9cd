import { setTimeout as sleep } from 'node:timers/promises';

/** A record of a DynamoDB stream, in the shape that functions receive. */
export type StreamRecord = {
  readonly dynamodb: { readonly SequenceNumber: string; readonly ApproximateCreationDateTime: number };
  readonly [field: string]: unknown;
};

export type BatchRules = { readonly bisect: boolean; readonly maxRetries: number; readonly maxAgeMs: number };

export type BatchSteps = {
  /**
   * Runs the function on the records. Returns how many of them it has processed, from the first on.
   *
   * @throws if all failed.
   */
  readonly attempt: (records: readonly StreamRecord[]) => Promise<number>;
  /** Marks everything up to and including these records as done. */
  readonly done: (records: readonly StreamRecord[]) => void;
  /** Reports records that were given up. @param invocations how often the function has failed with them. */
  readonly giveUp: (records: readonly StreamRecord[], condition: GivenUp, invocations: number) => void;
  readonly signal: AbortSignal;
};

export type GivenUp = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

const firstPauseMs = 100;
const longestPauseMs = 10_000;

/**
 * Delivers a batch to a function, in order, until every record is processed or given up.
 *
 * - If the function names a failed record, the records before it are done. The rest is retried from there.
 * - If the whole invocation fails, the batch is retried. With `bisect`, each half is retried on its own, which uses no
 *   retry.
 * - If the retries are used up, or the first record is too old, the rest of the batch is given up, as on AWS.
 *
 * @param failed how often the function has already failed with these records.
 * @throws the reason of `signal` if the service stops meanwhile; nothing more is marked as done then.
 */
export async function deliver(batch: readonly StreamRecord[], rules: BatchRules, steps: BatchSteps, failed = 0): Promise<void> {
  let records = batch;
  let failures = failed;
  while (true) {
    if (ageMs(records) > rules.maxAgeMs) return finish('RecordAgeExceeded');
    const processed = await steps.attempt(records).catch(() => undefined);
    if (processed === records.length) return steps.done(records);
    steps.signal.throwIfAborted();

    if (processed === undefined && rules.bisect && records.length > 1) {
      const middle = Math.ceil(records.length / 2);
      await deliver(records.slice(0, middle), rules, steps, failures);
      return deliver(records.slice(middle), rules, steps, failures);
    }
    if (processed) {
      steps.done(records.slice(0, processed));
      records = records.slice(processed);
      failures = 1;
    } else {
      failures++;
    }
    if (failures > rules.maxRetries) return finish('RetryAttemptsExhausted');
    await sleep(Math.min(longestPauseMs, firstPauseMs * 2 ** (failures - 1)), undefined, { signal: steps.signal });
  }

  function finish(condition: GivenUp): void {
    steps.giveUp(records, condition, failures);
    steps.done(records);
  }
}

const ageMs = ([first]: readonly StreamRecord[]) => (first ? Date.now() - first.dynamodb.ApproximateCreationDateTime * 1000 : 0);

/**
 * How many records a function has processed, from the first on, according to its result: those before the first one in
 * `batchItemFailures`.
 *
 * @throws Error if the result names an unknown record, which Lambda treats as a failure of the whole batch.
 */
export function processedCount(result: unknown, records: readonly StreamRecord[]): number {
  const { batchItemFailures = [] } = (result ?? {}) as { batchItemFailures?: { itemIdentifier?: string }[] | null };
  const positions = (batchItemFailures ?? []).map(({ itemIdentifier }) => {
    const position = records.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === itemIdentifier);
    if (position < 0) throw new Error(`no record "${itemIdentifier}" in the batch`);
    return position;
  });
  return Math.min(records.length, ...positions);
}
