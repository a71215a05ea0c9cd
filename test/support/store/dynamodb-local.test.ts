import { networkInterfaces } from 'node:os';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, inject, test } from 'vitest';
import { findJava } from '../../../local/database/dynamodb-local.ts';
import { findEngine } from '../../../local/database/engine.ts';

// vitest.config.ts leaves out tests that need a missing engine. These skipped tests report that.
if (findJava()) {
  test("AWS's DynamoDB Local answers only on the loopback interface.", answersOnlyOnLoopback);
  test("AWS's DynamoDB Local refuses requests of a web page.", refusesWebPages);
} else test.skip("The tests of the store on AWS's DynamoDB Local are skipped, because there is no Java 17 here.");

if (findEngine().name !== 'embedded') {
  test.skip('The tests that only the embedded engine can run or measure are skipped, because it is missing here.');
}

async function answersOnlyOnLoopback() {
  const { endpoint } = inject('service');
  const client = new DynamoDBClient({
    endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'test', secretAccessKey: 'test' },
  });
  expect((await client.send(new ListTablesCommand())).TableNames).toBeInstanceOf(Array);
  client.destroy();
  const others = Object.values(networkInterfaces()).flatMap((list) => list?.filter(({ internal }) => !internal) ?? []);
  for (const { address, family } of others) {
    const host = family === 'IPv6' ? `[${address}]` : address;
    await expect(fetch(`http://${host}:${new URL(endpoint).port}`)).rejects.toThrow('fetch failed');
  }
}

async function refusesWebPages() {
  const { endpoint } = inject('service');
  const headers = {
    'Content-Type': 'application/x-amz-json-1.0',
    'X-Amz-Target': 'DynamoDB_20120810.ListTables',
    Authorization: 'AWS4-HMAC-SHA256 Credential=test/20250101/local/dynamodb/aws4_request, SignedHeaders=host, Signature=none',
  };
  const post = async (more: object) =>
    (await fetch(endpoint, { method: 'POST', body: '{}', headers: { ...headers, ...more } })).status;
  expect([await post({}), await post({ Origin: 'https://example.com' }), await post({ Origin: 'null' })]).toEqual([
    200, 403, 403,
  ]);
}
