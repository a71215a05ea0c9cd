import { expect, test } from 'vitest';
import { GetItem } from '../../../../lambdas/store/table/dynamodb.ts';

test('The store calls DynamoDB with the SDK, and in the runs for the redirect without it.', () => {
  expect('Command' in GetItem).toBe(process.env.TRANSPORT !== 'lean');
});
