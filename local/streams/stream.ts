import { setTimeout as sleep } from 'node:timers/promises';
import type { DynamoDb } from '../database/dynamodb.ts';
import type { Table } from '../database/table.ts';
import type { Functions } from '../functions/functions.ts';
import type { Queues } from '../queues.ts';
import { region } from '../template/resources.ts';
import type { Resource, Template } from '../template/template.ts';
import { type BatchRules, type BatchSteps, dealtWithIn, deliver, type StreamRecord } from './batch.ts';
import type { Checkpoints } from './checkpoints.ts';
import { eventFilter } from './filter.ts';
import { openShards, type ShardReader } from './shards.ts';
import { failureMessage, windowFields } from './stream-event.ts';

type MappingProperties = {
  readonly EventSourceArn: string;
  readonly FunctionName: string;
  readonly StartingPosition: string;
  readonly Enabled?: boolean;
  readonly BatchSize?: number;
  readonly BisectBatchOnFunctionError?: boolean;
  readonly DestinationConfig?: { readonly OnFailure?: { readonly Destination: string } };
  readonly FilterCriteria?: { readonly Filters?: readonly { readonly Pattern: string }[] };
  readonly FunctionResponseTypes?: readonly string[];
  readonly MaximumBatchingWindowInSeconds?: number;
  readonly MaximumRecordAgeInSeconds?: number;
  readonly MaximumRetryAttempts?: number;
  readonly ParallelizationFactor?: number;
  readonly TumblingWindowInSeconds?: number;
};

export type StreamHost = {
  readonly template: Template;
  readonly table: Table;
  readonly engine: DynamoDb;
  readonly functions: Functions;
  readonly queues: Queues;
  readonly checkpoints: Checkpoints;
  readonly log: (line: string) => void;
};
export type Streams = {
  /** The names under which the readers keep their checkpoints. */
  readonly readers: readonly string[];
  /** Ends the readers. What is under way is not marked as done, so it comes again at the next start. */
  stop(): Promise<void>;
};

const pollMs = 100;
const payloadLimit = 6 * 1024 * 1024;

/**
 * Starts a reader for every event source mapping of the template.
 *
 * Each hands the table's changes to its function in order and at least once, also across a `kill -9`.
 * @throws Error for a mapping that the host does not know how to run.
 */
export async function startStreams(host: StreamHost): Promise<Streams> {
  const abort = new AbortController();
  const mappings = host.template
    .ofType<MappingProperties>('AWS::Lambda::EventSourceMapping')
    .filter(({ properties }) => properties.Enabled !== false)
    .map((mapping) => startMapping(mapping, host, abort.signal));
  const started = await Promise.all(mappings);
  return {
    readers: started.map(({ reader }) => reader),
    stop: async () => {
      abort.abort();
      await Promise.all(started.map(({ ended }) => ended));
    },
  };
}

