import type { Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { alarming } from '../core/alarms.ts';
import { type Click, rowDimensions } from '../core/click/click.ts';
import { recordedAs } from '../core/click/recorded.ts';
import { rowOf } from '../core/click/row.ts';
import { RequestError } from '../core/errors.ts';
import { backOff, timeLeft, withDeadline, withinInvocation } from '../runtime/deadline.ts';
import { reportingDenials } from '../runtime/denials.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { type Shard, shardOf, tidy } from '../store/clicks/checkpoints.ts';
import { deleteClicks } from '../store/clicks/clicks.ts';
import { type Addition, addUncounted, tryReading } from '../store/clicks/count-once.ts';
import { type CountedClick, epochOf, ofCounter } from '../store/clicks/counts.ts';
import { putAside } from '../store/clicks/failures.ts';
import { writeTail } from '../store/clicks/tail.ts';
import { tailNotes } from '../store/clicks/tail-entries.ts';
import type { Item } from '../store/table/client.ts';
import { brokenItem } from '../store/table/fields.ts';
import { clickAt, linkOfClick, tailEntryKey } from '../store/table/keys.ts';

/**
 * The event of a mapping with a tumbling window. Only such events name their shard
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html). The last one of a window may have no
 * `Records`.
 */
type WindowEvent = Partial<DynamoDBStreamEvent> & { readonly shardId?: string };

/** A click as a record of the stream holds it, with the key of its item. */
type Read = Click & CountedClick & { readonly itemPk: string; readonly itemSk: string };

type Task = () => Promise<void>;

/** Which workspaces' tails this function has noted. */
const noteTail = tailNotes();

/** How many items to update at a time. */
const concurrency = 25;

/** How long an item is tried before the others of its batch have their turn, in milliseconds. */
const firstTryMs = 1_000;

/** How long items that were busy are retried once all others are done, in milliseconds. */
const secondTryMs = 4_000;

/** How long the removal of marks may take, in milliseconds. It can wait. */
const tidyMs = 1_000;

/**
 * How long a batch may take before Lambda sends it again, in milliseconds: half of the function's time. Clicks counted
 * by then are not counted again.
 */
const batchMs = 10_000;

/**
 * Writes the clicks of a batch as rows into the tails of their workspaces, and then adds them to the counters of their
 * links. Each click is counted once, even if a batch is repeated, whole or in part, or processed twice at the same
 * time. A row may then exist twice, with the same id. Every counted click has a row: if the tail of a workspace is
 * busy, its clicks are counted only after their rows are written.
 *
 * A counter that is busy is retried after all others. If it stays busy for 5 seconds in all, Lambda sends the batch
 * again, and the shard's later batches wait until it succeeds. A counter that could never take its clicks must not
 * block the others: its clicks are put aside (`failures.ts`).
 *
 * @throws the first error of the store.
 */
export const handler = ({ Records = [], shardId }: WindowEvent, context: Context): Promise<{ state: object }> =>
  withinInvocation(context, async () => {
    if (Records.length > 0) await within(batchMs, () => countBatch(Records, shardIdOf(shardId)));
    return { state: {} };
  });

function shardIdOf(shardId: string | undefined): string {
  if (!shardId) throw new Error('the event does not name a shard: the mapping needs a tumbling window');
  return shardId;
}

const within = <T>(ms: number, work: () => Promise<T>): Promise<T> => withDeadline(Math.min(ms, timeLeft()), work);

async function countBatch(records: readonly DynamoDBRecord[], shardId: string): Promise<void> {
  const parsed = records.map(toRead);
  const read = parsed.filter((one) => one !== undefined);
  const malformed = records.filter((_, index) => !parsed[index]);
  const shard = shardOf(shardId);
  const byLink = Map.groupBy(read, ({ linkId }) => linkId);
  const counters = [...byLink].map(([linkId, clicks]) => ofCounter<Read>(linkId, clicks));
  const items = await readItems(counters);
  const { unwritten, error } = await writeTails(read, shard, shardId);
  const counted: Counted[] = [];
  const adding = counters.map((counter, index) => async () => {
    if (unwritten.has(counter.clicks[0]?.workspaceId ?? '')) return;
    await orPutAside(counter, shardId, async () => {
      counted.push({ counter, item: await addUncounted(shard, counter, items[index]) });
    });
  });
  await runAll([...malformed.map((record) => () => putRecordAside(record, shardId)), ...adding]);

  if (unwritten.size > 0) throw error;
  await removeErased(counted, shardId);
  await within(tidyMs, () =>
    tidy(
      shard,
      read,
      counted.map(({ item }) => item),
    ),
  );
}

/**
 * Writes the clicks as rows into the tails of their workspaces, and notes that these have a tail.
 *
 * @returns the workspaces of which some rows were not written, and the error.
 */
async function writeTails(clicks: readonly Read[], { name }: Shard, shardId: string) {
  const byWorkspace = Map.groupBy(clicks, ({ workspaceId }) => workspaceId);
  const unwritten = new Set(byWorkspace.keys());
  const writing = [...byWorkspace].map(([workspaceId, some]) => async () => {
    const oldest = some.reduce((oldest, { at }) => (at < oldest ? at : oldest), some[0]?.at ?? '');
    await orPutAside({ key: tailEntryKey(workspaceId), clicks: some }, shardId, async () => {
      const bytes = await writeTail(
        workspaceId,
        name,
        some.map((click) => rowOf(click, name)),
      );
      await noteTail(workspaceId, { bytes, oldest });
    });
    unwritten.delete(workspaceId);
  });
  try {
    await runAll(writing);
    return { unwritten, error: undefined };
  } catch (error) {
    return { unwritten, error };
  }
}

/** A counter with its clicks, and its item once they are counted. */
type Counted = { readonly counter: Addition<Read>; readonly item: Item };

/** Deletes the items of erased clicks that came too late for the erasure's sweep. The counter's item has the epoch. */
async function removeErased(counted: readonly Counted[], shardId: string): Promise<void> {
  const deleting = counted.map(({ counter, item }) => async () => {
    await orPutAside(counter, shardId, () => deleteClicks(counter.clicks.filter(({ epoch }) => epoch < epochOf(item))));
  });
  await runAll(deleting);
}

/** Reads the items for half the price. They may be outdated, or undefined if they could not be read. */
async function readItems(additions: readonly Addition<Read>[]): Promise<readonly (Item | undefined)[]> {
  try {
    return await within(firstTryMs, () => reportingDenials(() => tryReading(additions)));
  } catch (error) {
    // Then updates that don't fit the items are refused, and corrected.
    console.warn({ message: 'counters could not be read', name: error instanceof Error ? error.name : undefined });
    return [];
  }
}

/**
 * Runs all tasks, and retries those that were busy after all others.
 *
 * @throws the first error, once all others are done
 */
async function runAll(tasks: readonly Task[]): Promise<void> {
  const failures: unknown[] = [];
  /** Tries each of these tasks. Returns those that were busy. */
  const tryAll = async (some: readonly Task[], ms: number) => {
    const busy: Task[] = [];
    await inParallel(some, concurrency, (task) =>
      withDeadline(Math.min(ms, timeLeft()), () => reportingDenials(task)).catch((error: unknown) => {
        if (isBusy(error)) busy.push(task);
        else failures.push(error);
      }),
    );
    return busy;
  };
  let busy = await tryAll(tasks, firstTryMs);
  try {
    await withDeadline(Math.min(secondTryMs, timeLeft()), async () => {
      for (let attempt = 1; busy.length > 0; attempt++) {
        await backOff(attempt);
        busy = await tryAll(busy, firstTryMs);
      }
    });
  } catch (error) {
    // Another error says more than that the table is busy.
    throw failures[0] ?? error;
  }
  if (failures.length > 0) throw failures[0];
}

const isBusy = (error: unknown) => error instanceof RequestError && error.code === 'temporarily_unavailable';

/** The click of a record; undefined if the record isn't a valid click. */
function toRead({ dynamodb }: DynamoDBRecord): Read | undefined {
  const { pk: { S: pk = '' } = {}, sk: { S: sk = '' } = {} } = dynamodb?.Keys ?? {};
  const image = dynamodb?.NewImage ?? {};
  const sequenceNumber = dynamodb?.SequenceNumber ?? '';
  const createdAt = dynamodb?.ApproximateCreationDateTime ?? 0;
  const [workspaceId, host] = [image.workspaceId?.S, image.host?.S];
  if (!workspaceId || !host || !/^\d{1,40}$/.test(sequenceNumber) || createdAt <= 0) return undefined;
  const read = { workspaceId, host, sequenceNumber, createdAt, itemPk: pk, itemSk: sk };
  const linkId = linkOfClick(pk);
  const { at, id } = clickAt(sk);
  if (!linkId || !isTime(at) || id === '') return undefined;
  return {
    ...recordedAs(rowDimensions, (dimension) => image[dimension]?.S || undefined),
    ...read,
    id,
    linkId,
    at,
    visitor: image.visitor?.S,
    epoch: Number(image.epoch?.N ?? 0),
  };
}

/** Whether a text is a time as `toISOString` writes it, which sorts by time. */
const isTime = (text: string): boolean => !Number.isNaN(Date.parse(text)) && new Date(text).toISOString() === text;

/** Adds clicks to a counter or a tail, or puts them aside if the table refuses the update as invalid. */
async function orPutAside({ key, clicks }: Pick<Addition<Read>, 'key' | 'clicks'>, shardId: string, work: Task): Promise<void> {
  try {
    await work();
  } catch (error) {
    // Only these errors say that a retry would fail, too. Clicks that may still be counted must not be put aside, or
    // they would be counted twice.
    if (!(error instanceof Error && ['ValidationException', brokenItem].includes(error.name))) throw error;
    console.error({ message: alarming.clicksUncountable, counts: key, shardId, clicks: clicks.length, reason: error.message });
    await putAside({
      reader: 'count-clicks',
      shardId,
      sequenceNumber: clicks[0]?.sequenceNumber ?? '',
      counts: key,
      clicks: clicks.map(({ sequenceNumber, itemPk, itemSk }) => ({ sequenceNumber, itemPk, itemSk })),
      reason: error.message,
    });
  }
}

async function putRecordAside({ dynamodb }: DynamoDBRecord, shardId: string): Promise<void> {
  const { pk, sk } = dynamodb?.Keys ?? {};
  const sequenceNumber = dynamodb?.SequenceNumber ?? '';
  console.error({ message: alarming.clickUnreadable, shardId, sequenceNumber });
  await putAside({ reader: 'count-clicks', shardId, sequenceNumber, itemPk: pk?.S, itemSk: sk?.S });
}
