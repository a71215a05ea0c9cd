import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import type { Operation } from '../../../lambdas/store/table/operations.ts';

/**
 * Before which call the work is overtaken: the one with that operation and number, counted from 0. The default is the
 * first transaction.
 */
type Before = { readonly command?: Operation; readonly number?: number };

/** Runs the work, and `other` directly before one of its store calls, as if another client was faster. */
export async function overtaken<T>(
  other: () => Promise<unknown>,
  work: () => Promise<T>,
  { command = 'TransactWriteItems', number = 0 }: Before = {},
): Promise<T> {
  let seen = 0;
  let isBusy = false;
  const stop = intercept(async (operation, input, next) => {
    if (!isBusy && operation === command && seen++ === number) {
      isBusy = true;
      await other();
      isBusy = false;
    }
    return next(input);
  });
  try {
    return await work();
  } finally {
    stop();
  }
}
