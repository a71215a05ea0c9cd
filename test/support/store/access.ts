import type { Input, Operation } from '../../../lambdas/store/table/operations.ts';
import { type Table, tableSettings } from '../../../lambdas/store/table/tables.ts';

/**
 * The permission that a call needs: an action on a table or index, as in `dynamodb:PutItem on Links`, and a pattern for
 * the partition key, like a policy's leading key.
 */
export type Access = { readonly action: string; readonly leadingKey: string };

type Item = Readonly<Record<string, unknown>>;
type Write = { readonly TableName?: string; readonly Key?: Item; readonly Item?: Item };

/** The input fields that the store's calls use, all operations together. */
type AnyInput = Write & {
  readonly IndexName?: string;
  readonly ExpressionAttributeValues?: Item;
  readonly RequestItems?: Record<string, { readonly Keys: readonly Item[] }>;
  readonly Statements?: readonly { readonly Statement: string; readonly Parameters: readonly unknown[] }[];
  readonly TransactItems?: readonly Record<string, Write>[];
};

/** The code's name of a table. */
function tableNamed(name: string | undefined): Table {
  const found = (Object.keys(tableSettings) as Table[]).find((table) => process.env[tableSettings[table]] === name);
  if (!found) throw new Error(`a call to an unknown table ${name}`);
  return found;
}

const access = (action: string, tableName: string | undefined, pk: unknown): Access => {
  if (typeof pk !== 'string') throw new Error(`a call of ${action} without a partition key`);
  return { action: `dynamodb:${action} on ${tableNamed(tableName)}`, leadingKey: pk.replace(/(?<=#).*$/s, '*') };
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
    return input.Statements.map(({ Statement, Parameters }) =>
      access('PartiQLInsert', /^INSERT INTO "([^"]+)"/.exec(Statement)?.[1], insertedKey(Statement, Parameters)),
    );
  }
  if (input.TransactItems) {
    return input.TransactItems.flatMap((parts) =>
      Object.entries(parts).map(([part, { TableName, Key, Item }]) => access(`${part}Item`, TableName, (Key ?? Item)?.pk)),
    );
  }
  if (input.RequestItems) {
    return Object.entries(input.RequestItems).flatMap(([table, { Keys }]) => Keys.map((key) => access(name, table, key.pk)));
  }
  const { TableName, IndexName, Key, Item, ExpressionAttributeValues } = input;
  if (IndexName) return [{ action: `dynamodb:${name} on ${tableNamed(TableName)}/${IndexName}`, leadingKey: '*' }];
  return [access(name, TableName, (Key ?? Item)?.pk ?? ExpressionAttributeValues?.[':pk'])];
}
