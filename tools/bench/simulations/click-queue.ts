import type { Agenda } from './agenda.ts';
import { makeCall } from './calls.ts';
import type { Executions } from './functions.ts';
import { sqs } from './limits.ts';
import type { Random } from './random.ts';

/** How clicks that wait in the queue are recorded. */
export type Waiting = {
  /**
   * The most concurrent readers, the most clicks of a batch, and its visibility timeout in milliseconds, as in `lib/`.
   */
  readonly readers: number;
  readonly batch: number;
  readonly hiddenMs: number;
  /** How many clicks a reader records at a time, as in `lambdas/events/record-waiting-clicks.ts`. */
  readonly concurrency: number;
  /** The processor time for each click, in milliseconds: an assumption. */
  readonly clickMs: number;
};

export type ClickQueue = {
  /** Sends a click of a link to the queue. */
  readonly send: (link: number) => void;
  /** How many clicks are in the queue, and the most that were. */
  readonly waiting: () => number;
  readonly most: () => number;
};

type Parts = {
  readonly agenda: Agenda;
  readonly random: Random;
  readonly executions: Executions;
  /** Records a click of a link in the table. False if the table throttles it. */
  readonly record: (link: number) => boolean;
};

/** Simulates the queue of clicks that the table throttled, and the function that records them at the table's pace. */
export function clickQueue({ agenda, random, executions, record }: Parts, waiting: Waiting): ClickQueue {
  const { now, after } = agenda;
  let visible: number[] = [];
  let head = 0;
  /** Batches' clicks that the table refused, with the time at which they are visible again, in order. */
  const hidden: { readonly links: readonly number[]; readonly until: number }[] = [];
  let [size, most] = [0, 0];

  const take = (): readonly number[] => {
    const links = visible.slice(head, head + waiting.batch);
    head += links.length;
    if (head > 100_000) [visible, head] = [visible.slice(head), 0];
    return links;
  };

  const poll = () => {
    for (let first = hidden[0]; first && first.until <= now(); first = hidden[0]) {
      visible.push(...first.links);
      hidden.shift();
    }
    const links = take();
    if (links.length === 0) return after(sqs.pollMs, poll);
    after(Math.ceil(links.length / sqs.messagesPerCall) * sqs.callMs, () => runWhenPossible(links));
  };
  const runWhenPossible = (links: readonly number[]) => {
    if (!executions.begin()) return after(sqs.pollMs, () => runWhenPossible(links));
    run(links, (refused) => {
      executions.end();
      size -= links.length - refused.length;
      if (refused.length > 0) hidden.push({ links: refused, until: now() + waiting.hiddenMs });
      poll();
    });
  };
  const run = (links: readonly number[], done: (refused: readonly number[]) => void) => {
    const refused: number[] = [];
    let [next, running, spentMs] = [0, 0, 0];
    const tick = () => {
      spentMs = Math.min(spentMs + 1, 2 * waiting.clickMs);
      while (next < links.length && running < waiting.concurrency && spentMs >= waiting.clickMs) {
        const link = links[next++] as number;
        spentMs -= waiting.clickMs;
        running++;
        makeCall(agenda, random, {
          attempt: () => record(link),
          done: (isDone) => {
            running--;
            if (!isDone) refused.push(link);
          },
        });
      }
      if (next < links.length || running > 0) return after(1, tick);
      done(refused);
    };
    tick();
  };
  for (let reader = 0; reader < waiting.readers; reader++) poll();
  return {
    send: (link) => {
      visible.push(link);
      most = Math.max(most, ++size);
    },
    waiting: () => size,
    most: () => most,
  };
}
