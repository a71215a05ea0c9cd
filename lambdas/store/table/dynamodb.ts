import * as transport from '#transport';
import { intercepted } from './interceptors.ts';
import type { Input, Operation, Options, Output } from './operations.ts';

export {
  BatchExecuteStatement,
  BatchGetItem,
  DeleteItem,
  GetItem,
  PutItem,
  Query,
  TransactWriteItems,
  UpdateItem,
} from '#transport';

/**
 * Sends one request to DynamoDB, once. All store calls go through here.
 *
 * @throws what the transport throws
 */
export const send = <O extends Operation>(kind: transport.Kind<O>, input: Input<O>, options: Options): Promise<Output<O>> =>
  intercepted(kind.name, input, (input) => transport.send(kind, input, options));
