import { syncBuiltinESMExports } from 'node:module';
import timers from 'node:timers';
import promises, { setImmediate as nextTick } from 'node:timers/promises';

/**
 * A clock that jumps from one event to the next. It stands still while work waits for something real, such as the
 * database engine. So measurements by this clock do not depend on the machine.
 */
export type SimulatedTime = {
  /** In milliseconds since 1970. */
  readonly now: () => number;
  readonly wait: (ms: number) => Promise<void>;
  /** Does something real, during which no time passes. */
  readonly outside: <T>(work: () => Promise<T>) => Promise<T>;
};

/**
 * Does work in simulated time, which starts at the current time. `Date.now`, the steady clock, the pauses of
 * `node:timers/promises` and `AbortSignal.timeout` follow that time. Nothing else may run in this process. Timers that
 * guard something real, such as an exchange with the engine, take 20 times as long, because the machine may be slow.
 */
export async function inSimulatedTime<T>(work: (time: SimulatedTime) => Promise<T>): Promise<T> {
  const real = {
    now: Date.now,
    steady: process.hrtime.bigint,
    wait: promises.setTimeout,
    timeout: AbortSignal.timeout,
    guard: globalThis.setTimeout,
    repeat: globalThis.setInterval,
  };
  let now = Date.now();
  /** Work that runs in real time. */
  const outside = new Set<Promise<void>>();
  let order = 0;
  const events: { readonly at: number; readonly order: number; readonly run: () => void }[] = [];
  const at = (ms: number, run: () => void) => void push(events, { at: now + Math.max(0, ms), order: order++, run });
  const time: SimulatedTime = {
    now: () => now,
    wait: (ms) => new Promise((resolve) => at(ms, resolve)),
    outside: (inner) => {
      const running = inner();
      const ended = running.then(
        () => undefined,
        () => undefined,
      );
      outside.add(ended);
      void ended.then(() => outside.delete(ended));
      return running;
    },
  };
  Date.now = () => now;
  process.hrtime.bigint = () => BigInt(Math.round(now * 1e6));
  promises.setTimeout = ((ms: number) => time.wait(ms)) as typeof promises.setTimeout;
  AbortSignal.timeout = (ms) => {
    const controller = new AbortController();
    at(ms, () => controller.abort());
    return controller.signal;
  };
  const { guard, repeat } = real;
  const slowGuard = Object.assign((work: () => void, ms = 0) => guard(work, 20 * ms), guard) as typeof guard;
  const slowRepeat = Object.assign((work: () => void, ms = 0) => repeat(work, 20 * ms), repeat) as typeof repeat;
  Object.assign(globalThis, { setTimeout: slowGuard, setInterval: slowRepeat });
  // Middy guards handlers with this one.
  timers.setTimeout = slowGuard;
  syncBuiltinESMExports();
  try {
    let isDone = false;
    const done = work(time).finally(() => {
      isDone = true;
    });
    // The caller awaits it too, and gets its error.
    done.catch(() => {});
    for (;;) {
      // Runs everything that does not wait for an event.
      do {
        await Promise.all(outside);
        await nextTick();
      } while (outside.size > 0);
      if (isDone) return await done;
      const next = pop(events);
      if (!next) throw new Error('the work waits for something that is not simulated');
      now = next.at;
      next.run();
    }
  } finally {
    Object.assign(Date, { now: real.now });
    Object.assign(process.hrtime, { bigint: real.steady });
    Object.assign(AbortSignal, { timeout: real.timeout });
    Object.assign(globalThis, { setTimeout: real.guard, setInterval: real.repeat });
    timers.setTimeout = real.guard;
    promises.setTimeout = real.wait;
    syncBuiltinESMExports();
  }
}

type Ordered = { readonly at: number; readonly order: number };

const isBefore = (one: Ordered, other: Ordered) => one.at < other.at || (one.at === other.at && one.order < other.order);

/** Adds to a binary heap. */
function push<T extends Ordered>(heap: T[], entry: T): void {
  let position = heap.push(entry) - 1;
  while (position > 0) {
    const parent = (position - 1) >> 1;
    if (!isBefore(entry, heap[parent] as T)) break;
    heap[position] = heap[parent] as T;
    position = parent;
  }
  heap[position] = entry;
}

/** Removes the first of a binary heap. */
function pop<T extends Ordered>(heap: T[]): T | undefined {
  const [first] = heap;
  const last = heap.pop();
  if (!last || heap.length === 0) return first;
  let position = 0;
  for (;;) {
    let child = 2 * position + 1;
    if (child >= heap.length) break;
    if (child + 1 < heap.length && isBefore(heap[child + 1] as T, heap[child] as T)) child++;
    if (!isBefore(heap[child] as T, last)) break;
    heap[position] = heap[child] as T;
    position = child;
  }
  heap[position] = last;
  return first;
}
