import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { client } from '../../../lambdas/store/table/sdk-transport.ts';

/** The cost of a function that only reads one item: the stripped client, without any other code of ours. */
export const handler = async () => {
  const key = { pk: { S: 'bench' }, sk: { S: 'bench' } };
  await client.send(new GetItemCommand({ TableName: process.env.TABLE_NAME, Key: key }));
};
