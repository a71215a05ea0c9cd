import type { ConsumedCapacity } from '@aws-sdk/client-dynamodb';
import { intercept } from '../../../lambdas/store/table/interceptors.ts';
import type { Operation } from '../../../lambdas/store/table/operations.ts';

/**
 * The calls of some work, and the units that the tables and their indexes count for them.
 *
 * @property writes the units of single writes, by the kind of their partition
 */
export type Units = { calls: number; read: number; write: number; writes: Readonly<Record<string, number>> };

type Consumed = { readonly ConsumedCapacity?: ConsumedCapacity | ConsumedCapacity[] };

const none = () => ({ calls: 0, read: 0, write: 0, writes: {} as Record<string, number> });
let taken = none();
/** How often a call started while no other was in progress. */
let waits = 0;
let inProgress = 0;
let failure: Error | undefined;

const isRead = (operation: Operation) => /^(Get|BatchGet|Query)/.test(operation);

/** Renewals of a lease are not counted: their number depends on how long the work takes, and figures must not vary. */
const isRenewal = (input: object) => 'UpdateExpression' in input && input.UpdateExpression === 'SET #leaseUntil = :until';

/** The kind of the item that a single write is about. */
function kindOf(input: object): string | undefined {
  const { Item, Key } = input as { Item?: Record<string, unknown>; Key?: Record<string, unknown> };
  const { pk } = Item ?? Key ?? {};
  return pk === undefined ? undefined : String(pk).split('#')[0];
}

intercept(async (operation, input, next) => {
  if (inProgress++ === 0) waits++;
  const output = await next({ ...input, ReturnConsumedCapacity: 'TOTAL' } as typeof input)
    .catch((error: Error) => {
      // A failed condition is a response. After any other error, the work may have ended early, so its figures would be
      // wrong.
      if (!/^(Conditional|TransactionCanceled)/.test(error.name)) failure ??= error;
      throw error;
    })
    .finally(() => inProgress--);
  if (isRenewal(input)) return output;
  taken.calls++;
  for (const { CapacityUnits = 0 } of [(output as Consumed).ConsumedCapacity ?? []].flat()) {
    taken[isRead(operation) ? 'read' : 'write'] += CapacityUnits;
    const kind = isRead(operation) ? undefined : kindOf(input);
    if (kind !== undefined) taken.writes[kind] = (taken.writes[kind] ?? 0) + CapacityUnits;
  }
  return output;
});

/**
 * Runs the work, and returns its calls and units. Must not run concurrently.
 *
 * @throws the first error other than a failed condition.
 */
export async function unitsOf(work: () => Promise<unknown>): Promise<Units> {
  taken = none();
  failure = undefined;
  await work();
  if (failure) throw failure;
  return { ...taken, writes: { ...taken.writes } };
}

/**
 * Runs the work, and returns how often it waits for the table: concurrent calls are one wait. Otherwise like `unitsOf`.
 */
export async function waitsOf(work: () => Promise<unknown>): Promise<number> {
  waits = 0;
  await unitsOf(work);
  return waits;
}
