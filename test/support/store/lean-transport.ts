import { attributeJson, itemJson, itemOf } from '../../../lambdas/store/table/attribute-values.ts';
import {
  condition,
  type Kind,
  plain,
  type Readers,
  read,
  type Writers,
  written,
} from '../../../lambdas/store/table/lean-operations.ts';
import { send as sendLean } from '../../../lambdas/store/table/lean-transport.ts';
import type { Input, Operation, Options, Output } from '../../../lambdas/store/table/operations.ts';

/**
 * The lean transport with all operations of the store, for tests: it takes half of the SDK's processor time. The functions
 * that have it send only some of them, so the others are here.
 */

export {
  BatchGetItem,
  DeleteItem,
  GetItem,
  type Kind,
  PutItem,
  UpdateItem,
} from '../../../lambdas/store/table/lean-operations.ts';

const writeList = (one: (value: never) => string) => (values: never[]) => `[${values.map(one)}]`;
const writeFields = (writers: Writers) => (value: object) => written(writers, value);

const readList = (one: (value: never) => unknown) => (values: never[]) => values.map(one);
const readFields = (readers: Readers) => (value: object) => read(readers, value);

export const BatchExecuteStatement: Kind<'BatchExecuteStatement'> = {
  name: 'BatchExecuteStatement',
  input: {
    Statements: writeList(writeFields({ Statement: plain, Parameters: writeList(attributeJson) })),
    ReturnConsumedCapacity: plain,
  },
  output: { Responses: readList(readFields({ Item: itemOf, Error: readFields({ Item: itemOf }) })) },
};

export const Query: Kind<'Query'> = {
  name: 'Query',
  input: {
    TableName: plain,
    IndexName: plain,
    Limit: plain,
    ConsistentRead: plain,
    ScanIndexForward: plain,
    ExclusiveStartKey: itemJson,
    ReturnConsumedCapacity: plain,
    KeyConditionExpression: plain,
    ExpressionAttributeNames: plain,
    ExpressionAttributeValues: itemJson,
  },
  output: { Items: readList(itemOf), LastEvaluatedKey: itemOf },
};

export const TransactWriteItems: Kind<'TransactWriteItems'> = {
  name: 'TransactWriteItems',
  input: {
    TransactItems: writeList(
      writeFields({
        ConditionCheck: writeFields({ Key: itemJson, TableName: plain, ...condition }),
        Put: writeFields({ Item: itemJson, TableName: plain, ...condition }),
        Delete: writeFields({ Key: itemJson, TableName: plain, ...condition }),
        Update: writeFields({ Key: itemJson, UpdateExpression: plain, TableName: plain, ...condition }),
      }),
    ),
    ReturnConsumedCapacity: plain,
    ClientRequestToken: plain,
  },
  output: {},
};

/** The same as `send` of `lean-transport.ts`, with plain items in the error of a cancelled transaction. */
export async function send<O extends Operation>(kind: Kind<O>, input: Input<O>, options: Options): Promise<Output<O>> {
  try {
    return await sendLean(kind, input, options);
  } catch (error) {
    const { CancellationReasons } = error as { CancellationReasons?: object[] };
    throw Object.assign(error as Error, CancellationReasons && { CancellationReasons: plainReasons(CancellationReasons) });
  }
}

const plainReasons = readList(readFields({ Item: itemOf })) as (reasons: object[]) => unknown;
