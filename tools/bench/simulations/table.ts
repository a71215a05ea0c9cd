import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { type Interceptor, intercept } from '../../../lambdas/store/table/interceptors.ts';
import type { Operation } from '../../../lambdas/store/table/operations.ts';
import { dynamoDb } from './limits.ts';
import type { SimulatedTime } from './time.ts';

const { callMs, holdMs, partition, burstMs: usualBurstMs } = dynamoDb;

type Key = { readonly pk: string; readonly sk: string; readonly gsi1pk?: string };
type Statement = { readonly Statement: string; readonly Parameters?: readonly unknown[] };
type Consumed = { readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] };
type Input = {
  readonly Key?: Key;
  readonly Item?: Key;
  readonly RequestItems?: Readonly<Record<string, { readonly Keys?: readonly Key[] }>>;
  readonly TransactItems?: readonly Readonly<Record<string, { readonly Key?: Key; readonly Item?: Key } | undefined>>[];
  readonly Statements?: readonly Statement[];
};

/** The calls and units since the start of the simulation. */
export type Used = { calls: number; readUnits: number; writeUnits: number; conflicts: number; throttled: number };

/**
 * Gives the table the latency and limits of DynamoDB. The engine executes each accepted call; simulated time stands
 * still meanwhile.
 *
 * - A partition without units left refuses calls; each partition key counts as a partition of its own. A read or write
 *   of an item takes as many units as the last read or write of that item; the first one takes one unit.
 * - A transaction holds its items for a while. Meanwhile, other writes of these items are refused:
 *   https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis.html#transaction-conflict-handling
 * - A failed condition takes units as well.
 *
 * @param burstMs the burst capacity of a partition, in milliseconds of its rate.
 * @returns the usage so far, and a function that ends the simulation.
 */
export function simulateTable(
  time: SimulatedTime,
  burstMs: number = usualBurstMs,
): { readonly used: Used; readonly stop: () => void } {
  const used: Used = { calls: 0, readUnits: 0, writeUnits: 0, conflicts: 0, throttled: 0 };
  const heldUntil = new Map<string, number>();
  const buckets = new Map<string, { left: number; at: number }>();
  /** How many units the last read or write of an item took: large items take more. */
  const lastUnits = new Map<string, number>();

  /** Takes units of a partition; false if none are left. */
  const take = (name: string, units: number, perSecond: number): boolean => {
    const most = (perSecond * burstMs) / 1_000;
    const bucket = buckets.get(name) ?? { left: most, at: time.now() };
    bucket.left = Math.min(most, bucket.left + ((time.now() - bucket.at) * perSecond) / 1_000);
    bucket.at = time.now();
    buckets.set(name, bucket);
    if (bucket.left < units) return false;
    bucket.left -= units;
    return true;
  };
  /** Takes the units of all keys, and of the index for its items; false if a partition has none left. */
  const takeAll = (keys: readonly Key[], what: 'read' | 'write', unitsOf: (key: Key) => number): boolean => {
    for (const key of keys) {
      const { pk, gsi1pk } = key;
      const perSecond = partition[what];
      // An index that cannot keep up throttles writes of the table.
      const has = take(`${what} ${pk}`, unitsOf(key), perSecond) && (!gsi1pk || take(`${what} index ${gsi1pk}`, 1, perSecond));
      if (!has) {
        used.throttled++;
        return false;
      }
    }
    used[what === 'read' ? 'readUnits' : 'writeUnits'] += keys.reduce((sum, key) => sum + unitsOf(key) + (key.gsi1pk ? 1 : 0), 0);
    return true;
  };
  const nameOf = ({ pk, sk }: Key) => `${pk}\n${sk}`;
  const isHeld = (key: Key) => (heldUntil.get(nameOf(key)) ?? 0) > time.now();

  const simulated: Interceptor = async (operation, anyInput, next) => {
    const input = anyInput as Input;
    used.calls++;
    await time.wait(callMs / 2);
    if (operation === 'BatchExecuteStatement') {
      const { Statements = [] } = input;
      const accepted = Statements.map((statement) => takeAll([insertedItem(statement)], 'write', () => 1));
      const some = { ...anyInput, Statements: Statements.filter((_, index) => accepted[index]) } as typeof anyInput;
      const output = accepted.includes(true) ? await time.outside(() => next(some)) : {};
      const { Responses = [] } = output as { Responses?: unknown[] };
      await time.wait(callMs / 2);
      return { ...output, Responses: accepted.map((isIn) => (isIn ? Responses.shift() : throttledStatement)) } as typeof output;
    }
    const isTransaction = operation === 'TransactWriteItems';
    const keys = keysOf(input);
    const reads = isRead(operation);
    const rowOf = (key: Key) => `${reads ? 'read' : 'write'} ${nameOf(key)}`;
    const unitsOf = (key: Key) => (lastUnits.get(rowOf(key)) ?? 1) * (isTransaction ? 2 : 1);
    if (!reads && keys.some(isHeld)) {
      used.conflicts++;
      throw refusal(isTransaction, 'TransactionConflict', 'TransactionConflictException');
    }
    if (!takeAll(keys, reads ? 'read' : 'write', unitsOf)) throw refusal(isTransaction, 'ThrottlingError', 'ThrottlingException');
    if (isTransaction) {
      const { least, most } = holdMs;
      const ms = least + Math.random() * (most - least);
      for (const key of keys) heldUntil.set(nameOf(key), time.now() + ms);
      await time.wait(ms);
    }
    try {
      const output = await time.outside(() => next({ ...anyInput, ReturnConsumedCapacity: 'TOTAL' } as typeof anyInput));
      const [only, ...others] = keys;
      const { CapacityUnits } = [(output as Consumed).ConsumedCapacity ?? []].flat()[0] ?? {};
      if (only && others.length === 0 && !isTransaction && CapacityUnits) lastUnits.set(rowOf(only), CapacityUnits);
      return output;
    } finally {
      await time.wait(callMs / 2);
    }
  };
  return { used, stop: intercept(simulated) };
}

const isRead = (operation: Operation) => /^(Get|BatchGet|Query)/.test(operation);

const keysOf = ({ Key, Item, RequestItems = {}, TransactItems = [] }: Input): Key[] =>
  [
    Key ?? Item,
    ...Object.values(RequestItems).flatMap(({ Keys = [] }) => Keys),
    ...TransactItems.flatMap((parts) => Object.values(parts).map((part) => part?.Key ?? part?.Item)),
  ].filter((key) => key !== undefined);

/** The item that a statement of `insertItems` inserts. */
function insertedItem({ Statement, Parameters = [] }: Statement): Key {
  const names = [...Statement.matchAll(/'(\w+)': \?/g)].map(([, name]) => name);
  return Object.fromEntries(names.map((name, index) => [name, Parameters[index]])) as Key;
}

const throttledStatement = { Error: { Code: 'ThrottlingError', Message: '' } };

/** DynamoDB's error for a refused transaction, or any other refused call. */
function refusal(isTransaction: boolean, Code: string, otherwise: string): Error {
  const name = isTransaction ? 'TransactionCanceledException' : otherwise;
  return Object.assign(new Error(name), {
    name,
    $metadata: { httpStatusCode: 400 },
    ...(isTransaction && { CancellationReasons: [{ Code }] }),
  });
}
