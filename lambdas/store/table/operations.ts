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

/** What `call` sets for one attempt: how many milliseconds it may take, at most 2 ** 31 - 1. */
export type Options = { readonly timeLeft: number };
