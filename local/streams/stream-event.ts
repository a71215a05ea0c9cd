import type { GivenUp, StreamRecord } from './batch.ts';
import type { ShardReader } from './shards.ts';

/** The fields that an event has besides its records if the mapping has tumbling windows. */
export function windowFields({ id, window }: ShardReader, lengthMs: number, eventSourceARN: string, final: boolean): object {
  const iso = (number: number) => `${new Date(number * lengthMs).toISOString().slice(0, 19)}Z`;
  const number = window?.number ?? 0;
  return {
    window: { start: iso(number), end: iso(number + 1) },
    state: window?.state ?? {},
    shardId: id,
    eventSourceARN,
    isFinalInvokeForWindow: final,
    isWindowTerminatedEarly: false,
  };
}

/** The message that Lambda sends to a failure destination: where the records are, not what they contain. */
export function failureMessage(
  streamArn: string,
  functionArn: string,
  shardId: string,
  records: readonly StreamRecord[],
  condition: GivenUp,
  approximateInvokeCount: number,
): object {
  const [first, last] = [records[0]?.dynamodb, records.at(-1)?.dynamodb];
  const arrival = (time = 0) => new Date(time * 1000).toISOString();
  return {
    requestContext: { functionArn: `${functionArn}:$LATEST`, condition, approximateInvokeCount },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId,
      startSequenceNumber: first?.SequenceNumber,
      endSequenceNumber: last?.SequenceNumber,
      approximateArrivalOfFirstRecord: arrival(first?.ApproximateCreationDateTime),
      approximateArrivalOfLastRecord: arrival(last?.ApproximateCreationDateTime),
      batchSize: records.length,
      streamArn,
    },
  };
}
