import { randomUUID } from 'node:crypto';
import type { CreateTableCommandInput } from '@aws-sdk/client-dynamodb';
import { inject } from 'vitest';
import { connect } from '../../../local/database/dynamodb.ts';
import { loadTemplate, type Template } from '../../../local/template/template.ts';

/**
 * Creates fresh tables, as the template describes them, on this run's engine, and points the store of this test file at
 * them. Must be called before anything of `lambdas/store` or `lambdas/endpoints` is imported.
 */
export async function useTables(): Promise<{
  endpoint: string;
  tableName: string;
  activityTableName: string;
  secretsTableName: string;
}> {
  const { endpoint, outdir } = inject('service');
  const [tableName, activityTableName] = [`test-${randomUUID()}`, `test-activity-${randomUUID()}`];
  const secretsTableName = `test-secrets-${randomUUID()}`;
  const settings = {
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    TABLE_NAME: tableName,
    ACTIVITY_TABLE_NAME: activityTableName,
    SECRETS_TABLE_NAME: secretsTableName,
    MAX_LINKS_PER_IMPORT: '1000',
    REQUEST_BURST: '1000',
    REQUEST_RATE: '100',
    SHORT_URL_ORIGIN: 'https://{domain}',
    CLICK_DAYS: '1100',
    LINK_REPORTS: 'on',
    HISTORY_DAYS: '365',
  };
  Object.assign(process.env, settings);
  const { call, close } = connect(endpoint);
  const template = loadTemplate(outdir);
  for (const [isIt, TableName] of [
    [(name: string) => name === template.output('TableName'), tableName],
    [(name: string) => name === template.output('ActivityTableName'), activityTableName],
    [(name: string) => /-secrets[0-9A-F]*$/.test(name), secretsTableName],
  ] as const) {
    const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes } = propertiesOf(template, isIt);
    const schema = { AttributeDefinitions, KeySchema, ...(GlobalSecondaryIndexes && { GlobalSecondaryIndexes }) };
    await call('CreateTable', { TableName, ...schema, BillingMode: 'PAY_PER_REQUEST' });
  }
  close();
  return { endpoint, tableName, activityTableName, secretsTableName };
}

type Properties = Pick<CreateTableCommandInput, 'AttributeDefinitions' | 'KeySchema' | 'GlobalSecondaryIndexes'>;

function propertiesOf(template: Template, isIt: (name: string) => boolean): Properties {
  const table = template.ofType<Properties>('AWS::DynamoDB::GlobalTable').find(({ name }) => isIt(name));
  if (!table) throw new Error(`the template lacks a table: ${isIt}`);
  return table.properties;
}
