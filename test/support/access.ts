import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** What a call needs to be allowed: an action, and the kind of partition that it touches, as a policy's leading key names it. */
export type Access = { readonly action: string; readonly leadingKey: string };

type Item = Record<string, AttributeValue>;
type Write = { readonly Key?: Item; readonly Item?: Item };

/** What the store's calls have of the input of their commands, whichever it is. */
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

/** The partition key that an INSERT gives, by the place of its name in the statement. */
function insertedKey(statement: string, parameters: readonly AttributeValue[]): string | undefined {
  const names = [...statement.matchAll(/'(\w+)': \?/g)].map(([, name]) => name);
  return parameters[names.indexOf('pk')]?.S;
}

/**
 * What a command needs to be allowed to do, and on what: a transaction what its parts need
 * (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/transaction-apis-iam.html). A query of an index is allowed on all of it.
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
