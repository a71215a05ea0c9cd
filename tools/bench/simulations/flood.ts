import { recordedWithinMs } from '../../../lambdas/core/visit/visit.ts';
import { remembered } from '../../../lambdas/redirect/remembered-links.ts';
import { type ThrottleMemory, throttleMemory } from '../../../lambdas/redirect/remembered-throttles.ts';
import { type Memory, memory } from '../../../lambdas/runtime/memory.ts';
import { rememberedMs as listRememberedMs } from '../../../lambdas/store/hosts/blocklist.ts';
import { type Agenda, agenda as newAgenda } from './agenda.ts';
import { makeCall } from './calls.ts';
import { type ClickQueue, clickQueue, type Waiting } from './click-queue.ts';
import { type ClickStream, type Counting, clickStream } from './click-stream.ts';
import { environments, executions as newExecutions } from './functions.ts';
import { lambda, sqs, type Units } from './limits.ts';
import { type OnDemandTable, onDemandTable } from './on-demand-table.ts';
import { chooser, hashOf, poisson, type Random } from './random.ts';

/** Visits of many links, all at once, in a simulation. */
export type Flood = {
  readonly perSecond: number;
  readonly seconds: number;
  readonly links: number;
  readonly workspaces: number;
  readonly popularity: 'uniform' | 'Zipf';
  /** The handling of throttled clicks: they go to the queue, as now, or are tried five times, as formerly. */
  readonly clicks: 'queue' | 'five attempts';
  readonly waiting: Waiting;
  /** How many copies the list of blocked hosts has, and how many units a read of one takes. */
  readonly blockedHosts: { readonly copies: number; readonly units: number };
  /** The tables' warm throughput, and how long they throttle before they double. */
  readonly warm: { readonly links: Units; readonly activity: Units };
  readonly doublesAfterMs: number;
  /** The account's limit of concurrent executions. */
  readonly executions: number;
  /** The time of a visit without its calls, in milliseconds on the function's share of a processor. */
  readonly visitMs: number;
  readonly counting: Counting;
};

export type FloodResult = {
  readonly visits: number;
  /** Visitors who got a 503: in the first second, and later. */
  readonly unavailable: { readonly atFirst: number; readonly later: number };
  /** How long redirected visitors waited, in milliseconds: half of them, 99 of 100, and the longest. */
  readonly waited: { readonly median: number; readonly p99: number; readonly longest: number };
  /** Clicks of visitors who were redirected: recorded in the end, and lost. */
  readonly recorded: number;
  readonly lost: number;
  /** The most clicks that were in the queue at a time. */
  readonly waiting: number;
  /** How long after the last visit all clicks were counted, in seconds; undefined if the simulation ended earlier. */
  readonly countedAfter: number | undefined;
  readonly counted: number;
  /** How late counts were at the end, and at most, in seconds. */
  readonly late: { readonly atEnd: number; readonly longest: number };
  /** The most executions at a time, of all functions, and the environments of the redirect that were started. */
  readonly executions: number;
  readonly started: number;
  /** The partitions of Activity at the end, and its units a second during at most the last minute. */
  readonly partitions: number;
  readonly units: Units;
};

/** The kinds of keys, for their hashes. */
const kinds = { link: 11, domain: 12, list: 13, click: 14 } as const;

/** The number of partition keys of a link's clicks, as in `keys.ts`. */
const clickParts = 16;
/** How long a function remembers a domain, as in `remembered-domains.ts`, in milliseconds. */
const domainRememberedMs = 60_000;

/** An environment of the redirect, with what it remembers. */
type Redirect = {
  readonly links: Memory<true>;
  /** Undefined if the redirect has no queue. */
  readonly throttles: ThrottleMemory | undefined;
  hasSent: boolean;
  domainUntil: number;
  listUntil: number;
  hasList: boolean;
};

/**
 * Simulates visits of active links by people, at random times, without a running function at the start. The redirect's
 * own policies decide how often calls are tried, and what is remembered. Only throttled calls fail.
 *
 * @param random makes runs repeatable.
 * @param untilCounted how many seconds to continue after the last visit, at most, until all clicks are counted.
 */
