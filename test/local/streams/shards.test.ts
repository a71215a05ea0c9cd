import { expect, it } from 'vitest';
import { type DynamoDb, DynamoDbError } from '../../../local/database/dynamodb.ts';
import { openCheckpoints } from '../../../local/streams/checkpoints.ts';
import { openShards } from '../../../local/streams/shards.ts';
import { temporaryFolder } from '../../support/run/temporary-folder.ts';

it.each(['GetShardIterator', 'GetRecords'])(
  'A reader whose next records are already trimmed continues with the oldest one left, if %s reports that.',
  async (refusing) => {
    const trimmed = Object.assign(new DynamoDbError('trimmed'), { name: 'TrimmedDataAccessException' });
    const record = { dynamodb: { SequenceNumber: '9', ApproximateCreationDateTime: 0 } };
    const answers: Record<string, (input: { ShardIteratorType?: string; ShardIterator?: string }) => object> = {
      DescribeStream: () => ({ StreamDescription: { Shards: [{ ShardId: 'shard' }] } }),
      GetShardIterator: ({ ShardIteratorType = '' }) => ({ ShardIterator: ShardIteratorType }),
      GetRecords: () => ({ Records: [record], NextShardIterator: 'next' }),
    };
    const call = async (operation: string, input: { ShardIteratorType?: string; ShardIterator?: string }) => {
      if (operation === refusing && (input.ShardIteratorType ?? input.ShardIterator) === 'AFTER_SEQUENCE_NUMBER') throw trimmed;
      return answers[operation]?.(input);
    };
    const checkpoints = openCheckpoints(temporaryFolder());
    checkpoints.set('reader', 'shard', '3');
    const engine = { call, close: () => {} } as DynamoDb;
    const shards = await openShards(engine, 'stream', 'reader', 'TRIM_HORIZON', checkpoints);
    const [shard] = await shards.current();
    expect(await shard?.read()).toEqual([record]);
    expect(shard?.position).toBe('9');
  },
);
