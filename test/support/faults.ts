import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';

/**
 * What can go wrong with one attempt of a store call that no emulator shows:
 * - `throttle`: refused before it was done
 * - `lost-before`: no answer, and not done
 * - `lost-after`: no answer, but done
 * - `conflict`: another transaction holds the item
 */
export type Fault = 'throttle' | 'lost-before' | 'lost-after' | 'conflict';

/** One attempt of a store call: the command's name, and how many attempts of any command came before it. */
export type Attempt = { readonly command: string; readonly index: number };

const faultError = (name: string, httpStatusCode: number, more: object = {}) =>
  Object.assign(new Error(`injected ${name}`), { name, $fault: 'client', $metadata: { httpStatusCode }, ...more });

const errorOf = (fault: Fault, command: string) => {
  switch (fault) {
    case 'throttle':
      return faultError('ProvisionedThroughputExceededException', 400);
    case 'conflict':
      return command === 'TransactWriteItemsCommand'
        ? faultError('TransactionCanceledException', 400, { CancellationReasons: [{ Code: 'TransactionConflict' }] })
        : faultError('TransactionConflictException', 400);
    default:
      return faultError('TimeoutError', 0);
  }
};

/** Lets faults befall the attempts that `decide` names one for; gives the attempts that were made, and an end to it. */
export function injectFaults(client: DynamoDBClient, decide: (attempt: Attempt) => Fault | undefined) {
  const attempts: Attempt[] = [];
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const attempt = { command: String(context.commandName), index: attempts.length };
      attempts.push(attempt);
      const fault = decide(attempt);
      if (fault === 'lost-after') await next(args);
      if (fault) throw errorOf(fault, attempt.command);
      return next(args);
    },
    // Within the SDK's own retries, so that each attempt passes through here.
    { step: 'finalizeRequest', priority: 'low', name: 'injectFaults', override: true },
  );
  return { attempts, stop: () => client.middlewareStack.remove('injectFaults') };
}
