import { describe, expect, it } from 'vitest';
import { type BatchRules, deliver, processedCount, type StreamRecord } from '../../../local/streams/batch.ts';

const recordsUpTo = (count: number): StreamRecord[] =>
  Array.from({ length: count }, (_, i) => ({
    dynamodb: { SequenceNumber: String(i + 1), ApproximateCreationDateTime: Date.now() / 1000 },
  }));
const numbers = (records: readonly StreamRecord[]) => records.map(({ dynamodb }) => dynamodb.SequenceNumber).join();

/** Delivers records to a function with the given behaviour, and records what happens. */
async function delivering(count: number, rules: Partial<BatchRules>, attempt: (numbers: string) => number | 'throw') {
  const happened: string[] = [];
  const write = (what: string, records: readonly StreamRecord[]) => happened.push(`${what} ${numbers(records)}`);
  await deliver(
    recordsUpTo(count),
    { bisect: false, maxRetries: 2, maxAgeMs: Number.POSITIVE_INFINITY, ...rules },
    {
      attempt: async (records) => {
        write('try', records);
        const result = attempt(numbers(records));
        if (result === 'throw') throw new Error('failed');
        return result;
      },
      done: (records) => write('done', records),
      giveUp: (records, condition, invocations) => write(`${condition} after ${invocations}`, records),
      signal: new AbortController().signal,
    },
  );
  return happened;
}

describe('A batch', () => {
  it('A batch that succeeds is delivered once.', async () => {
    expect(await delivering(3, {}, () => 3)).toEqual(['try 1,2,3', 'done 1,2,3']);
  });

  it('A batch that fails is retried as often as allowed, then given up as a whole.', async () => {
    expect(await delivering(2, {}, () => 'throw')).toEqual([
      'try 1,2',
      'try 1,2',
      'try 1,2',
      'RetryAttemptsExhausted after 3 1,2',
      'done 1,2',
    ]);
  });

  it('A batch that fails once is done at the second attempt.', async () => {
    let tries = 0;
    expect(await delivering(1, {}, () => (tries++ ? 1 : 'throw'))).toEqual(['try 1', 'try 1', 'done 1']);
  });

  it('A batch that fails at a record continues from there, and earlier records are not delivered again.', async () => {
    expect(await delivering(4, { maxRetries: 1 }, (tried) => (tried.startsWith('1') ? 2 : 0))).toEqual([
      'try 1,2,3,4',
      'done 1,2',
      'try 3,4',
      'RetryAttemptsExhausted after 2 3,4',
      'done 3,4',
    ]);
  });

  it('A batch is halved if the mapping allows that, until the failing record is alone, and halving counts as no retry.', async () => {
    expect(
      await delivering(4, { bisect: true, maxRetries: 1 }, (tried) => (tried.includes('3') ? 'throw' : tried.split(',').length)),
    ).toEqual([
      'try 1,2,3,4',
      'try 1,2',
      'done 1,2',
      'try 3,4',
      'try 3',
      'try 3',
      'RetryAttemptsExhausted after 2 3',
      'done 3',
      'try 4',
      'done 4',
    ]);
  });

  it('A batch that is too old is given up without an attempt.', async () => {
    expect(await delivering(1, { maxAgeMs: -1 }, () => 1)).toEqual(['RecordAgeExceeded after 0 1', 'done 1']);
  });

  it('A batch is left as it is if the service stops.', async () => {
    const abort = new AbortController();
    const happened: string[] = [];
    const steps = {
      attempt: async () => {
        abort.abort();
        throw new Error('stopped');
      },
      done: () => happened.push('done'),
      giveUp: () => happened.push('given up'),
      signal: abort.signal,
    };
    await expect(deliver(recordsUpTo(1), { bisect: false, maxRetries: 0, maxAgeMs: 1e9 }, steps)).rejects.toThrow('aborted');
    expect(happened).toEqual([]);
  });
});

describe('The response to a batch', () => {
  it.each([
    ['of null', null, 3],
    ['without failures', {}, 3],
    ['with an empty list', { batchItemFailures: [] }, 3],
    ['that names a record', { batchItemFailures: [{ itemIdentifier: '2' }] }, 1],
    ['that names several records', { batchItemFailures: [{ itemIdentifier: '3' }, { itemIdentifier: '1' }] }, 0],
  ])('A response %s tells how many records succeeded.', (_, response, count) => {
    expect(processedCount(response, recordsUpTo(3))).toBe(count);
  });

  it.each([
    ['an unknown record', { batchItemFailures: [{ itemIdentifier: '9' }] }],
    ['an empty identifier', { batchItemFailures: [{ itemIdentifier: '' }] }],
    ['no identifier', { batchItemFailures: [{}] }],
    ['no list', { batchItemFailures: 'x' }],
  ])('A response with %s fails the whole batch.', (_, response) => {
    expect(() => processedCount(response, recordsUpTo(3))).toThrow();
  });
});
