import { networkInterfaces } from 'node:os';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, inject, test } from 'vitest';
import { hasJava17 } from './dynamodb-local.ts';

// The rest of this project needs Java (vitest.config.ts), and a notice has to say if it is skipped.
if (hasJava17()) test("AWS's DynamoDB Local answers only on the loopback interface.", answersOnlyOnLoopback);
else test.skip("The tests of the store on AWS's DynamoDB Local are skipped, because there is no Java 17 here.");

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
