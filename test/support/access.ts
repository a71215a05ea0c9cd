import type { Input, Operation } from '../../lambdas/store/table/operations.ts';

/** The permission that a call needs: an action, and a pattern for the partition key, like a policy's leading key. */
export type Access = { readonly action: string; readonly leadingKey: string };

type Item = Readonly<Record<string, unknown>>;
type Write = { readonly Key?: Item; readonly Item?: Item };

/** The input fields that the store's calls use, all operations together. */
type AnyInput = Write & {
  readonly IndexName?: string;
  readonly ExpressionAttributeValues?: Item;
  readonly RequestItems?: Record<string, { readonly Keys: readonly Item[] }>;
  readonly Statements?: readonly { readonly Statement: string; readonly Parameters: readonly unknown[] }[];
  readonly TransactItems?: readonly Record<string, Write>[];
};

const access = (action: string, pk: unknown): Access => {
  if (typeof pk !== 'string') throw new Error(`a call of ${action} without a partition key`);
  return { action: `dynamodb:${action}`, leadingKey: pk.replace(/(?<=#).*$/s, '*') };
};

/** The partition key of an INSERT, found by the position of its name in the statement. */
function insertedKey(statement: string, parameters: readonly unknown[]): unknown {
  const names = [...statement.matchAll(/'(\w+)': \?/g)].map(([, name]) => name);
  return parameters[names.indexOf('pk')];
}

/**
 * The permissions that a call needs. A transaction needs those of its parts
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html). A query of an index
 * needs permission for the whole index.
 */
export function accessesOf(name: Operation, anyInput: Input<Operation>): Access[] {
  const input = anyInput as AnyInput;
  if (input.Statements) {
    return input.Statements.map(({ Statement, Parameters }) => access('PartiQLInsert', insertedKey(Statement, Parameters)));
  }
  if (input.TransactItems) {
    return input.TransactItems.flatMap((parts) =>
      Object.entries(parts).map(([part, { Key, Item }]) => access(`${part}Item`, (Key ?? Item)?.pk)),
    );
  }
  if (input.RequestItems) {
    return Object.values(input.RequestItems).flatMap(({ Keys }) => Keys.map((key) => access(name, key.pk)));
  }
  if (input.IndexName) return [{ action: `dynamodb:${name} on ${input.IndexName}`, leadingKey: '*' }];
  return [access(name, (input.Key ?? input.Item)?.pk ?? input.ExpressionAttributeValues?.[':pk'])];
}