async function startMapping({ name, properties }: Resource<MappingProperties>, host: StreamHost, signal: AbortSignal) {
  const { table, engine, functions, queues, checkpoints, log } = host;
  if (properties.EventSourceArn !== table.streamArn || !table.engineStreamArn) {
    throw new Error(`the local host does not know the event source ${properties.EventSourceArn} (${name})`);
  }
  if ((properties.ParallelizationFactor ?? 1) !== 1)
    throw new Error(`the local host does not know a ParallelizationFactor over 1 (${name})`);
  const functionArn = functions.arnOf(properties.FunctionName);
  const destination = properties.DestinationConfig?.OnFailure?.Destination;
  if (destination) queues.messages(destination); // Throws now, and not at the first failure, where it is no queue.
  const batchSize = properties.BatchSize ?? 100;
  const batchWindowMs = (properties.MaximumBatchingWindowInSeconds ?? 0) * 1000;
  const tumblingMs = (properties.TumblingWindowInSeconds ?? 0) * 1000;
  const reportsFailures = properties.FunctionResponseTypes?.includes('ReportBatchItemFailures') ?? false;
  const passes = eventFilter(properties.FilterCriteria?.Filters?.map(({ Pattern }) => Pattern) ?? []);
  const unlimited = (value = -1) => (value < 0 ? Number.POSITIVE_INFINITY : value);
  const rules: BatchRules = {
    bisect: properties.BisectBatchOnFunctionError ?? false,
    maxRetries: unlimited(properties.MaximumRetryAttempts),
    maxAgeMs: unlimited(properties.MaximumRecordAgeInSeconds) * 1000,
  };
  // Another table, for one made anew in the same folder, has another stream.
  const reader = `${name} ${table.engineStreamArn}`;
  const shards = await openShards(engine, table.engineStreamArn, reader, properties.StartingPosition, checkpoints);

  const windowOf = (record: StreamRecord) => Math.floor((record.dynamodb.ApproximateCreationDateTime * 1000) / tumblingMs);

  function stepsFor(shard: ShardReader, final: boolean): BatchSteps {
    return {
      signal,
      attempt: async (records) => {
        const event = { Records: records, ...(tumblingMs && windowFields(shard, tumblingMs, properties.EventSourceArn, final)) };
        const answer: unknown = JSON.parse(await functions.invoke(functionArn, JSON.stringify(event)));
        const dealtWith = reportsFailures ? dealtWithIn(answer, records) : records.length;
        if (shard.window) shard.window.state = (answer as { state?: object } | null)?.state ?? {};
        return dealtWith;
      },
      done: (records) => {
        const last = records.at(-1);
        if (last) checkpoints.set(reader, shard.id, last.dynamodb.SequenceNumber);
      },
      giveUp: (records, condition, invocations) => {
        log(`${name} gives up ${records.length} records: ${condition}`);
        if (destination)
          queues.send(
            destination,
            failureMessage(properties.EventSourceArn, functionArn, shard.id, records, condition, invocations),
          );
      },
    };
  }

  /** One look at a shard. True when there was something to do. */
  async function step(shard: ShardReader): Promise<boolean> {
    let read = 0;
    if (shard.pending.length < batchSize && !shard.closed) {
      const records = await shard.read();
      read = records.length;
      for (const record of records) {
        const full = { ...record, awsRegion: region, eventSourceARN: properties.EventSourceArn };
        if (passes(full)) shard.pending.push(full);
      }
      if (shard.pending.length) shard.waitingSince ??= Date.now();
      else if (shard.position) checkpoints.set(reader, shard.id, shard.position);
    }
    const [first] = shard.pending;
    const open = shard.window;
    if (open && (first ? windowOf(first) !== open.number : Date.now() >= (open.number + 1) * tumblingMs)) {
      await deliver([], rules, stepsFor(shard, true));
      shard.window = undefined;
    }
    const due = shard.pending.length >= batchSize || Date.now() - (shard.waitingSince ?? 0) >= batchWindowMs || shard.closed;
    if (!first || !due) return read > 0;
    if (tumblingMs) shard.window ??= { number: windowOf(first), state: {} };
    const batch = batchFrom(shard.pending, batchSize, (record) => !tumblingMs || windowOf(record) === shard.window?.number);
    await deliver(batch, rules, stepsFor(shard, false));
    shard.pending.splice(0, batch.length);
    shard.waitingSince = shard.pending.length ? Date.now() : undefined;
    return true;
  }

  async function follow(): Promise<void> {
    while (!signal.aborted) {
      try {
        let busy = false;
        // One after the other: a shard's parent comes before it.
        for (const shard of await shards.current()) busy = (await step(shard)) || busy;
        if (!busy) await sleep(pollMs, undefined, { signal });
      } catch (error) {
        if (signal.aborted) return;
        log(`${name}: ${(error as Error).message}`);
        await sleep(pollMs);
      }
    }
  }
  return { reader, ended: follow() };
}

/** As many as fit into one invocation. */
function batchFrom(pending: readonly StreamRecord[], size: number, fits: (record: StreamRecord) => boolean): StreamRecord[] {
  const batch: StreamRecord[] = [];
  let bytes = 1_000;
  for (const record of pending.slice(0, size)) {
    bytes += Buffer.byteLength(JSON.stringify(record)) + 1;
    if (!fits(record) || (batch.length && bytes > payloadLimit)) break;
    batch.push(record);
  }
  return batch;
}
