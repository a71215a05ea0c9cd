import { expect, test } from 'vitest';
import { GetItem } from '../../../../lambdas/store/table/dynamodb.ts';

test('The store calls DynamoDB with the SDK, or without it in the runs for functions with the lean transport.', () => {
  expect('Command' in GetItem).toBe(process.env.TRANSPORT !== 'lean');
});
