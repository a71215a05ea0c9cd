import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { client } from '../../lambdas/store/table/client.ts';

/** What a function costs that does nothing but read one item: the stripped client, and nothing of ours around it. */
export const handler = async () => {
  const key = { pk: { S: 'bench' }, sk: { S: 'bench' } };
  await client.send(new GetItemCommand({ TableName: process.env.TABLE_NAME, Key: key }));
};
