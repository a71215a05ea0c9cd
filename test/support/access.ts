import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** The permission that a call needs: an action, and a pattern for the partition key, like a policy's leading key. */
export type Access = { readonly action: string; readonly leadingKey: string };

type Item = Record<string, AttributeValue>;
type Write = { readonly Key?: Item; readonly Item?: Item };

/** The input fields that the store's commands use, all commands together. */
type Input = Write & {
  readonly IndexName?: string;
  readonly ExpressionAttributeValues?: Item;
  readonly RequestItems?: Record<string, { readonly Keys: readonly Item[] }>;
  readonly Statements?: readonly { readonly Statement: string; readonly Parameters: readonly AttributeValue[] }[];
  readonly TransactItems?: readonly Record<string, Write>[];
};

const access = (action: string, pk: string | undefined): Access => {
  if (!pk) throw new Error(`a call of ${action} without a partition key`);
  return { action: `dynamodb:${action}`, leadingKey: pk.replace(/(?<=#).*$/s, '*') };
};

/** The partition key of an INSERT, found by the position of its name in the statement. */
function insertedKey(statement: string, parameters: readonly AttributeValue[]): string | undefined {
  const names = [...statement.matchAll(/'(\w+)': \?/g)].map(([, name]) => name);
  return parameters[names.indexOf('pk')]?.S;
}

/**
 * The permissions that a command needs. A transaction needs those of its parts
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html). A query of an index
 * needs permission for the whole index.
 */
export function accessesOf(command: string, input: Input): Access[] {
  const name = command.replace(/Command$/, '');
  if (input.Statements) {
    return input.Statements.map(({ Statement, Parameters }) => access('PartiQLInsert', insertedKey(Statement, Parameters)));
  }
  if (input.TransactItems) {
    return input.TransactItems.flatMap((parts) =>
      Object.entries(parts).map(([part, { Key, Item }]) => access(`${part}Item`, (Key ?? Item)?.pk?.S)),
    );
  }
  if (input.RequestItems) {
    return Object.values(input.RequestItems).flatMap(({ Keys }) => Keys.map((key) => access(name, key.pk?.S)));
  }
  if (input.IndexName) return [{ action: `dynamodb:${name} on ${input.IndexName}`, leadingKey: '*' }];
  return [access(name, (input.Key ?? input.Item)?.pk?.S ?? input.ExpressionAttributeValues?.[':pk']?.S)];
}
