import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { withinInvocation } from '../runtime/deadline.ts';
import { stackOf } from '../runtime/stack.ts';
import { revokeMadeKeys } from '../store/api-keys/made-keys.ts';
import { sweepPage } from '../store/links/tag-removal.ts';
import { erasePage } from '../store/stats/erasure.ts';
import { sweptBy } from '../store/table/keys.ts';

/**
 * Does one page of each sweep that was started or has moved: of a deleted tag, of erased clicks, or of the keys of a removed
 * member. If a page fails,
 * Lambda sends its record and those after it again
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html).
 */
export const handler = ({ Records }: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> =>
  withinInvocation(context, async () => {
    for (const { dynamodb } of Records) {
      try {
        await pageOf(sweptBy(dynamodb?.Keys?.pk?.S ?? ''));
      } catch (error) {
        const { name } = error as Error;
        console.error({ message: 'a page of a sweep failed', name, stack: stackOf(error as Error) });
        return { batchItemFailures: [{ itemIdentifier: dynamodb?.SequenceNumber ?? '' }] };
      }
    }
    return { batchItemFailures: [] };
  });

function pageOf(swept: ReturnType<typeof sweptBy>): Promise<void> {
  if ('memberId' in swept) return revokeMadeKeys(swept.memberId);
  return 'tagId' in swept ? sweepPage(swept.tagId) : erasePage(swept.linkId);
}
