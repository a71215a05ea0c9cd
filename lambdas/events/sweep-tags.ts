import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { withinInvocation } from '../runtime/deadline.ts';
import { stackOf } from '../runtime/stack.ts';
import { sweepPage } from '../store/sweeps.ts';
import { tagOfSweep } from '../store/table/keys.ts';

/**
 * Does one page of each sweep that was begun or has moved. The first that fails is reported with all behind it, and comes
 * again (https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html).
 */
export const handler = ({ Records }: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> =>
  withinInvocation(context, async () => {
    for (const { dynamodb } of Records) {
      try {
        await sweepPage(tagOfSweep(dynamodb?.Keys?.pk?.S ?? ''));
      } catch (error) {
        const { name } = error as Error;
        console.error({ message: 'a sweep did not get on', name, stack: stackOf(error as Error) });
        return { batchItemFailures: [{ itemIdentifier: dynamodb?.SequenceNumber ?? '' }] };
      }
    }
    return { batchItemFailures: [] };
  });
