import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Access, accessesOf } from '../access.ts';

/**
 * What can go wrong with one attempt of a store call that no emulator shows:
 * - `throttle`: refused before it was done
 * - `lost-before`: no answer, and not done
 * - `lost-after`: no answer, but done
 * - `conflict`: another transaction holds the item
 * - `dead-before`, `dead-after`: the function dies before or after it is done, and tries nothing again
 */
export type Fault = 'throttle' | 'lost-before' | 'lost-after' | 'conflict' | 'dead-before' | 'dead-after';

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
    case 'dead-before':
    case 'dead-after':
      return new Error('injected death');
    default:
      return faultError('TimeoutError', 0);
  }
};

type Decide = (attempt: Attempt) => Fault | undefined;

/** Capacity units that the table and its index took, as the engine counts them. */
type Units = { read: number; write: number };

type Work = { decide: Decide; attempts: Attempt[]; accesses: Access[]; units: Units };

type Consumed = { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] };

const underway = new AsyncLocalStorage<Work>();

const isRead = (command: string) => /^(Get|BatchGet|Query)/.test(command);

/** Adds what an answer says that it took; an answer to several writes says it of each table or statement. */
function addUnits(units: Units, command: string, output: Consumed): void {
  for (const { CapacityUnits = 0 } of [output.ConsumedCapacity ?? []].flat()) {
    units[isRead(command) ? 'read' : 'write'] += CapacityUnits;
  }
}

/**
 * Does the work while faults befall those of its attempts that `decide` names one for, and gives what it came to with the commands
 * that were tried, what they need to be allowed and the units that they took. What is done beside it, or before and after, is left
 * alone.
 */
export async function underFaults<T>(client: DynamoDBClient, decide: Decide, work: () => Promise<T>) {
  client.middlewareStack.add(
    (next) => (args) =>
      next({ ...args, input: { ...args.input, ...(underway.getStore() && { ReturnConsumedCapacity: 'TOTAL' }) } }),
    { step: 'initialize', name: 'askForUnits', override: true },
  );
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const work = underway.getStore();
      const attempt = { command: String(context.commandName), index: work?.attempts.length ?? 0 };
      work?.attempts.push(attempt);
      work?.accesses.push(...accessesOf(attempt.command, args.input as Parameters<typeof accessesOf>[1]));
      const fault = work?.decide(attempt);
      if (fault === 'lost-after' || fault === 'dead-after') await next(args);
      if (fault) throw errorOf(fault, attempt.command);
      const answer = await next(args);
      if (work) addUnits(work.units, attempt.command, answer.output as Parameters<typeof addUnits>[2]);
      return answer;
    },
    // Within the SDK's own retries, so that each attempt passes through here.
    { step: 'finalizeRequest', priority: 'low', name: 'underFaults', override: true },
  );
  const attempts: Attempt[] = [];
  const accesses: Access[] = [];
  const units = { read: 0, write: 0 };
  const result = await underway.run({ decide, attempts, accesses, units }, work);
  return { result, commands: attempts.map(({ command }) => command), accesses, units };
}
