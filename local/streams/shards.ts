import { type DynamoDb, DynamoDbError } from '../database/dynamodb.ts';
import type { StreamRecord } from './batch.ts';
import type { Checkpoints } from './checkpoints.ts';

/** One shard of a stream, as far as one event source mapping has read it. */
export type ShardReader = {
  readonly id: string;
  /** The sequence number read last; '' before the first. */
  position: string;
  /** Nothing will be added to the shard any more, and all of it is read. */
  closed: boolean;
  /** Records read that wait for their batch. */
  readonly pending: StreamRecord[];
  waitingSince: number | undefined;
  /** The tumbling window under way, where the mapping has them. */
  window: { readonly number: number; state: object } | undefined;
  /** The next records after `position`. */
  read(): Promise<StreamRecord[]>;
};

type Shard = { ShardId: string; ParentShardId?: string };

/**
 * The shards of a stream for one reader, each from its checkpoint on. A shard comes only after its parent is read to the end.
 *
 * A reader that starts with LATEST and has no checkpoint yet is set behind what is there now, and that is its checkpoint: what
 * comes after this moment is not lost by a restart.
 */
export async function openShards(
  engine: DynamoDb,
  streamArn: string,
  reader: string,
  startingPosition: string,
  checkpoints: Checkpoints,
): Promise<{ current(): Promise<ShardReader[]> }> {
  if (!['LATEST', 'TRIM_HORIZON'].includes(startingPosition)) {
    throw new Error(`the local host does not know the starting position ${startingPosition} (${reader})`);
  }
  const readers = new Map<string, ShardReader>();
  const isOpen = ({ closed, pending }: ShardReader) => !closed || pending.length > 0;

  async function discover(): Promise<void> {
    const shards = await listShards(engine, streamArn);
    for (const { ShardId, ParentShardId } of shards) {
      const parent = shards.find((it) => it.ShardId === ParentShardId);
      const parentReader = parent && readers.get(parent.ShardId);
      if (readers.has(ShardId) || (parent && (!parentReader || isOpen(parentReader)))) continue;
      readers.set(ShardId, shardReader(engine, streamArn, ShardId, checkpoints.get(reader, ShardId) ?? ''));
    }
  }

  await discover();
  if (startingPosition === 'LATEST') {
    for (const shard of readers.values()) {
      if (checkpoints.get(reader, shard.id) !== undefined) continue;
      while ((await shard.read()).length);
      checkpoints.set(reader, shard.id, shard.position);
    }
  }
  return {
    current: async () => {
      if (![...readers.values()].some(isOpen)) await discover();
      return [...readers.values()].filter(isOpen);
    },
  };
}

async function listShards(engine: DynamoDb, streamArn: string): Promise<Shard[]> {
  type Page = { StreamDescription: { Shards?: Shard[]; LastEvaluatedShardId?: string } };
  const shards: Shard[] = [];
  let after: string | undefined;
  do {
    const { StreamDescription: page } = await engine.call<Page>('DescribeStream', {
      StreamArn: streamArn,
      ...(after && { ExclusiveStartShardId: after }),
    });
    shards.push(...(page.Shards ?? []));
    after = page.LastEvaluatedShardId;
  } while (after);
  return shards;
}

function shardReader(engine: DynamoDb, streamArn: string, id: string, position: string): ShardReader {
  let iterator: string | undefined;

  async function iteratorAfter(sequenceNumber: string): Promise<string> {
    const ask = (where: object) =>
      engine.call<{ ShardIterator: string }>('GetShardIterator', { StreamArn: streamArn, ShardId: id, ...where });
    try {
      if (sequenceNumber) {
        return (await ask({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber: sequenceNumber })).ShardIterator;
      }
    } catch (error) {
      // What comes after the checkpoint is already gone: go on with the oldest that is left.
      if (!(error instanceof DynamoDbError) || error.name !== 'TrimmedDataAccessException') throw error;
    }
    return (await ask({ ShardIteratorType: 'TRIM_HORIZON' })).ShardIterator;
  }

  const shard: ShardReader = {
    id,
    position,
    closed: false,
    pending: [],
    waitingSince: undefined,
    window: undefined,
    read: async () => {
      const from = iterator ?? (await iteratorAfter(shard.position));
      iterator = undefined; // Asked for again if the call fails: it may have expired.
      type Page = { Records: StreamRecord[]; NextShardIterator?: string };
      const { Records, NextShardIterator } = await engine.call<Page>('GetRecords', { ShardIterator: from, Limit: 1000 });
      iterator = NextShardIterator;
      shard.closed = !NextShardIterator;
      shard.position = Records.at(-1)?.dynamodb.SequenceNumber ?? shard.position;
      return Records;
    },
  };
  return shard;
}
