import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';

/**
 * Creates a fresh table, as the template describes it, on this run's engine, and points the store of this test file at
 * it. Must be called before anything of `lambdas/store` or `lambdas/endpoints` is imported.
 */
export async function useTable(): Promise<{ endpoint: string; tableName: string }> {
  const { endpoint, outdir } = inject('service');
  const tableName = `test-${randomUUID()}`;
  const settings = {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    TABLE_NAME: tableName,
    MAX_LINKS_PER_IMPORT: '1000',
    SHORT_URL_ORIGIN: 'https://{domain}',
    CLICK_DAYS: '30',
  };
  Object.assign(process.env, settings);
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } = tableOf(outdir);
  const client = new DynamoDBClient({ endpoint });
  await client.send(
    new CreateTableCommand({
      TableName: tableName,
      AttributeDefinitions,
      KeySchema,
      GlobalSecondaryIndexes,
      BillingMode: 'PAY_PER_REQUEST',
    }),
  );
  client.destroy();
  return { endpoint, tableName };
}

function tableOf(outdir: string) {
  const file = readdirSync(outdir).find((name) => name.endsWith('-Data.template.json')) ?? '';
  const { Resources } = JSON.parse(readFileSync(join(outdir, file), 'utf8'));
  const resources = Object.values(Resources) as { Type: string; Properties: never }[];
  const table = resources.find(({ Type }) => Type === 'AWS::DynamoDB::GlobalTable');
  return (table?.Properties ?? {}) as Pick<
    CreateTableCommand['input'],
    'AttributeDefinitions' | 'KeySchema' | 'GlobalSecondaryIndexes'
  >;
}
