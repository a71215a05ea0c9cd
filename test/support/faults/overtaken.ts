import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/** Before which of its calls the work is overtaken; counted from 0, and its first transaction unless said otherwise. */
type Before = { readonly command?: string; readonly number?: number };

/** Does the work, and something else right before one of its store calls: as if somebody else were faster. */
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
