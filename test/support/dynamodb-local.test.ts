import { networkInterfaces } from 'node:os';
import { DynamoDBClient, ListTablesCommand } from '@aws-sdk/client-dynamodb';
import { expect, inject, test } from 'vitest';
import { hasJava17 } from './dynamodb-local.ts';

// The rest of this project is there with Java alone (vitest.config.ts), and what is left out has to be said.
if (hasJava17()) test("AWS's DynamoDB Local answers on the loopback interface alone", answersOnLoopbackAlone);
else test.skip("the store on AWS's DynamoDB Local: skipped, there is no Java 17 here");

async function answersOnLoopbackAlone() {
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
