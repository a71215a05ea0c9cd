import { setTimeout as sleep } from 'node:timers/promises';

/** A record of a DynamoDB stream, in the shape that Lambda hands on. */
export type StreamRecord = {
  readonly dynamodb: { readonly SequenceNumber: string; readonly ApproximateCreationDateTime: number };
  readonly [field: string]: unknown;
};

export type BatchRules = { readonly bisect: boolean; readonly maxRetries: number; readonly maxAgeMs: number };

export type BatchSteps = {
  /** Runs the function on the records and gives how many of them, from the first on, are dealt with. @throws when it fails as a whole. */
  readonly attempt: (records: readonly StreamRecord[]) => Promise<number>;
  /** Everything up to and including these is done with. */
  readonly done: (records: readonly StreamRecord[]) => void;
  readonly giveUp: (records: readonly StreamRecord[], condition: GivenUp, invocations: number) => void;
  readonly signal: AbortSignal;
};

export type GivenUp = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';

const firstPauseMs = 100;
const longestPauseMs = 10_000;

/**
 * Hands a batch to a function until all of it is dealt with or given up, in order.
 *
 * - A failure that names a record: what comes before it is done, and the rest is tried again from there.
 * - A failure of the whole: the same batch again, or with `bisect` each half alone, which costs no retry.
 * - Retries used up, or a record too old: the batch is given up as a whole, as on AWS.
 *
 * @throws what `signal` was aborted with, when the service stops meanwhile; nothing more is marked as done then.
 */
export async function deliver(batch: readonly StreamRecord[], rules: BatchRules, steps: BatchSteps, failed = 0): Promise<void> {
  let records = batch;
  let failures = failed;
  while (true) {
    if (ageMs(records) > rules.maxAgeMs) return finish('RecordAgeExceeded');
    const dealtWith = await steps.attempt(records).catch(() => undefined);
    if (dealtWith === records.length) return steps.done(records);
    steps.signal.throwIfAborted();

    if (dealtWith === undefined && rules.bisect && records.length > 1) {
      const middle = Math.ceil(records.length / 2);
      await deliver(records.slice(0, middle), rules, steps, failures);
      return deliver(records.slice(middle), rules, steps, failures);
    }
    if (dealtWith) {
      steps.done(records.slice(0, dealtWith));
      records = records.slice(dealtWith);
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
 * How many records, from the first on, a function's answer says are dealt with: all, up to the first one in `batchItemFailures`.
 *
 * @throws Error when the answer is malformed, which Lambda takes for a failure of the whole batch.
 */
export function dealtWithIn(answer: unknown, records: readonly StreamRecord[]): number {
  const { batchItemFailures = [] } = (answer ?? {}) as { batchItemFailures?: { itemIdentifier?: string }[] | null };
  const positions = (batchItemFailures ?? []).map(({ itemIdentifier }) => {
    const position = records.findIndex(({ dynamodb }) => dynamodb.SequenceNumber === itemIdentifier);
    if (position < 0) throw new Error(`no record "${itemIdentifier}" in the batch`);
    return position;
  });
  return Math.min(records.length, ...positions);
}
