import { type Link, linkDefaults } from '../../../lambdas/core/link/link.ts';
import { linkMemory } from '../../../lambdas/redirect/remembered-links.ts';
import { dynamoDb, lambda } from './limits.ts';

/** Visits per second, at random times. */
export const rate = 10_000;
/** The most functions that run at once: the account's concurrency. A visit that finds none idle is refused. */
export const mostFunctions = lambda.executions;
const { startMs } = lambda;
const { callMs: readMs } = dynamoDb;

/** The visits of one link, in a simulation. */
export type HotLink = {
  readonly seconds: number;
  /** How long a function takes for a visit without a read, in milliseconds. */
  readonly visitMs: number;
  /** Which idle function gets a visit. AWS does not say; `longest idle` spreads visits over as many as possible. */
  readonly next: 'longest idle' | 'last used';
  /** Whether functions remember the link. Without that, each visit reads it. */
  readonly remembers: boolean;
};

export type HotLinkResult = {
  readonly visits: number;
  /** Visits that found no function. */
  readonly refused: number;
  readonly functions: number;
  /** The most reads of the link in any calendar second, and the reads in the last one. */
  readonly mostReads: number;
  readonly lastReads: number;
};

/** A running function, with its memory of links. */
type Running = { readonly open: ReturnType<typeof linkMemory>; reads: number; freeAt: number };

function start(): Running {
  const open = linkMemory(async () => {
    running.reads++;
    return link;
  });
  const running: Running = { open, reads: 0, freeAt: 0 };
  return running;
}

const link = { ...linkDefaults, url: 'https://example.org/' } as unknown as Link;

/**
 * Simulates visits of one link, each by one of many functions that run side by side, with the function's own memory of
 * links.
 *
 * @param random in [0, 1), so that a run can be repeated.
 */
export async function simulateHotLink(hot: HotLink, random: () => number): Promise<HotLinkResult> {
  const { seconds, visitMs, next, remembers } = hot;
  const reads = new Array<number>(seconds).fill(0);
  const idle: Running[] = [];
  const busy: Running[] = [];
  let [visits, refused, started] = [0, 0, 0];

  for (let now = 0; ; ) {
    now += (-Math.log(1 - random()) * 1_000) / rate;
    if (now >= seconds * 1_000) break;
    visits++;
    for (let index = 0; index < busy.length; ) {
      const one = busy[index] as Running;
      if (one.freeAt > now) index++;
      else idle.push(...busy.splice(index, 1));
    }
    let waits = 0;
    let chosen = next === 'last used' ? idle.pop() : idle.shift();
    if (!chosen) {
      if (started >= mostFunctions) {
        refused++;
        continue;
      }
      started++;
      waits = startMs;
      chosen = start();
    }
    const at = now + waits;
    const before = chosen.reads;
    if (remembers) await chosen.open('dom', 'slug', { wall: at, steady: at });
    const hasRead = !remembers || chosen.reads > before;
    const second = Math.floor(at / 1_000);
    if (hasRead && second < seconds) reads[second] = (reads[second] ?? 0) + 1;
    chosen.freeAt = at + visitMs + (hasRead ? readMs : 0);
    busy.push(chosen);
  }
  return { visits, refused, functions: started, mostReads: Math.max(...reads), lastReads: reads.at(-1) ?? 0 };
}
