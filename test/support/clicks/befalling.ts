import { AsyncLocalStorage } from 'node:async_hooks';
import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import type { Operation, Output } from '../../../lambdas/store/table/operations.ts';
import { asOther } from '../faults/faults.ts';
import type { fakeBucket } from './fake-bucket.ts';

type Bucket = ReturnType<typeof fakeBucket>;

/** The fault at the call with that number, of the table or of the bucket, counted from 0. */
type Befall = (index: number, execute: () => Promise<unknown>) => Promise<unknown>;

/** Does some work with a fault at its calls. @returns the number of calls, and the error with which the work ended */
export async function befalling(bucket: Bucket, befall: Befall, work: () => Promise<unknown>) {
  const mine = new AsyncLocalStorage<true>();
  let calls = 0;
  const stop = intercept((_, input, next) =>
    mine.getStore() ? (befall(calls++, () => next(input)) as Promise<Output<Operation>>) : next(input),
  );
  const { befall: others } = bucket.state;
  bucket.state.befall = (call, execute) => (mine.getStore() ? befall(calls++, async () => execute()) : others(call, execute));
  try {
    const error = await mine.run(true, work).then(
      () => undefined,
      (error: unknown) => error,
    );
    return { calls, error };
  } finally {
    stop();
    bucket.state.befall = others;
  }
}

const death = new Error('injected death');

/** Lets a function die before or after the call with that number is executed. */
export const dying =
  (number: number, when: 'before' | 'after'): Befall =>
  async (index, execute) => {
    if (index > number || (index === number && when === 'before')) throw death;
    const result = await execute();
    if (index === number) throw death;
    return result;
  };

/** Does something as another client before the call with that number. */
export const meanwhile =
  (number: number, other: () => Promise<unknown>): Befall =>
  async (index, execute) => {
    if (index === number) await asOther(other);
    return execute();
  };