export function simulateFlood(flood: Flood, random: Random, untilCounted = 0): FloodResult {
  const time = newAgenda(random);
  const { now, after } = time;
  const { doublesAfterMs, warm } = flood;
  let clicks: ClickStream | undefined;
  const links = onDemandTable({ warm: warm.links, doublesAfterMs }, now);
  const table = onDemandTable({ warm: warm.activity, doublesAfterMs }, now, () => clicks?.split());
  const executions = newExecutions(time, flood.executions);
  const redirects = environments(time, () => newRedirect(flood));
  clicks = clickStream({ agenda: time, random, table, executions, workspaces: flood.workspaces }, flood.counting);
  const write = (link: number) => {
    const hash = hashOf(kinds.click, link * clickParts + Math.floor(random() * clickParts));
    const isTaken = table.take('write', hash, 1);
    if (isTaken) (clicks as ClickStream).add(table.partitionOf(hash), link);
    return isTaken;
  };
  const queue = clickQueue({ agenda: time, random, executions, record: write }, flood.waiting);
  const chosen = chooser(flood.links, flood.popularity, random);
  const seen = newObserver(time);

  const visit = () => {
    const from = now();
    const link = chosen();
    if (!executions.begin()) return seen.unavailable(from);
    const taken = redirects.take();
    if (!taken) {
      executions.end();
      return seen.unavailable(from);
    }
    const { environment, isNew } = taken;
    const end = (isServed: boolean) => {
      executions.end();
      redirects.release(environment);
      if (isServed) seen.served(from);
      else seen.unavailable(from);
    };
    after((isNew ? lambda.startMs : 0) + flood.visitMs, () => {
      readFirst({ time, random, table: links, flood }, environment, link, (isKnown) => {
        if (!isKnown) return end(false);
        record({ time, random, write, queue }, environment, link, (isRecorded) => {
          seen.click(isRecorded);
          end(true);
        });
      });
    });
  };
  const perMs = flood.perSecond / 1_000;
  const end = flood.seconds * 1_000;
  const lastMinute = { from: Math.max(0, end - 60_000), read: 0, write: 0 };
  time.runUntil(end, () => {
    if (now() === lastMinute.from) Object.assign(lastMinute, { read: table.used.read, write: table.used.write });
    if (now() % 1_000 === 0) seen.look((clicks as ClickStream).late(), executions.running());
    for (let count = poisson(perMs, random); count > 0; count--) visit();
  });
  const used = { read: table.used.read, write: table.used.write };
  const counts = clicks;
  let countedAt: number | undefined;
  const look = () => {
    const isCounted = queue.waiting() === 0 && counts.counted() === seen.result().recorded;
    if (isCounted) countedAt ??= now();
  };
  for (let until = end; countedAt === undefined && until <= end + untilCounted * 1_000; until += 1_000)
    time.runUntil(until, look);
  const perSecond = (units: number) => Math.round((units * 1_000) / (end - lastMinute.from));
  return {
    ...seen.result(),
    waiting: queue.most(),
    countedAfter: countedAt === undefined ? undefined : (countedAt - end) / 1_000,
    counted: clicks.counted(),
    started: redirects.started(),
    partitions: table.partitions(),
    units: { read: perSecond(used.read - lastMinute.read), write: perSecond(used.write - lastMinute.write) },
  };
}

function newRedirect({ clicks }: Flood): Redirect {
  return {
    links: memory<true>(remembered),
    throttles: clicks === 'queue' ? throttleMemory() : undefined,
    hasSent: false,
    domainUntil: 0,
    listUntil: 0,
    hasList: false,
  };
}

type Reading = { readonly time: Agenda; readonly random: Random; readonly table: OnDemandTable; readonly flood: Flood };

