import { itemJson, itemOf } from './attribute-values.ts';

/**
 * The fields of a request, each with the function that writes it as JSON, in the order of DynamoDB's model, which is
 * the SDK's order too.
 */
export type Writers = { readonly [field: string]: (value: never) => string };

/**
 * The fields of a response that contain attributes, each with the function that reads it. All others stay as they are.
 */
export type Readers = { readonly [field: string]: (value: never) => unknown };

/** An operation, and the fields of its requests and responses. */
export type Kind<O extends string> = { readonly name: O; readonly input: Writers; readonly output: Readers };

/** Writes a field without attributes. */
export const plain = (value: unknown): string => JSON.stringify(value);

/** The fields that all conditional writes share, at the end of each. */
export const condition: Writers = {
  ConditionExpression: plain,
  ExpressionAttributeNames: plain,
  ExpressionAttributeValues: itemJson,
  ReturnValuesOnConditionCheckFailure: plain,
};

/** The fields of a write: its own ones, those that say what it changes, and those of all writes. */
const writing = (own: Writers, change: Writers = {}): Writers => ({
  TableName: plain,
  ...own,
  ReturnValues: plain,
  ReturnConsumedCapacity: plain,
  ...change,
  ...condition,
});

// One export for each operation, so that a bundle contains only those that its function sends. Each has the fields that
// the store uses. Only operations that the functions without the SDK send are here.

/** What a batch reads of one table. */
const keysOfTable: Writers = { Keys: (keys: object[]) => `[${keys.map(itemJson)}]`, ConsistentRead: plain };

export const BatchGetItem: Kind<'BatchGetItem'> = {
  name: 'BatchGetItem',
  input: {
    RequestItems: (tables: object) =>
      `{${Object.entries(tables).map(([table, keys]) => `${JSON.stringify(table)}:${written(keysOfTable, keys)}`)}}`,
    ReturnConsumedCapacity: plain,
  },
  output: {
    Responses: (tables: ByTable<Attributes[]>) => ofEach(tables, itemsOf),
    UnprocessedKeys: (tables: ByTable<object>) => ofEach(tables, (some) => read({ Keys: itemsOf }, some)),
  },
};

type Attributes = Parameters<typeof itemOf>[0];
const itemsOf = (items: readonly Attributes[]) => items.map(itemOf);

type ByTable<T> = Readonly<Record<string, T>>;
const ofEach = <T, U>(tables: ByTable<T>, one: (value: T) => U): ByTable<U> =>
  Object.fromEntries(Object.entries(tables).map(([table, value]) => [table, one(value)]));

export const DeleteItem: Kind<'DeleteItem'> = {
  name: 'DeleteItem',
  input: /* @__PURE__ */ writing({ Key: itemJson }),
  output: { Attributes: itemOf },
};

export const GetItem: Kind<'GetItem'> = {
  name: 'GetItem',
  input: { TableName: plain, Key: itemJson, ConsistentRead: plain, ReturnConsumedCapacity: plain },
  output: { Item: itemOf },
};

export const PutItem: Kind<'PutItem'> = {
  name: 'PutItem',
  input: /* @__PURE__ */ writing({ Item: itemJson }),
  output: { Attributes: itemOf },
};

export const UpdateItem: Kind<'UpdateItem'> = {
  name: 'UpdateItem',
  input: /* @__PURE__ */ writing({ Key: itemJson }, { UpdateExpression: plain }),
  output: { Attributes: itemOf },
};

/** The item in the error of a failed condition. */
export const errorFields: Readers = { Item: itemOf };

/** Writes fields as JSON. @throws Error if there is one without a writer, which would be lost otherwise */
export function written(writers: Writers, fields: object): string {
  const values = fields as Readonly<Record<string, never>>;
  let text = '';
  let left = 0;
  for (const name in values) if (values[name] !== undefined) left++;
  for (const name in writers) {
    const value = values[name];
    if (value === undefined) continue;
    text += `${text && ','}${JSON.stringify(name)}:${writers[name]?.(value)}`;
    left--;
  }
  if (left > 0) throw new Error(`a request has fields that the transport does not know: ${Object.keys(values)}`);
  return `{${text}}`;
}

/** The same fields with plain values. */
export function read(readers: Readers, fields: object): Record<string, unknown> {
  const result: Record<string, unknown> = { ...fields };
  for (const name in readers) if (result[name] != null) result[name] = readers[name]?.(result[name] as never);
  return result;
}
