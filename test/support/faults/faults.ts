import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsumedCapacity, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { type Access, accessesOf } from '../access.ts';

/**
 * What can go wrong with one attempt of a store call, but never does on an emulator:
 * - `throttle`: refused, and not executed
 * - `lost-before`: no response, and not executed
 * - `lost-after`: no response, but executed
 * - `conflict`: another transaction holds the item
 * - `dead-before`, `dead-after`: the function dies before or after the call is executed, and retries nothing
 */
export type Fault = 'throttle' | 'lost-before' | 'lost-after' | 'conflict' | 'dead-before' | 'dead-after';

/** One attempt of a store call: the command's name, and the number of attempts of any command before it. */
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

/** The capacity units of the table and its index, as the engine counts them. */
type Units = { read: number; write: number };

type Work = { decide: Decide; attempts: Attempt[]; accesses: Access[]; units: Units };

type Consumed = { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] };

const underway = new AsyncLocalStorage<Work>();

const isRead = (command: string) => /^(Get|BatchGet|Query)/.test(command);

/** Adds the units that a response reports. For several writes, it reports them for each table or statement. */
function addUnits(units: Units, command: string, output: Consumed): void {
  for (const { CapacityUnits = 0 } of [output.ConsumedCapacity ?? []].flat()) {
    units[isRead(command) ? 'read' : 'write'] += CapacityUnits;
  }
}

/**
 * Runs the work, and injects the faults that `decide` returns for its attempts. Store calls outside of the work are not
 * affected.
 *
 * @returns the work's result, the commands of all attempts, the permissions that they need, and the units that they
 * took.
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
    // In this step, every attempt is seen, including the SDK's own retries.
    { step: 'finalizeRequest', priority: 'low', name: 'underFaults', override: true },
  );
  const attempts: Attempt[] = [];
  const accesses: Access[] = [];
  const units = { read: 0, write: 0 };
  const result = await underway.run({ decide, attempts, accesses, units }, work);
  return { result, commands: attempts.map(({ command }) => command), accesses, units };
}
