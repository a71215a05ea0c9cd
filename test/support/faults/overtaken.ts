import { AsyncLocalStorage } from 'node:async_hooks';
import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import type { Operation } from '../../../lambdas/store/table/operations.ts';
import { asOther } from './faults.ts';

/**
 * Before which call the work is overtaken: the one with that operation and number, counted from 0, of those whose
 * partition key begins so. The default is the first transaction.
 */
type Before = { readonly command?: Operation | 'any'; readonly number?: number; readonly partition?: string };

const isOn = (input: object, partition: string | undefined): boolean =>
  partition === undefined || String((input as { Key?: { pk?: unknown } }).Key?.pk).startsWith(partition);

/** Runs the work, and `other` directly before one of its store calls, as if another client was faster. */
export async function overtaken<T>(
  other: () => Promise<unknown>,
  work: () => Promise<T>,
  { command = 'TransactWriteItems', number = 0, partition }: Before = {},
): Promise<T> {
  let seen = 0;
  const mine = new AsyncLocalStorage<true>();
  const stop = intercept(async (operation, input, next) => {
    if (mine.getStore() && [operation, 'any'].includes(command) && isOn(input, partition) && seen++ === number)
      await asOther(other);
    return next(input);
  });
  try {
    return await mine.run(true, work);
  } finally {
    stop();
  }
}
