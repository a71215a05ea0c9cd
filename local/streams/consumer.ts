import type { Functions } from '../functions/functions.ts';
import { region } from '../template/resources.ts';
import { type BatchSteps, deliver, processedCount, type StreamRecord } from './batch.ts';
import type { Checkpoints } from './checkpoints.ts';
import type { Mapping } from './mapping.ts';
import type { Queues } from './queues.ts';
import type { ShardReader } from './shards.ts';
import { failureMessage, windowFields } from './stream-event.ts';

const payloadLimit = 6 * 1024 * 1024;

export type ConsumerHost = {
  readonly functions: Functions;
  readonly queues: Queues;
  readonly checkpoints: Checkpoints;
  readonly log: (line: string) => void;
  readonly signal: AbortSignal;
};

/**
 * Delivers the records of an event source mapping to its function.
 *
 * @param reader the name of the mapping's checkpoints.
 * @returns a function that polls a shard: it reads, and delivers a batch if one is due. It returns whether there was
 * something to do.
 */
export function consumer(mapping: Mapping, reader: string, host: ConsumerHost): (shard: ShardReader) => Promise<boolean> {
  const { batchSize, batchWindowMs, tumblingMs, rules } = mapping;
  const { checkpoints } = host;
  const windowOf = (record: StreamRecord) => Math.floor((record.dynamodb.ApproximateCreationDateTime * 1_000) / tumblingMs);

  /** Reads from the shard, and keeps the records that pass the filter. @returns how many records it has read. */
  async function readOn(shard: ShardReader): Promise<number> {
    if (shard.pending.length >= batchSize || shard.closed) return 0;
    const records = await shard.read();
    const full = records.map((record) => ({ ...record, awsRegion: region, eventSourceARN: mapping.sourceArn }));
    shard.pending.push(...full.filter(mapping.passes));
    if (shard.pending.length) shard.waitingSince ??= Date.now();
    else if (shard.position) checkpoints.set(reader, shard.id, shard.position);
    return records.length;
  }

  /** Ends the shard's tumbling window when its time is over, or when a record of another window has arrived. */
  async function endWindow(shard: ShardReader): Promise<void> {
    const { window, pending } = shard;
    if (!window) return;
    const [first] = pending;
    const isOver = first ? windowOf(first) !== window.number : Date.now() >= (window.number + 1) * tumblingMs;
    if (!isOver) return;
    await deliver([], rules, stepsOf(mapping, reader, shard, host, true));
    shard.window = undefined;
  }

  return async (shard) => {
    const read = await readOn(shard);
    await endWindow(shard);
    const [first] = shard.pending;
    const isDue = shard.pending.length >= batchSize || Date.now() - (shard.waitingSince ?? 0) >= batchWindowMs || shard.closed;
    if (!first || !isDue) return read > 0;
    if (tumblingMs) shard.window ??= { number: windowOf(first), state: {} };
    const batch = batchFrom(shard.pending, batchSize, (record) => !tumblingMs || windowOf(record) === shard.window?.number);
    await deliver(batch, rules, stepsOf(mapping, reader, shard, host, false));
    shard.pending.splice(0, batch.length);
    shard.waitingSince = shard.pending.length ? Date.now() : undefined;
    return true;
  };
}

/**
 * How a batch of a shard is delivered, marked and given up.
 *
 * @param final whether the invocation ends a tumbling window.
 */
const stepsOf = (
  { name, sourceArn, functionArn, tumblingMs, reportsFailures, destination }: Mapping,
  reader: string,
  shard: ShardReader,
  { functions, queues, checkpoints, log, signal }: ConsumerHost,
  final: boolean,
): BatchSteps => ({
  signal,
  attempt: async (records) => {
    const event = { Records: records, ...(tumblingMs && windowFields(shard, tumblingMs, sourceArn, final)) };
    const result: unknown = JSON.parse(await functions.invoke(functionArn, JSON.stringify(event)));
    const processed = reportsFailures ? processedCount(result, records) : records.length;
    if (shard.window) shard.window.state = (result as { state?: object } | null)?.state ?? {};
    return processed;
  },
  done: (records) => {
    const last = records.at(-1);
    if (last) checkpoints.set(reader, shard.id, last.dynamodb.SequenceNumber);
  },
  giveUp: (records, condition, invocations) => {
    log(`${name} gives up ${records.length} records: ${condition}`);
    if (destination) {
      queues.send(destination, failureMessage(sourceArn, functionArn, shard.id, records, condition, invocations));
    }
  },
});

/**
 * The first pending records that fit into one invocation: at most `size`, 6 MB and, with a tumbling window, those of
 * it.
 */
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
