import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDb } from '../database/dynamodb.ts';
import { type Table, tableOfStream } from '../database/table.ts';
import type { Functions } from '../functions/functions.ts';
import type { Template } from '../template/template.ts';
import type { Checkpoints } from './checkpoints.ts';
import { consumer } from './consumer.ts';
import { type Mapping, type MappingProperties, readMapping } from './mapping.ts';
import { isQueue } from './queue-reader.ts';
import type { Queues } from './queues.ts';
import { openShards } from './shards.ts';

export type StreamHost = {
  readonly template: Template;
  readonly tables: readonly Table[];
  readonly engine: DynamoDb;
  readonly functions: Functions;
  readonly queues: Queues;
  readonly checkpoints: Checkpoints;
  readonly log: (line: string) => void;
};
export type Streams = {
  /** Each reader's table, and the name of its checkpoints. */
  readonly readers: readonly { readonly table: string; readonly reader: string }[];
  /**
   * Stops the readers. Batches that are not finished are not marked as done, so they are delivered again at the next
   * start.
   */
  stop(): Promise<void>;
};

/**
 * How long a reader waits after it has read everything, in milliseconds: Lambda polls a shard four times a second
 * (https://docs.aws.amazon.com/lambda/latest/dg/with-ddb.html).
 */
const pollMs = 250;

/**
 * Starts a reader for every enabled event source mapping of the template whose source is a stream. Each delivers a
 * table's changes to its function in order and at least once, even across a `kill -9`.
 *
 * @throws Error for a mapping that the local host does not support.
 */
export async function startStreams(host: StreamHost): Promise<Streams> {
  const abort = new AbortController();
  const mappings = host.template
    .ofType<MappingProperties>('AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => properties.Enabled !== false && !isQueue(properties.EventSourceArn))
    .map((resource) => readMapping(resource, host.functions));
  const started = await Promise.all(mappings.map((mapping) => startMapping(mapping, host, abort.signal)));
  return {
    readers: started,
    stop: async () => {
      abort.abort();
      await Promise.all(started.map(({ ended }) => ended));
    },
  };
}

async function startMapping(mapping: Mapping, { tables, engine, ...host }: StreamHost, signal: AbortSignal) {
  const table =
    tables.find(({ streamArn }) => streamArn === mapping.sourceArn) ?? (await tableOfStream(engine, mapping.sourceArn));
  if (!table) throw new Error(`the local host does not support the event source ${mapping.sourceArn} (${mapping.name})`);
  if (!table.engineStreamArn) throw new Error(`the table ${table.name} has no stream (${mapping.name})`);
  // If there is no such queue, this throws now, and not at the first failure.
  if (mapping.destination) host.queues.messages(mapping.destination);
  // A table that is recreated in the same folder has a different stream.
  const reader = `${mapping.name} ${table.engineStreamArn}`;
  const shards = await openShards(engine, table.engineStreamArn, reader, mapping.startingPosition, host.checkpoints);
  const look = consumer(mapping, reader, { ...host, signal });

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      try {
        let busy = false;
        // In sequence, because a shard comes after its parent.
        for (const shard of await shards.current()) busy = (await look(shard)) || busy;
        if (!busy) await sleep(pollMs, undefined, { signal });
      } catch (error) {
        if (signal.aborted) return;
        host.log(`${mapping.name}: ${(error as Error).message}`);
        await sleep(pollMs);
      }
    }
  }
  return { reader, table: table.name, ended: follow() };
}
