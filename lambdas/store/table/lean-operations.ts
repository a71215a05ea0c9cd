import { attributeJson, itemJson, itemOf } from './attribute-values.ts';

/**
 * The fields of a request, in the order of DynamoDB's model, which is the SDK's order too. A list has one shape for all
 * its entries, and a map one, at `*`, for all its values.
 */
export type Writing = ((value: never) => string) | readonly [Writing] | { readonly [field: string]: Writing };

/** The fields of a response that contain attributes. All others stay as they are. */
export type Reading = ((value: never) => unknown) | readonly [Reading] | { readonly [field: string]: Reading };

/** An operation, and the shapes of its requests and responses. */
export type Kind<O extends string> = { readonly name: O; readonly input: Writing; readonly output: Reading };

/** A field without attributes. */
const plain = (value: unknown): string => JSON.stringify(value);

/** The fields that all conditional writes share, at the end of each. */
const condition = {
  ConditionExpression: plain,
  ExpressionAttributeNames: plain,
  ExpressionAttributeValues: itemJson,
  ReturnValuesOnConditionCheckFailure: plain,
};
const returning = { ReturnValues: plain, ReturnConsumedCapacity: plain };
const keys = { Keys: [itemJson], ConsistentRead: plain } as const;

// One export for each operation, so that a bundle contains only those that its function sends. Each has the fields that
// the store uses. The redirect and the authorizer send three; tests and the benchmark send all.

export const BatchExecuteStatement: Kind<'BatchExecuteStatement'> = {
  name: 'BatchExecuteStatement',
  input: { Statements: [{ Statement: plain, Parameters: [attributeJson] }], ReturnConsumedCapacity: plain },
  output: { Responses: [{ Item: itemOf, Error: { Item: itemOf } }] },
};

export const BatchGetItem: Kind<'BatchGetItem'> = {
  name: 'BatchGetItem',
  input: { RequestItems: { '*': keys }, ReturnConsumedCapacity: plain },
  output: { Responses: { '*': [itemOf] }, UnprocessedKeys: { '*': { Keys: [itemOf] } } },
};

export const DeleteItem: Kind<'DeleteItem'> = {
  name: 'DeleteItem',
  input: { TableName: plain, Key: itemJson, ...returning, ...condition },
  output: { Attributes: itemOf },
};

export const GetItem: Kind<'GetItem'> = {
  name: 'GetItem',
  input: { TableName: plain, Key: itemJson, ConsistentRead: plain, ReturnConsumedCapacity: plain },
  output: { Item: itemOf },
};

export const PutItem: Kind<'PutItem'> = {
  name: 'PutItem',
  input: { TableName: plain, Item: itemJson, ...returning, ...condition },
  output: { Attributes: itemOf },
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
  output: { Items: [itemOf], LastEvaluatedKey: itemOf },
};

export const TransactWriteItems: Kind<'TransactWriteItems'> = {
  name: 'TransactWriteItems',
  input: {
    TransactItems: [
      {
        ConditionCheck: { Key: itemJson, TableName: plain, ...condition },
        Put: { Item: itemJson, TableName: plain, ...condition },
        Delete: { Key: itemJson, TableName: plain, ...condition },
        Update: { Key: itemJson, UpdateExpression: plain, TableName: plain, ...condition },
      },
    ],
    ReturnConsumedCapacity: plain,
    ClientRequestToken: plain,
  },
  output: {},
};

export const UpdateItem: Kind<'UpdateItem'> = {
  name: 'UpdateItem',
  input: { TableName: plain, Key: itemJson, ...returning, UpdateExpression: plain, ...condition },
  output: { Attributes: itemOf },
};

/** The items in errors: of a failed condition, and for each write of a cancelled transaction. */
export const errorFields: Reading = { Item: itemOf, CancellationReasons: [{ Item: itemOf }] };

/** Writes a request as JSON. @throws Error if it has a field that its shape lacks, which would be lost otherwise */
export function written(shape: Writing, value: unknown): string {
  if (typeof shape === 'function') return shape(value as never);
  if (isList(shape)) return `[${(value as unknown[]).map((one) => written(shape[0], one))}]`;
  const fields = value as Readonly<Record<string, unknown>>;
  const every = shape['*'];
  let text = '';
  let left = 0;
  for (const name in fields) if (fields[name] !== undefined) left++;
  for (const name in every ? fields : shape) {
    const inner = every ?? shape[name];
    if (!inner || fields[name] === undefined) continue;
    text += `${text && ','}${JSON.stringify(name)}:${written(inner, fields[name])}`;
    left--;
  }
  if (left > 0) throw new Error(`a request has fields that the transport does not know: ${Object.keys(fields)}`);
  return `{${text}}`;
}

/** A response with plain values. */
export function read(shape: Reading, value: unknown): unknown {
  if (typeof shape === 'function') return shape(value as never);
  if (isList(shape)) return (value as unknown[]).map((one) => read(shape[0], one));
  const fields = value as Readonly<Record<string, unknown>>;
  const every = shape['*'];
  const result: Record<string, unknown> = { ...fields };
  for (const name in every ? fields : shape) {
    const inner = every ?? shape[name];
    if (inner && fields[name] != null) result[name] = read(inner, fields[name]);
  }
  return result;
}

const isList = <T>(shape: readonly [T] | object): shape is readonly [T] => Array.isArray(shape);
