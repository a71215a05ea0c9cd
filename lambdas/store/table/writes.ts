import { RequestError } from '../../core/errors.ts';
import { backOff } from '../../runtime/deadline.ts';
import { accessDenied } from '../../runtime/denials.ts';
import type { ServiceError } from '../../runtime/failed-calls.ts';
import { steadyTime } from '../../runtime/instant.ts';
import { call, type Item, isAmbiguous } from './client.ts';
import { BatchExecuteStatement, DeleteItem, PutItem, send, TransactWriteItems, UpdateItem } from './dynamodb.ts';
import { any, ConditionFailed, type Expression, ifConditionFails, isAbsent, placeholdersOf } from './expressions.ts';
import { defined } from './fields.ts';
import { type Key, keyOf } from './keys.ts';
import type { Input, Options } from './operations.ts';
import { tableNameOf } from './tables.ts';

/** How long a write is retried on transaction conflicts, in milliseconds. */
const conflictBudget = 8_000;

/**
 * `#name` is an alias for `name` unless `names` says otherwise, so that no attribute name can clash with one of
 * DynamoDB's 573 reserved words.
 */
const attributeNames = (...texts: (string | undefined)[]) =>
  Object.fromEntries(texts.flatMap((text) => text?.match(/#\w+/g) ?? []).map((alias) => [alias, alias.slice(1)]));

const nonEmpty = <T extends object>(object: T): T | undefined => (Object.keys(object).length > 0 ? object : undefined);

/** The parameters that all writes share, and those of conditions and updates for writes that have any. */
function expressions(itemKey: Key, condition: Expression | undefined, update?: Expression) {
  const TableName = tableNameOf(itemKey);
  if (!condition && !update) return { TableName };
  const { values, names } = placeholdersOf([condition, update]);
  return {
    TableName,
    ConditionExpression: condition?.text,
    ExpressionAttributeNames: nonEmpty({ ...attributeNames(condition?.text, update?.text), ...names }),
    ExpressionAttributeValues: nonEmpty(defined(values)),
    // The item distinguishes the reasons for a failure. One is that an earlier attempt succeeded and its response was
    // lost.
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

type Send<T> = (options: Options) => Promise<T>;

/** What DynamoDB says about a write that it refused. */
type Reason = { readonly Code?: string | undefined; readonly Item?: Item | undefined };
type Refusal = ServiceError & { readonly Item?: Item; readonly CancellationReasons?: readonly Reason[] };

/** Wraps a call to remember if one of its attempts may have been executed, or may still be. */
function watching<T>(send: Send<T>): { readonly send: Send<T>; readonly wasAmbiguous: () => boolean } {
  let wasAmbiguous = false;
  return {
    send: async (options) => {
      try {
        return await send(options);
      } catch (error) {
        wasAmbiguous ||= error instanceof Error && isAmbiguous(error);
        throw error;
      }
    },
    wasAmbiguous: () => wasAmbiguous,
  };
}

/**
 * Makes a write, and retries it on transaction conflicts and throttling. Turns failed conditions into
 * `ConditionFailed`.
 */
export async function write<T>(send: Send<T>, attempts?: number): Promise<T> {
  const until = steadyTime() + conflictBudget;
  const watched = watching(send);
  for (let attempt = 0; ; attempt++) {
    try {
      return await call(watched.send, { attempts });
    } catch (error) {
      if (!(error instanceof Error)) throw error;
      const { name, Item, CancellationReasons: reasons = [] }: Refusal = error;
      if (name === conditionFailed) throw new ConditionFailed([Item], watched.wasAmbiguous());
      // A failed condition takes precedence over another write's conflict.
      if (reasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) {
        throw new ConditionFailed(reasons.map(failedItem), watched.wasAmbiguous());
      }
      const passes = reasons.some(({ Code }) => passingReasons.has(Code ?? '')) || name === 'TransactionConflictException';
      if (!passes) throw error;
    }
    await backOff(attempt, until);
  }
}

/** The name of the error if the condition of a single write does not hold. */
const conditionFailed = 'ConditionalCheckFailedException';

/** Transient reasons for a cancelled transaction. */
const passingReasons = new Set(['ProvisionedThroughputExceeded', 'ThrottlingError', 'TransactionConflict']);

/**
 * The item for which a condition of a transaction failed, `{}` if there was none; undefined if this condition did not
 * fail.
 */
const failedItem = ({ Code, Item }: Reason): Item | undefined => (Code === 'ConditionalCheckFailed' ? (Item ?? {}) : undefined);

/** Puts an item if the condition holds. @throws ConditionFailed */
export async function putItem(item: Key & Item, condition?: Expression): Promise<void> {
  await write((options) => send(PutItem, { ...expressions(item, condition), Item: item }, options));
}

/**
 * Puts an item if there is none, without learning what is there otherwise. Repeating it is harmless.
 *
 * @param isReplaced the condition on an item that may be replaced. It must not hold for the new item.
 */
export async function putIfAbsent(item: Key & Item, isReplaced?: Expression): Promise<void> {
  const condition = isReplaced ? any(isAbsent, isReplaced) : isAbsent;
  const input = { ...expressions(item, condition), Item: item, ReturnValuesOnConditionCheckFailure: 'NONE' as const };
  await ifConditionFails(
    write((options) => send(PutItem, input, options)),
    () => undefined,
  );
}

/**
 * Puts an item under a unique, newly generated key. If there already is an item, it is this one: an earlier attempt
 * wrote it and its response was lost. It stays as it is, with any later changes.
 */
export async function putNewItem(item: Key & Item): Promise<void> {
  await ifConditionFails(putItem(item, isAbsent), () => undefined);
}

/**
 * Updates an item if the condition holds, and returns the updated item.
 *
 * The update may be executed more than once, and late, after another request has changed the item. So it must either
 * only add or remove a value of its own, or have a condition that fails once this update or another one has changed the
 * item (a revision, an epoch, a checkpoint that only moves forward). To set a value that others set too, without such a
 * condition, use a transaction.
 *
 * @param attempts how many attempts to make, besides those after transaction conflicts.
 * @throws ConditionFailed
 */
export async function updateItem(itemKey: Key, update: Expression, condition?: Expression, attempts?: number): Promise<Item> {
  const input: Input<'UpdateItem'> = {
    ...expressions(itemKey, condition, update),
    UpdateExpression: update.text,
    Key: keyOf(itemKey),
    ReturnValues: 'ALL_NEW',
  };
  const { Attributes } = await write((options) => send(UpdateItem, input, options), attempts);
  return Attributes ?? {};
}

/**
 * Updates an item if the condition holds, in one attempt, for optional updates. It returns nothing, so that a role with
 * access to only some attributes may use it.
 *
 * @throws ConditionFailed; RequestError `temporarily_unavailable`; other errors unchanged
 */
export async function updateItemOnce(itemKey: Key, update: Expression, condition: Expression): Promise<void> {
  const input: Input<'UpdateItem'> = {
    ...expressions(itemKey, condition, update),
    UpdateExpression: update.text,
    Key: keyOf(itemKey),
    ReturnValuesOnConditionCheckFailure: 'NONE',
  };
  try {
    await call((options) => send(UpdateItem, input, options), { attempts: 1 });
  } catch (error) {
    throw error instanceof Error && error.name === conditionFailed ? new ConditionFailed([undefined]) : error;
  }
}

/** Deletes an item if the condition holds. @throws ConditionFailed */
export async function deleteItem(itemKey: Key, condition?: Expression): Promise<void> {
  await write((options) => send(DeleteItem, { ...expressions(itemKey, condition), Key: keyOf(itemKey) }, options));
}

/** A write as part of a transaction. */
export type Write = NonNullable<Input<'TransactWriteItems'>['TransactItems']>[number];

/** The writes above as parts of a transaction. */
export const putting = (item: Key & Item, condition?: Expression): Write => ({
  Put: { ...expressions(item, condition), Item: item },
});

export const updating = (itemKey: Key, update: Expression, condition?: Expression): Write => ({
  Update: { ...expressions(itemKey, condition, update), UpdateExpression: update.text, Key: keyOf(itemKey) },
});

export const deleting = (itemKey: Key, condition?: Expression): Write => ({
  Delete: { ...expressions(itemKey, condition), Key: keyOf(itemKey) },
});

/** Writes nothing. The transaction fails unless the item meets the condition. */
export const checking = (itemKey: Key, condition: Expression): Write => ({
  ConditionCheck: { ...expressions(itemKey, condition), ConditionExpression: condition.text, Key: keyOf(itemKey) },
});

/**
 * Makes several writes in one transaction, all or none.
 *
 * @param token makes the transaction idempotent for 10 minutes, so that a retry after a lost response does no harm.
 * @throws ConditionFailed
 */
export async function transact(writes: readonly Write[], token: string): Promise<void> {
  await write((options) => send(TransactWriteItems, { TransactItems: [...writes], ClientRequestToken: token }, options));
}

/**
 * The result of an insert: `busy` was not executed; `unknown` may have been, or may still be. Either can be retried.
 */
export type Insert = 'inserted' | 'duplicate' | 'busy' | 'unknown';

/**
 * Inserts up to 25 items with one call, each by itself. Items that already exist stay as they are.
 *
 * PartiQL's INSERT allows a batch of conditional puts; `BatchWriteItem` takes no conditions
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.insert.html).
 */
export async function insertItems(items: readonly (Key & Item)[]): Promise<Insert[]> {
  const Statements = items.map((item) => {
    const attributes = Object.entries(defined(item));
    return {
      Statement: `INSERT INTO "${tableNameOf(item)}" VALUE {${attributes.map(([name]) => `'${name}': ?`).join(', ')}}`,
      Parameters: attributes.map(([, value]) => value),
    };
  });
  const watched = watching((options) => send(BatchExecuteStatement, { Statements }, options));
  const undone = (): Insert => (watched.wasAmbiguous() ? 'unknown' : 'busy');
  try {
    const { Responses } = await call(watched.send);
    return items.map((_, index) => insertOf(Responses?.[index]?.Error) ?? undone());
  } catch (error) {
    if (error instanceof RequestError) return items.map(undone);
    throw error;
  }
}

/**
 * The result of a statement's insert; undefined if it was refused and can be retried. @throws Error for other errors
 */
function insertOf(error: { Code?: string | undefined; Message?: string | undefined } | undefined): Insert | undefined {
  switch (error?.Code) {
    case undefined:
      return 'inserted';
    case 'DuplicateItem':
    case 'ConditionalCheckFailed':
      return 'duplicate';
    case 'InternalServerError':
      return 'unknown';
    case 'ProvisionedThroughputExceeded':
    case 'RequestLimitExceeded':
    case 'ThrottlingError':
    case 'TransactionConflict':
      return undefined;
    case 'AccessDenied':
      throw Object.assign(new Error(`an insert was denied: ${error?.Message}`), { name: accessDenied });
    default:
      throw new Error(`an insert failed: ${error?.Code}`);
  }
}
