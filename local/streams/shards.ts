import { type DynamoDb, DynamoDbError } from '../database/dynamodb.ts';
import type { StreamRecord } from './batch.ts';
import type { Checkpoints } from './checkpoints.ts';

/** Reads one shard of a stream for one event source mapping. */
export type ShardReader = {
  readonly id: string;
  /** The sequence number of the last record that was read; '' before the first. */
  position: string;
  /** Whether the shard gets no more records, and all of them are read. */
  closed: boolean;
  /** Records that were read and wait for their batch. */
  readonly pending: StreamRecord[];
  /** Since when records are pending, in milliseconds since 1970: since the first was read, or since the last batch. */
  waitingSince: number | undefined;
  /** The open tumbling window, if there is one. */
  window: { readonly number: number; state: object } | undefined;
  /** Reads the next records after `position`, at most 1,000. */
  read(): Promise<StreamRecord[]>;
};

type Shard = { ShardId: string; ParentShardId?: string };

/**
 * Opens the shards of a stream for one reader, each from its checkpoint on. A shard is opened only after its parent is
 * read to the end.
 *
 * A reader that starts at LATEST and has no checkpoint yet reads to the current end of the shard, and that becomes its
 * checkpoint. So a restart does not lose what comes later.
 *
 * @returns `current` lists the shards that still have something to read or to deliver.
 * @throws Error for a starting position that the local host does not support.
 */
export async function openShards(
  engine: DynamoDb,
  streamArn: string,
  reader: string,
  startingPosition: string,
  checkpoints: Checkpoints,
): Promise<{ current(): Promise<ShardReader[]> }> {
  if (!['LATEST', 'TRIM_HORIZON'].includes(startingPosition)) {
    throw new Error(`the local host does not support the starting position ${startingPosition} (${reader})`);
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

  type Page = { Records: StreamRecord[]; NextShardIterator?: string };
  const recordsAt = (ShardIterator: string) => engine.call<Page>('GetRecords', { ShardIterator, Limit: 1000 });
  const iteratorAt = async (where: object) => {
    const start = { StreamArn: streamArn, ShardId: id, ...where };
    return (await engine.call<{ ShardIterator: string }>('GetShardIterator', start)).ShardIterator;
  };
  const iteratorAfter = (SequenceNumber: string) => iteratorAt({ ShardIteratorType: 'AFTER_SEQUENCE_NUMBER', SequenceNumber });
  const oldest = () => iteratorAt({ ShardIteratorType: 'TRIM_HORIZON' });

  async function nextPage(): Promise<Page> {
    const from = iterator;
    iterator = undefined; // If the call fails, the next one gets a new iterator: this one may have expired.
    try {
      return await recordsAt(from ?? (await (shard.position ? iteratorAfter(shard.position) : oldest())));
    } catch (error) {
      // The records after the position are already trimmed: continue with the oldest one that is left. DynamoDB Local
      // also reports this for an empty stream that gets its first record, since all its tables share their sequence
      // numbers.
      if (!(error instanceof DynamoDbError) || error.name !== 'TrimmedDataAccessException') throw error;
      return recordsAt(await oldest());
    }
  }

  const shard: ShardReader = {
    id,
    position,
    closed: false,
    pending: [],
    waitingSince: undefined,
    window: undefined,
    read: async () => {
      const { Records, NextShardIterator } = await nextPage();
      iterator = NextShardIterator;
      shard.closed = !NextShardIterator;
      shard.position = Records.at(-1)?.dynamodb.SequenceNumber ?? shard.position;
      return Records;
    },
  };
  return shard;
}
