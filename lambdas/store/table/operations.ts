import type {
  BatchExecuteStatementCommandInput,
  BatchExecuteStatementCommandOutput,
  BatchGetCommandInput,
  BatchGetCommandOutput,
  DeleteCommandInput,
  DeleteCommandOutput,
  GetCommandInput,
  GetCommandOutput,
  PutCommandInput,
  PutCommandOutput,
  QueryCommandInput,
  QueryCommandOutput,
  TransactWriteCommandInput,
  TransactWriteCommandOutput,
  UpdateCommandInput,
  UpdateCommandOutput,
} from '@aws-sdk/lib-dynamodb';

/** The operations of DynamoDB that the store uses: its own requests and responses, with plain JavaScript values. */
type Operations = {
  readonly BatchExecuteStatement: readonly [BatchExecuteStatementCommandInput, BatchExecuteStatementCommandOutput];
  readonly BatchGetItem: readonly [BatchGetCommandInput, BatchGetCommandOutput];
  readonly DeleteItem: readonly [DeleteCommandInput, DeleteCommandOutput];
  readonly GetItem: readonly [GetCommandInput, GetCommandOutput];
  readonly PutItem: readonly [PutCommandInput, PutCommandOutput];
  readonly Query: readonly [QueryCommandInput, QueryCommandOutput];
  readonly TransactWriteItems: readonly [TransactWriteCommandInput, TransactWriteCommandOutput];
  readonly UpdateItem: readonly [UpdateCommandInput, UpdateCommandOutput];
};

export type Operation = keyof Operations;

export type Input<O extends Operation> = Operations[O][0];

export type Output<O extends Operation> = Omit<Operations[O][1], '$metadata'>;

/** How long a connection, and a whole response, may take, in milliseconds. */
export const connectionTimeout = 1_000;
export const requestTimeout = 2_000;

/**
 * How long the first attempt of a visitor's read may take, in milliseconds. A connection that is dead without our
 * noticing costs no more than that: the next attempt opens a new one, and has `requestTimeout`.
 */
export const firstReadTimeout = 500;

/**
 * How long a connection may be idle and still be used, in milliseconds. AWS does not document when DynamoDB closes idle
 * connections. Others saw it after 60 seconds (https://github.com/aws/aws-sdk-java/issues/1365) and after some 90
 * (https://github.com/feast-dev/feast/pull/5167). A function that is frozen at that moment does not notice, and waits
 * in vain for a response. What would change our mind: a documented limit, or a deployed stage that shows another one.
 */
export const longestIdle = 45_000;

/** What `call` sets for one attempt: how many milliseconds it may take, at most 2 ** 31 - 1. */
export type Options = { readonly timeLeft: number };
