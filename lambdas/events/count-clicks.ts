import type { Context, DynamoDBRecord, DynamoDBStreamEvent } from 'aws-lambda';
import { RequestError } from '../domain/errors.ts';
import { backOff, timeLeft, withDeadline, withinInvocation } from '../runtime/deadline.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { countClicks, type PlacedClick } from '../store/clicks/counts.ts';
import { putAside } from '../store/failures.ts';
import { linkOfClick } from '../store/table/keys.ts';

/**
 * The event of a mapping with a tumbling window. Only such events name their shard
 * (https://docs.aws.amazon.com/lambda/latest/dg/services-ddb-windows.html). The last one of a window may have no
 * `Records`.
 */
type WindowEvent = Partial<DynamoDBStreamEvent> & { readonly shardId?: string };

/** A record that is a click. */
type ReadClick = PlacedClick & { readonly itemPk: string; readonly itemSk: string };

type Task = () => Promise<void>;

/** How many links are counted at a time. */
const inFlight = 25;

/** How long a counter is tried before it makes way for the others of its batch, in milliseconds. */
const firstTryMs = 1_000;

/** How long counters that were busy are tried again once all others are done, in milliseconds. */
const secondTryMs = 5_000;

/**
 * Adds up the clicks of a batch, with one update for each link. Each click is counted once, even if a batch is
 * repeated, whole or in part, or processed twice at the same time.
 *
 * A counter that is busy is tried again after all others. If it stays busy for 5 seconds, Lambda sends the batch again.
 * A counter that cannot take the clicks, however often they are sent, must not hold up those behind it: its clicks are
 * put aside.
 *
 * @throws the first error of the store.
 */
export const handler = ({ Records = [], shardId }: WindowEvent, context: Context): Promise<{ state: object }> =>
  withinInvocation(context, async () => {
    if (Records.length > 0) await doAll(tasksOf(Records, shardIdOf(shardId)));
    return { state: {} };
  });

function shardIdOf(shardId: string | undefined): string {
  if (!shardId) throw new Error('the event does not name a shard: the mapping needs a tumbling window');
  return shardId;
}

/** Does each task, first those that succeed at once. @throws the first error, once all others are done */
async function doAll(tasks: readonly Task[]): Promise<void> {
  const failures: unknown[] = [];
  /** Tries each task. Returns those to try again. */
  const tryAll = async (some: readonly Task[], ms: number) => {
    const busy: Task[] = [];
    await inParallel(some, inFlight, (task) =>
      withDeadline(Math.min(ms, timeLeft()), task).catch((error: unknown) => {
        if (isBusy(error)) busy.push(task);
        else failures.push(error);
      }),
    );
    return busy;
  };
  let busy = await tryAll(tasks, firstTryMs);
  await withDeadline(Math.min(secondTryMs, timeLeft()), async () => {
    for (let attempt = 1; busy.length > 0; attempt++) {
      await backOff(attempt);
      busy = await tryAll(busy, firstTryMs);
    }
  });
  if (failures.length > 0) throw failures[0];
}

const isBusy = (error: unknown) => error instanceof RequestError && error.code === 'temporarily_unavailable';

/** The tasks of a batch: an update for each link, and a stored note for each record that isn't a click. */
function tasksOf(records: readonly DynamoDBRecord[], shardId: string): Task[] {
  const byLink = Map.groupBy(records, linkIdOf);
  const unreadable = byLink.get(undefined) ?? [];
  byLink.delete(undefined);
  return [
    ...[...byLink].map(
      ([linkId = '', some]) =>
        () =>
          count(linkId, shardId, some.map(toClick)),
    ),
    ...unreadable.map((record) => () => noteUnreadable(record, shardId)),
  ];
}

const sequenceNumberOf = ({ dynamodb }: DynamoDBRecord): string => dynamodb?.SequenceNumber ?? '';

const toClick = (record: DynamoDBRecord): ReadClick => ({
  sequenceNumber: sequenceNumberOf(record),
  createdAt: record.dynamodb?.ApproximateCreationDateTime ?? 0,
  itemPk: record.dynamodb?.Keys?.pk?.S ?? '',
  itemSk: record.dynamodb?.Keys?.sk?.S ?? '',
});

/** The link that was clicked; undefined if the record isn't a valid click. */
function linkIdOf(record: DynamoDBRecord): string | undefined {
  const { sequenceNumber, createdAt, itemPk } = toClick(record);
  return /^\d{1,40}$/.test(sequenceNumber) && createdAt > 0 ? linkOfClick(itemPk) : undefined;
}

/** Counts a link's clicks, or puts them aside if the table refuses the update as invalid. */
async function count(linkId: string, shardId: string, clicks: readonly ReadClick[]): Promise<void> {
  try {
    await countClicks(linkId, shardId, clicks);
  } catch (error) {
    // Only this error says that a repetition would fail, too. What may still succeed would be counted twice.
    if (!(error instanceof Error && error.name === 'ValidationException')) throw error;
    console.error({ message: 'clicks could not be counted', linkId, shardId, clicks: clicks.length, reason: error.message });
    const places = clicks.map(({ sequenceNumber, itemPk, itemSk }) => ({ sequenceNumber, itemPk, itemSk }));
    await putAside({
      reader: 'count-clicks',
      shardId,
      sequenceNumber: places[0]?.sequenceNumber ?? '',
      linkId,
      clicks: places,
      reason: error.message,
    });
  }
}

async function noteUnreadable(record: DynamoDBRecord, shardId: string): Promise<void> {
  const { pk, sk } = record.dynamodb?.Keys ?? {};
  const sequenceNumber = sequenceNumberOf(record);
  console.error({ message: 'a click could not be read', shardId, sequenceNumber });
  await putAside({ reader: 'count-clicks', shardId, sequenceNumber, itemPk: pk?.S, itemSk: sk?.S });
}
