import { type AttributeValue, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchExecuteStatementCommand,
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { adjustClock } from './clock.ts';
import { keptConnections } from './kept-connections.ts';
import { connectionTimeout, type Input, type Operation, type Options, type Output, requestTimeout } from './operations.ts';

/** The connections to the table with and without TLS. On AWS, only the first are used; on a laptop, only the second. */
const connections = {
  https: keptConnections(process.getBuiltinModule('node:https').Agent),
  http: keptConnections(process.getBuiltinModule('node:http').Agent),
};

/** The SDK's client behind the document client. */
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

/** Converts items to and from plain JavaScript values, and omits undefined attributes. */
const documents = DynamoDBDocumentClient.from(client, { marshallOptions: { removeUndefinedValues: true } });

/** An operation, and the document client's command for it. */
export type Kind<O extends Operation> = { readonly name: O; readonly Command: new (input: Input<O>) => object };

// One export for each operation, so that a bundle contains only the commands that its function sends.
export const BatchExecuteStatement: Kind<'BatchExecuteStatement'> = {
  name: 'BatchExecuteStatement',
  Command: BatchExecuteStatementCommand,
};
export const BatchGetItem: Kind<'BatchGetItem'> = { name: 'BatchGetItem', Command: BatchGetCommand };
export const DeleteItem: Kind<'DeleteItem'> = { name: 'DeleteItem', Command: DeleteCommand };
export const GetItem: Kind<'GetItem'> = { name: 'GetItem', Command: GetCommand };
export const PutItem: Kind<'PutItem'> = { name: 'PutItem', Command: PutCommand };
export const Query: Kind<'Query'> = { name: 'Query', Command: QueryCommand };
export const TransactWriteItems: Kind<'TransactWriteItems'> = { name: 'TransactWriteItems', Command: TransactWriteCommand };
export const UpdateItem: Kind<'UpdateItem'> = { name: 'UpdateItem', Command: UpdateCommand };

/**
 * Sends one request with the SDK's document client, once.
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
  try {
    // TypeScript cannot tell that the command of an operation returns its output.
    return (await documents.send(new Command(storable(input)) as never, {
      abortSignal: AbortSignal.timeout(timeLeft),
    })) as Output<O>;
  } catch (error) {
    throw withPlainItems(error);
  }
}

/**
 * The same values. An object in which a client has chosen the name `constructor` becomes a `Map`: the document client
 * takes such an object for an instance of some class, and refuses it
 * (https://github.com/aws/aws-sdk-js-v3/blob/main/packages/util-dynamodb/src/convertToAttr.ts).
 */
function storable<T>(value: T): T;
function storable(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(storable);
  if (typeof value !== 'object' || value === null) return value;
  if (![Object.prototype, null].includes(Object.getPrototypeOf(value))) return value;
  const fields = Object.entries(value).map(([name, one]) => [name, storable(one)] as const);
  return Object.hasOwn(value, 'constructor') ? new Map(fields) : Object.fromEntries(fields);
}

type WithItem = { Item?: Record<string, AttributeValue> };

/** Converts the items in an error, which the document client leaves as they are. */
function withPlainItems(error: unknown): unknown {
  const { Item, CancellationReasons } = error as WithItem & { CancellationReasons?: readonly WithItem[] };
  const plain = <T extends WithItem>(held: T) => ({ ...held, ...(held.Item && { Item: unmarshall(held.Item) }) });
  if (Item) Object.assign(error as object, plain({ Item }));
  if (CancellationReasons) Object.assign(error as object, { CancellationReasons: CancellationReasons.map(plain) });
  return error;
}
