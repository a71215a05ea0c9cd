import { AsyncLocalStorage } from 'node:async_hooks';
import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { type Interceptor, intercept } from '../../../lambdas/store/table/interceptors.ts';
import type { Operation } from '../../../lambdas/store/table/operations.ts';
import { type Access, accessesOf } from '../store/access.ts';
import { pass } from '../store/own-time.ts';

/**
 * What can go wrong with one attempt of a store call, but never does on an emulator:
 * - `throttle`: refused, and not executed
 * - `lost-before`: no response, and not executed
 * - `lost-after`: no response, but executed
 * - `conflict`: another transaction holds the item
 * - `dead-before`, `dead-after`: the function dies before or after the call is executed, and retries nothing
 */
export type Fault = 'throttle' | 'lost-before' | 'lost-after' | 'conflict' | 'dead-before' | 'dead-after';

/**
 * One attempt of a store call: its operation and input, and the number of attempts of any operation before it.
 */
export type Attempt = { readonly command: Operation; readonly index: number; readonly input: object };

/** Refuses each attempt whose request contains the text, such as a key of an item that is busy. */
export const refusing =
  (text: string) =>
  ({ input }: Attempt): Fault | undefined =>
    JSON.stringify(input).includes(text) ? 'throttle' : undefined;

const faultError = (name: string, httpStatusCode: number, more: object = {}) =>
  Object.assign(new Error(`injected ${name}`), { name, $fault: 'client', $metadata: { httpStatusCode }, ...more });

const errorOf = (fault: Fault, command: string) => {
  switch (fault) {
    case 'throttle':
      return faultError('ProvisionedThroughputExceededException', 400);
    case 'conflict':
      return command === 'TransactWriteItems'
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

/** The work of another client. */
type Other = () => Promise<unknown>;

/** The capacity units of the tables and their index, as the engine counts them. */
type Units = { read: number; write: number };

type Work = { decide: Decide; meanwhile: Other; attempts: Attempt[]; accesses: Access[]; units: Units };

type Consumed = { ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] };

const underway = new AsyncLocalStorage<Work>();

/** Runs the work of another client, with neither the faults nor the deadline of this work. */
export const asOther: <T>(other: () => Promise<T>) => Promise<T> = AsyncLocalStorage.snapshot();

/** How long a call takes, in the work's own time (`own-time.ts`). */
const callMs = 5;

const isRead = (command: string) => /^(Get|BatchGet|Query)/.test(command);

/**
 * The fault, unless it is a conflict of a read or of a batch of inserts: reads meet none, and a batch reports one for each
 * statement.
 */
export const ifPossible = (fault: Fault | undefined, command: string): Fault | undefined =>
  fault === 'conflict' && (isRead(command) || command === 'BatchExecuteStatement') ? undefined : fault;

/** Adds the units that a response reports. For several writes, it reports them for each table or statement. */
function addUnits(units: Units, command: string, output: Consumed): void {
  for (const { CapacityUnits = 0 } of [output.ConsumedCapacity ?? []].flat()) {
    units[isRead(command) ? 'read' : 'write'] += CapacityUnits;
  }
}

/** Decides about each attempt of a work, and records it. Attempts outside of a work pass. */
const faults: Interceptor = async (command, input, next) => {
  const work = underway.getStore();
  if (!work) return next(input);
  const { attempts, accesses, units, decide, meanwhile } = work;
  const attempt = { command, index: attempts.length, input };
  attempts.push(attempt);
  pass(callMs);
  accesses.push(...accessesOf(command, input));
  const fault = decide(attempt);
  const send = () => next({ ...input, ReturnConsumedCapacity: 'TOTAL' } as typeof input);
  if (fault) {
    try {
      // A refused call was not executed, so its response cannot be lost.
      if (fault === 'lost-after' || fault === 'dead-after') await send();
    } finally {
      await asOther(meanwhile);
    }
    throw errorOf(fault, command);
  }
  const output = await send();
  addUnits(units, command, output);
  return output;
};

/**
 * Runs the work, and injects the faults that `decide` returns for its attempts. Store calls outside of the work are not
 * affected.
 *
 * @param meanwhile what somebody else does at each fault, before the work goes on.
 * @returns the work's result, all attempts and their operations, the permissions that they need, and the units that they
 * took.
 */
export async function underFaults<T>(decide: Decide, work: () => Promise<T>, meanwhile: Other = async () => {}) {
  intercept(faults);
  const attempts: Attempt[] = [];
  const accesses: Access[] = [];
  const units = { read: 0, write: 0 };
  const result = await underway.run({ decide, meanwhile, attempts, accesses, units }, work);
  return { result, attempts, commands: attempts.map(({ command }) => command), accesses, units };
}
