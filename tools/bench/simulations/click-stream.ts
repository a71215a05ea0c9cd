import { longestPause } from '../../../lambdas/runtime/deadline.ts';
import { maxAttempts } from '../../../lambdas/store/table/client.ts';
import type { Agenda } from './agenda.ts';
import type { Executions } from './functions.ts';
import { stream } from './limits.ts';
import type { OnDemandTable } from './on-demand-table.ts';
import { hashOf, type Random } from './random.ts';

/** The parameters of counting clicks. */
export type Counting = {
  /** The most clicks of a batch, and how long a shard waits for them, in milliseconds, as in `lib/events-stack.ts`. */
  readonly batch: number;
  readonly windowMs: number;
  /** How many items a batch writes at a time, and how long it tries before Lambda retries it, in milliseconds. */
  readonly concurrency: number;
  readonly triesMs: number;
  /**
   * How long a batch takes before it writes, and the processor time for each item that it reads and writes, in
   * milliseconds.
   */
  readonly batchMs: number;
  readonly itemMs: number;
  /** Write units of a link's counter, and of each row of a workspace's tail. */
  readonly units: { readonly counter: number; readonly row: number };
};

/** The number of partition keys of a workspace's tail, as in `keys.ts`. */
const tailPartitions = 8;

/** The kinds of keys, for their hashes. */
const kinds = { counter: 1, tail: 2 } as const;

/** One shard of the stream: one partition of the table, until that is split. */
type Shard = {
  readonly number: number;
  readonly links: number[];
  readonly times: number[];
  head: number;
  isClosed: boolean;
  children: Shard[];
};

const newShard = (number: number): Shard => ({ number, links: [], times: [], head: 0, isClosed: false, children: [] });

/** An item that a batch has to write. */
type Item = {
  readonly hash: number;
  readonly units: number;
  /** Whether it must still be read before it is written. */
  isToRead: boolean;
  attempts: number;
};

export type ClickStream = {
  /** A click was recorded in the partition with that number. */
  readonly add: (partition: number, link: number) => void;
  /** All partitions were split. The new shards are read once the clicks of the old ones are counted. */
  readonly split: () => void;
  readonly counted: () => number;
  /** How late counts are: the age of the oldest click that is not counted yet, in milliseconds. */
  readonly late: () => number;
};

type Parts = {
  readonly agenda: Agenda;
  readonly random: Random;
  readonly table: OnDemandTable;
  readonly executions: Executions;
  /** Links belong to the workspaces in turn. */
  readonly workspaces: number;
};

/** The items that a batch writes: a piece of each workspace's tail, and then each link's counter. */
function itemsOf(links: readonly number[], shard: number, workspaces: number, { units }: Counting): Item[] {
  const itemOf = (hash: number, units: number, isToRead: boolean): Item => ({ hash, units, isToRead, attempts: 0 });
  const rows = [...Map.groupBy(links, (link) => link % workspaces)];
  return [
    ...rows.map(([workspace, { length }]) =>
      itemOf(hashOf(kinds.tail, workspace * tailPartitions + (shard % tailPartitions)), Math.ceil(length * units.row), false),
    ),
    ...[...new Set(links)].map((link) => itemOf(hashOf(kinds.counter, link), units.counter, true)),
  ];
}

/**
 * Returns a function that reads an item with eventual consistency, and writes it; false if the table throttles that.
 */
const writer =
  ({ table }: Parts) =>
  (item: Item): boolean => {
    if (item.isToRead && !table.take('read', item.hash, 0.5)) return false;
    item.isToRead = false;
    return table.take('write', item.hash, item.units);
  };

/** Simulates the stream of clicks, and the function that counts them: one batch of a shard at a time. */
export function clickStream(parts: Parts, counting: Counting): ClickStream {
  const { agenda, table, executions } = parts;
  const { now, after } = agenda;
  const write = writer(parts);
  const reading = new Set<Shard>();
  let newest = Array.from({ length: table.partitions() }, (_, number) => newShard(number));
  let counted = 0;

  const poll = (shard: Shard) => {
    const waiting = shard.links.length - shard.head;
    if (waiting === 0 && shard.isClosed) {
      reading.delete(shard);
      for (const child of shard.children) start(child);
      return;
    }
    if (waiting === 0) return after(stream.pollMs, () => poll(shard));
    const age = now() - (shard.times[shard.head] as number);
    if (waiting < counting.batch && age < counting.windowMs) return after(counting.windowMs - age, () => poll(shard));
    if (!executions.begin()) return after(stream.pollMs, () => poll(shard));
    const size = Math.min(waiting, counting.batch);
    const links = shard.links.slice(shard.head, shard.head + size);
    const items = itemsOf(links, shard.number, parts.workspaces, counting);
    after(counting.batchMs, () =>
      runBatch({ ...parts, counting, write }, items, () => {
        executions.end();
        counted += size;
        shard.head += size;
        if (shard.head > 100_000) {
          shard.links.splice(0, shard.head);
          shard.times.splice(0, shard.head);
          shard.head = 0;
        }
        poll(shard);
      }),
    );
  };
  const start = (shard: Shard) => {
    reading.add(shard);
    poll(shard);
  };
  newest.forEach(start);

  return {
    add: (partition, link) => {
      const shard = newest[partition] as Shard;
      shard.links.push(link);
      shard.times.push(now());
    },
    split: () => {
      const before = newest;
      newest = before.flatMap((shard) => {
        shard.children = [newShard(2 * shard.number), newShard(2 * shard.number + 1)];
        shard.isClosed = true;
        return shard.children;
      });
    },
    counted: () => counted,
    late: () =>
      Math.max(
        0,
        ...[...reading].map((shard) => (shard.head < shard.times.length ? now() - (shard.times[shard.head] as number) : 0)),
      ),
  };
}

type Batch = Parts & { readonly counting: Counting; readonly write: (item: Item) => boolean };

/** How often a batch checks for items to write, in milliseconds. */
const tickMs = 1;

/**
 * Writes the items of a batch, some at a time. An item that is throttled five times goes to the end, and a batch that
 * takes too long restarts with the remaining items.
 */
function runBatch({ agenda: { after }, random, counting, write }: Batch, items: readonly Item[], done: () => void): void {
  let left = items;
  let [next, waiting, round, spentMs, since] = [0, 0, 1, 0, 0];
  let ready: Item[] = [];
  let busy: Item[] = [];
  const attempt = (item: Item) => {
    if (write(item)) return;
    item.attempts++;
    if (item.attempts >= maxAttempts) {
      busy.push({ ...item, attempts: 0 });
      return;
    }
    waiting++;
    after(random() * longestPause(item.attempts), () => {
      waiting--;
      ready.push(item);
    });
  };
  const tick = () => {
    since += tickMs;
    spentMs += tickMs;
    for (; spentMs >= counting.itemMs; spentMs -= counting.itemMs) {
      const item = ready.pop() ?? (waiting < counting.concurrency ? left[next++] : undefined);
      if (!item) break;
      attempt(item);
    }
    spentMs = Math.min(spentMs, tickMs);
    if (next < left.length || waiting > 0 || ready.length > 0) return after(tickMs, tick);
    if (busy.length === 0) return done();
    [left, busy, ready, next] = [busy, [], [], 0];
    // Lambda retries a failed batch, which starts with the items that are not written yet.
    if (since >= counting.triesMs) [since, round] = [0, 1];
    after(random() * longestPause(round++) + (since === 0 ? counting.batchMs : 0), tick);
  };
  tick();
}
