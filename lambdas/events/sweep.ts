import type { Context, DynamoDBBatchResponse, DynamoDBStreamEvent } from 'aws-lambda';
import { withinInvocation } from '../runtime/deadline.ts';
import { stackOf } from '../runtime/stack.ts';
import { revokeMadeKeys } from '../store/api-keys/made-keys.ts';
import { erasePage } from '../store/erasures/erasure.ts';
import { sweepPage } from '../store/links/tag-removal.ts';
import { sweptBy } from '../store/table/keys.ts';

/** Does a page of a sweep, by its kind: of a deleted tag, of a link's erased clicks, or of a removed member's keys. */
const pageOf = { tag: sweepPage, link: erasePage, member: revokeMadeKeys };

/**
 * Does one page of each sweep that was started or has moved. If a page fails, Lambda sends its record and those after
 * it again (https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-batchfailurereporting.html).
 */
export const handler = ({ Records }: DynamoDBStreamEvent, context: Context): Promise<DynamoDBBatchResponse> =>
  withinInvocation(context, async () => {
    for (const { dynamodb } of Records) {
      try {
        const { kind, id } = sweptBy(dynamodb?.Keys?.pk?.S ?? '');
        await pageOf[kind](id);
      } catch (error) {
        const { name } = error as Error;
        console.error({ message: 'a page of a sweep failed', name, stack: stackOf(error as Error) });
        return { batchItemFailures: [{ itemIdentifier: dynamodb?.SequenceNumber ?? '' }] };
      }
    }
    return { batchItemFailures: [] };
  });
