import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/**
 * Before which call the work is overtaken: the one with that command and number, counted from 0. The default is the
 * first transaction.
 */
type Before = { readonly command?: string; readonly number?: number };

/** Runs the work, and `other` directly before one of its store calls, as if another client was faster. */
export async function overtaken<T>(
  client: DynamoDBClient,
  other: () => Promise<unknown>,
  work: () => Promise<T>,
  { command = 'TransactWriteItemsCommand', number = 0 }: Before = {},
): Promise<T> {
  let seen = 0;
  let isBusy = false;
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (!isBusy && commandName === command && seen++ === number) {
          isBusy = true;
          await other();
          isBusy = false;
        }
        return next(args);
      },
    { step: 'initialize', name: 'overtaken' },
  );
  try {
    return await work();
  } finally {
    client.middlewareStack.remove('overtaken');
  }
}
