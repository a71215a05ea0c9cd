import {
  BatchExecuteStatementCommand,
  BatchGetItemCommand,
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  TransactWriteItemsCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { itemOf, toAttribute, toAttributes } from './attribute-values.ts';
import { adjustClock } from './clock.ts';
import { byName, type Converters, converted, each } from './converted.ts';
import { keptConnections } from './kept-connections.ts';
import { connectionTimeout, type Input, type Operation, type Options, type Output, requestTimeout } from './operations.ts';

/** The connections to the table with and without TLS. On AWS, only the first are used; on a laptop, only the second. */
const connections = {
  https: keptConnections(process.getBuiltinModule('node:https').Agent),
  http: keptConnections(process.getBuiltinModule('node:http').Agent),
};

/** The SDK's client. */
export const client = new DynamoDBClient({
  // `call` in `client.ts` retries by one rule for everything. The SDK's own retry quota would be used up for a while
  // after an outage.
  maxAttempts: 1,
  // Limits how long one attempt can hang. Without the flag the SDK would only warn.
  requestHandler: {
    connectionTimeout,
    requestTimeout,
    throwOnRequestTimeout: true,
    httpsAgent: connections.https.agent,
    httpAgent: connections.http.agent,
  },
});

client.middlewareStack.add(
  (next) => async (args) => {
    for (const { closeStale } of Object.values(connections)) closeStale();
    const sentAt = Date.now();
    // At this step, errors of the table are responses too.
    const result = await next(args).catch((error: unknown) => {
      for (const { closeFree } of Object.values(connections)) closeFree();
      throw error;
    });
    const { headers } = result.response as { readonly headers?: Readonly<Record<string, string>> };
    adjustClock(headers?.date, sentAt, Date.now());
    return result;
  },
  // Closest to the wire, so that it sees a response before other middleware handles it.
  { step: 'deserialize', priority: 'low', name: 'connectionsAndClock' },
);

/** An operation, and the SDK's command for it. */
export type Kind<O extends Operation> = { readonly name: O; readonly Command: new (input: never) => object };

// One export for each operation, so that a bundle contains only the commands that its function sends.
export const BatchExecuteStatement: Kind<'BatchExecuteStatement'> = {
  name: 'BatchExecuteStatement',
  Command: BatchExecuteStatementCommand,
};
export const BatchGetItem: Kind<'BatchGetItem'> = { name: 'BatchGetItem', Command: BatchGetItemCommand };
export const DeleteItem: Kind<'DeleteItem'> = { name: 'DeleteItem', Command: DeleteItemCommand };
export const GetItem: Kind<'GetItem'> = { name: 'GetItem', Command: GetItemCommand };
export const PutItem: Kind<'PutItem'> = { name: 'PutItem', Command: PutItemCommand };
export const Query: Kind<'Query'> = { name: 'Query', Command: QueryCommand };
export const TransactWriteItems: Kind<'TransactWriteItems'> = { name: 'TransactWriteItems', Command: TransactWriteItemsCommand };
export const UpdateItem: Kind<'UpdateItem'> = { name: 'UpdateItem', Command: UpdateItemCommand };

/** Converts the plain values in a request. A field has the same meaning in each operation. */
const toRequest = (fields: object) => converted(inRequests, fields);
const inRequests: Converters = {
  ExclusiveStartKey: toAttributes,
  ExpressionAttributeValues: toAttributes,
  Item: toAttributes,
  Key: toAttributes,
  Keys: each(toAttributes),
  Parameters: each(toAttribute),
  RequestItems: byName(toRequest),
  Statements: each(toRequest),
  TransactItems: each(byName(toRequest)),
};

/** Converts the attributes in a response or an error. `Responses` are of statements, or of tables with their items. */
const toPlain = (fields: object) => converted(inResponses, fields);
const inResponses: Converters = {
  Attributes: itemOf,
  CancellationReasons: each(toPlain),
  Error: toPlain,
  Item: itemOf,
  Items: each(itemOf),
  Keys: each(itemOf),
  LastEvaluatedKey: itemOf,
  Responses: (all: never[]) => (Array.isArray(all) ? each(toPlain)(all) : byName(each(itemOf))(all)),
  UnprocessedKeys: byName(toPlain),
};

/**
 * Sends one request with the SDK, once.
 *
 * @throws an Error with DynamoDB's name for it and `$metadata.httpStatusCode`. With plain values, `Item` of a
 *   ConditionalCheckFailedException, and `CancellationReasons` of a TransactionCanceledException, each with `Code` and
 *   `Item`. If there was no response, an AbortError, a TimeoutError, or Node's error with its `code`.
 */
export async function send<O extends Operation>(
  { Command }: Kind<O>,
  input: Input<O>,
  { timeLeft }: Options,
): Promise<Output<O>> {
  // TypeScript cannot tell that the command of an operation takes its input and returns its output.
  const command = new Command(toRequest(input) as never) as never;
  try {
    return toPlain(await client.send(command, { abortSignal: AbortSignal.timeout(timeLeft) })) as Output<O>;
  } catch (error) {
    throw Object.assign(error as object, toPlain(error as object));
  }
}
