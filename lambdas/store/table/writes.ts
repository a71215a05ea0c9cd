import {
  type AttributeValue,
  type CancellationReason,
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import {
  BatchExecuteStatementCommand,
  DeleteCommand,
  PutCommand,
  TransactWriteCommand,
  type TransactWriteCommandInput,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { RequestError } from '../../domain/errors.ts';
import { backOff } from '../../runtime/deadline.ts';
import { setting } from '../../runtime/settings.ts';
import { call, documents, type Item, isAmbiguous } from './client.ts';
import { ConditionFailed, type Expression, ifConditionFails, isAbsent, merged } from './conditions.ts';
import { defined } from './fields.ts';
import { type Key, keyOf } from './keys.ts';

/** How long a write is tried again while others hold its items, in milliseconds. */
const conflictBudget = 8_000;

/** `#name` is an alias for `name` unless said otherwise, so that no attribute's name can clash with one of DynamoDB's 573 reserved words. */
const attributeNames = (...texts: (string | undefined)[]) =>
  Object.fromEntries(texts.flatMap((text) => text?.match(/#\w+/g) ?? []).map((alias) => [alias, alias.slice(1)]));

const nonEmpty = <T extends object>(object: T): T | undefined => (Object.keys(object).length > 0 ? object : undefined);

/** The parameters that all conditional writes have in common. */
function expressions(condition: Expression | undefined, update?: Expression) {
  const { values, names } = merged([condition, update]);
  return {
    TableName: setting('TABLE_NAME'),
    ConditionExpression: condition?.text,
    ExpressionAttributeNames: nonEmpty({ ...attributeNames(condition?.text, update?.text), ...names }),
    ExpressionAttributeValues: nonEmpty(defined(values)),
    // What was there tells apart the reasons of a failure, an own write whose answer was lost among them.
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
  };
}

type Send<T> = (options: { abortSignal: AbortSignal }) => Promise<T>;

/** A call that remembers whether one of its attempts left open if it was executed, or still will be. */
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

/** Makes a write, again while other writes hold its items; its failed conditions become `ConditionFailed`. */
async function write<T>(send: Send<T>): Promise<T> {
  const until = Date.now() + conflictBudget;
  const watched = watching(send);
  for (let attempt = 0; ; attempt++) {
    try {
      return await call(watched.send);
    } catch (error) {
      if (error instanceof ConditionalCheckFailedException) {
        throw new ConditionFailed([error.Item && fromWire(error.Item)], watched.wasAmbiguous());
      }
      const reasons = error instanceof TransactionCanceledException ? (error.CancellationReasons ?? []) : [];
      // A condition that failed beside a conflict failed all the same.
      if (reasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) {
        throw new ConditionFailed(reasons.map(failedItem), watched.wasAmbiguous());
      }
      const passes =
        reasons.some(({ Code }) => passingReasons.has(Code ?? '')) ||
        (error instanceof Error && error.name === 'TransactionConflictException');
      if (!passes) throw error;
    }
    await backOff(attempt, until);
  }
}

/** Reasons of a cancelled transaction that pass by themselves. */
const passingReasons = new Set(['ProvisionedThroughputExceeded', 'ThrottlingError', 'TransactionConflict']);

/** What the table held where a transaction's condition failed; an empty item where it held nothing. */
const failedItem = ({ Code, Item }: CancellationReason): Item | undefined =>
  Code === 'ConditionalCheckFailed' ? fromWire(Item ?? {}) : undefined;

/** What an error says of an item: it is all that the document client leaves as it came. */
const fromWire = (item: Record<string, AttributeValue>): Item => unmarshall(item);

/** Puts an item where the condition holds. @throws ConditionFailed */
export async function putItem(item: Key & Item, condition?: Expression): Promise<void> {
  await write((options) => documents.send(new PutCommand({ ...expressions(condition), Item: item }), options));
}

/**
 * Puts an item under a key that nobody else can have come to. What is there already is the item itself, from an attempt whose answer was lost,
 * and with whatever has been changed of it since.
 */
export async function putNewItem(item: Key & Item): Promise<void> {
  await ifConditionFails(putItem(item, isAbsent), () => undefined);
}

/**
 * Updates an item where the condition holds, and gives it as it then is.
 *
 * The update may be executed more than once, and late: somebody else may have changed the item in between. So it must add or remove
 * nothing but a mark of its own, or its condition must not hold any more once it or somebody else has changed the item (a revision, an
 * epoch, a mark that only moves forward). Whatever sets a value that others set, too, and has no such condition, is a transaction.
 *
 * @throws ConditionFailed
 */
export async function updateItem(itemKey: Key, update: Expression, condition?: Expression): Promise<Item> {
  const { Attributes } = await write((options) =>
    documents.send(
      new UpdateCommand({
        ...expressions(condition, update),
        UpdateExpression: update.text,
        Key: keyOf(itemKey),
        ReturnValues: 'ALL_NEW',
      }),
      options,
    ),
  );
  return Attributes ?? {};
}

/**
 * Updates an item where the condition holds, in one attempt: for what may be left undone. It asks for nothing back, so that a role
 * which may touch some attributes alone may do it.
 *
 * @throws ConditionFailed; RequestError `temporarily_unavailable`; anything else as it came.
 */
export async function updateItemOnce(itemKey: Key, update: Expression, condition: Expression): Promise<void> {
  const command = new UpdateCommand({
    ...expressions(condition, update),
    UpdateExpression: update.text,
    Key: keyOf(itemKey),
    ReturnValuesOnConditionCheckFailure: 'NONE',
  });
  try {
    await call((options) => documents.send(command, options), 1);
  } catch (error) {
    throw error instanceof ConditionalCheckFailedException ? new ConditionFailed([undefined]) : error;
  }
}

/** Deletes an item where the condition holds. @throws ConditionFailed */
export async function deleteItem(itemKey: Key, condition?: Expression): Promise<void> {
  await write((options) => documents.send(new DeleteCommand({ ...expressions(condition), Key: keyOf(itemKey) }), options));
}

/** A write as a part of a transaction. */
export type Write = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** The same writes as parts of a transaction. */
export const putting = (item: Key & Item, condition?: Expression): Write => ({
  Put: { ...expressions(condition), Item: item },
});

export const updating = (itemKey: Key, update: Expression, condition?: Expression): Write => ({
  Update: { ...expressions(condition, update), UpdateExpression: update.text, Key: keyOf(itemKey) },
});

export const deleting = (itemKey: Key, condition?: Expression): Write => ({
  Delete: { ...expressions(condition), Key: keyOf(itemKey) },
});

/**
 * Makes several writes as one: all or none.
 *
 * @param token makes a repetition of the same writes within 10 minutes do nothing, so that a lost answer does no harm.
 * @throws ConditionFailed
 */
export async function transact(writes: readonly Write[], token: string): Promise<void> {
  await write((options) =>
    documents.send(new TransactWriteCommand({ TransactItems: [...writes], ClientRequestToken: token }), options),
  );
}

/** How an insert ended: `busy` was not done; `unknown` may have been done, or still be. Either may be tried again. */
export type Insert = 'inserted' | 'duplicate' | 'busy' | 'unknown';

/**
 * Inserts up to 25 items with one call, each by itself; what exists already stays as it is.
 *
 * PartiQL's INSERT is what makes a batch of conditional puts: `BatchWriteItem` takes no conditions
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/ql-reference.insert.html).
 */
export async function insertItems(items: readonly (Key & Item)[]): Promise<Insert[]> {
  const Statements = items.map((item) => {
    const attributes = Object.entries(defined(item));
    return {
      Statement: `INSERT INTO "${setting('TABLE_NAME')}" VALUE {${attributes.map(([name]) => `'${name}': ?`).join(', ')}}`,
      Parameters: attributes.map(([, value]) => value),
    };
  });
  const { send, wasAmbiguous } = watching((options) => documents.send(new BatchExecuteStatementCommand({ Statements }), options));
  const undone = (): Insert => (wasAmbiguous() ? 'unknown' : 'busy');
  try {
    const { Responses } = await call(send);
    return items.map((_, index) => insertOf(Responses?.[index]?.Error) ?? undone());
  } catch (error) {
    if (error instanceof RequestError) return items.map(undone);
    throw error;
  }
}

/** What a statement's answer says of its insert; undefined if it was not done. */
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
    default:
      throw new Error(`an insert failed: ${error?.Code}`);
  }
}