/** Reads what the function does not remember: the domain and the list of blocked hosts at once, and then the link. */
function readFirst(
  { time, random, table, flood }: Reading,
  redirect: Redirect,
  link: number,
  done: (isKnown: boolean) => void,
): void {
  const { now } = time;
  const { copies, units } = flood.blockedHosts;
  const read = (hash: number, most: number, then: (isDone: boolean) => void) =>
    makeCall(time, random, { attempt: () => table.take('read', hash, most), done: then });
  const readLink = () => {
    const at = { wall: now(), steady: now() };
    if (redirect.links.get(`${link}`, at)) return done(true);
    read(hashOf(kinds.link, link), 1, (isDone) => {
      if (isDone) redirect.links.set(`${link}`, true, at);
      done(isDone);
    });
  };
  let [pending, isKnown] = [1, true];
  const arrived = (isDone: boolean) => {
    isKnown &&= isDone;
    if (--pending > 0) return;
    if (isKnown) readLink();
    else done(false);
  };
  if (redirect.domainUntil <= now()) {
    pending++;
    read(hashOf(kinds.domain, link % flood.workspaces), 1, (isDone) => {
      if (isDone) redirect.domainUntil = now() + domainRememberedMs;
      arrived(isDone);
    });
  }
  if (redirect.listUntil <= now()) {
    pending++;
    read(hashOf(kinds.list, Math.floor(random() * copies)), units, (isDone) => {
      redirect.hasList ||= isDone;
      if (redirect.hasList) redirect.listUntil = now() + listRememberedMs;
      arrived(redirect.hasList);
    });
  }
  arrived(true);
}

type Recording = {
  readonly time: Agenda;
  readonly random: Random;
  /** Records a click of a link in one of its partitions. False if the table throttles it. */
  readonly write: (link: number) => boolean;
  readonly queue: ClickQueue;
};

/** Records a click, or sends it to the queue, as `record-visit.ts` does. The queue accepts everything. */
function record(
  { time, random, write, queue }: Recording,
  redirect: Redirect,
  link: number,
  done: (isRecorded: boolean) => void,
): void {
  const { throttles } = redirect;
  const instant = () => ({ wall: time.now(), steady: time.now() });
  const send = () => {
    const ms = redirect.hasSent ? sqs.sendMs : sqs.firstSendMs;
    redirect.hasSent = true;
    time.after(ms, () => {
      queue.send(link);
      done(true);
    });
  };
  if (throttles?.isBusy(instant())) {
    send();
    return;
  }
  makeCall(time, random, {
    attempt: () => write(link),
    whenThrottled: throttles && (() => throttles.throttled(instant())),
    withinMs: recordedWithinMs,
    done: (isDone) => (isDone || !throttles ? done(isDone) : send()),
  });
}

/** Observes what visitors get, and how late counts are. */
function newObserver({ now }: Agenda) {
  const waits = new Uint32Array(30_000);
  const unavailable = { atFirst: 0, later: 0 };
  let [served, recorded, lost, late, longestLate, running] = [0, 0, 0, 0, 0, 0];
  const part = (share: number) => {
    let left = Math.ceil(served * share);
    return waits.findIndex((count) => {
      left -= count;
      return left <= 0;
    });
  };
  return {
    unavailable: (from: number) => void unavailable[from < 1_000 ? 'atFirst' : 'later']++,
    served: (from: number) => {
      served++;
      const wait = Math.min(now() - from, waits.length - 1);
      waits[wait] = (waits[wait] ?? 0) + 1;
    },
    click: (isRecorded: boolean) => {
      if (isRecorded) recorded++;
      else lost++;
    },
    look: (ms: number, executions: number) => {
      late = ms / 1_000;
      longestLate = Math.max(longestLate, late);
      running = Math.max(running, executions);
    },
    result: () => ({
      visits: served + unavailable.atFirst + unavailable.later,
      unavailable,
      waited: { median: part(0.5), p99: part(0.99), longest: part(1) },
      recorded,
      lost,
      late: { atEnd: late, longest: longestLate },
      executions: running,
    }),
  };
}
