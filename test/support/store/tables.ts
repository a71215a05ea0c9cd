import { randomUUID } from 'node:crypto';
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { connect } from '../../../local/database/dynamodb.ts';
import { loadTemplate, type Template } from '../../../local/template/template.ts';

/**
 * Creates fresh tables, as the template describes them, on this run's engine, and points the store of this test file at
 * them. Must be called before anything of `lambdas/store` or `lambdas/endpoints` is imported.
 */
export async function useTables(): Promise<{ endpoint: string; tableName: string; activityTableName: string }> {
  const { endpoint, outdir } = inject('service');
  const [tableName, activityTableName] = [`test-${randomUUID()}`, `test-activity-${randomUUID()}`];
  const settings = {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    TABLE_NAME: tableName,
    ACTIVITY_TABLE_NAME: activityTableName,
    MAX_LINKS_PER_IMPORT: '1000',
    REQUEST_BURST: '1000',
    REQUEST_RATE: '100',
    SHORT_URL_ORIGIN: 'https://{domain}',
    CLICK_DAYS: '30',
    STATS_DAYS: '1100',
    HISTORY_DAYS: '365',
  };
  Object.assign(process.env, settings);
  const { call, close } = connect(endpoint);
  const template = loadTemplate(outdir);
  for (const [output, TableName] of [
    ['TableName', tableName],
    ['ActivityTableName', activityTableName],
  ] as const) {
    const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } = propertiesOf(template, template.output(output));
    const schema = { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes };
    await call('CreateTable', { TableName, ...schema, BillingMode: 'PAY_PER_REQUEST' });
  }
  close();
  return { endpoint, tableName, activityTableName };
}

type Properties = Pick<CreateTableCommandInput, 'AttributeDefinitions' | 'KeySchema' | 'GlobalSecondaryIndexes'>;

function propertiesOf(template: Template, name: string): Properties {
  const table = template.ofType<Properties>('AWS::DynamoDB::GlobalTable').find((one) => one.name === name);
  if (!table) throw new Error(`the template has no table ${name}`);
  return table.properties;
}
