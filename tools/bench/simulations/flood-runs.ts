import durations from '../../cost/durations.json' with { type: 'json' };
import type { Flood, FloodResult } from './flood.ts';
import { dynamoDb, lambda } from './limits.ts';

const { laterVisits, waitMs } = durations;

/**
 * 10,000 visits a second of 1,000,000 links, without a running function at the start. The list of blocked hosts is
 * full. The rates of the gateway are raised: `stageThrottle` of the stage, and the account's.
 */
const tenThousand = {
  perSecond: 10_000,
  seconds: 21 * 60,
  links: 1_000_000,
  workspaces: 10,
  popularity: 'uniform',
  doublesAfterMs: dynamoDb.doublesWithinMs,
  // For a visit of a link without a cap, in a warm function, as `npx node tools/bench/memory.ts --keep` measured it.
  visitMs: Math.round(laterVisits.plain.ms - laterVisits.plain.waits * waitMs),
  // As in `lib/events-stack.ts`, `lib/clicks/waiting-clicks.ts` and `lambdas/events/record-waiting-clicks.ts`.
  waiting: { readers: 5, batch: 1_000, hiddenMs: 155_000, concurrency: 25, clickMs: 1 },
  counting: {
    // As in `lib/events-stack.ts` and `lambdas/events/count-clicks.ts`.
    batch: 1_000,
    windowMs: 1_000,
    concurrency: 25,
    triesMs: 5_000,
    // Assumptions: a start, and 1,000 counters a second.
    batchMs: 30,
    itemMs: 1,
    // As docs/cost.md says.
    units: { counter: 1, row: 0.05 },
  },
} as const satisfies Partial<Flood>;

/** The current design: throttled clicks go to the queue, and the list of blocked hosts has 16 copies. */
const asItIs = { clicks: 'queue', blockedHosts: { copies: 16, units: 26 } } as const satisfies Partial<Flood>;
/** The former design. */
const asItWas = { clicks: 'five attempts', blockedHosts: { copies: 1, units: 49 } } as const satisfies Partial<Flood>;

const { newTable, tableQuota } = dynamoDb;
/** A stage that was deployed a moment ago, in an account with the quotas of AWS. */
const fresh = {
  warm: { links: newTable, activity: newTable },
  executions: lambda.executions,
} as const satisfies Partial<Flood>;
/** A stage that is prepared as docs/deploy.md says. */
const prepared = {
  warm: {
    links: { read: tableQuota.read, write: newTable.write },
    activity: { read: 20_000, write: tableQuota.write },
  },
  executions: 2 * lambda.executions,
} as const satisfies Partial<Flood>;

/** The simulations, named by their differences. */
export const floodRuns = {
  'new tables, as it was': { ...tenThousand, ...asItWas, ...fresh },
  'new tables': { ...tenThousand, ...asItIs, ...fresh },
  '… no host blocked': { ...tenThousand, ...asItIs, ...fresh, blockedHosts: { ...asItIs.blockedHosts, units: 1 } },
  '… that double after 5 minutes': { ...tenThousand, ...asItIs, ...fresh, doublesAfterMs: 5 * 60_000 },
  '… Links prepared': { ...tenThousand, ...asItIs, ...prepared, warm: { ...fresh.warm, links: prepared.warm.links } },
  'prepared, as it was': { ...tenThousand, ...asItWas, ...prepared },
  prepared: { ...tenThousand, ...asItIs, ...prepared },
  '… by Zipf': { ...tenThousand, ...asItIs, ...prepared, popularity: 'Zipf' },
  '… one workspace': { ...tenThousand, ...asItIs, ...prepared, workspaces: 1 },
  '… 1,000 executions': { ...tenThousand, ...asItIs, ...prepared, executions: lambda.executions },
  // The stage's default limit.
  'new tables, 1,000 a second': { ...tenThousand, ...asItIs, ...fresh, perSecond: 1_000 },
} as const satisfies Readonly<Record<string, Flood>>;

/**
 * How a stage fails in a flood. It passes if no visitor gets a 503 after the first second, 99 of 100 wait less than 300
 * ms, no click is lost, and counts are less than a minute late in the end.
 */
export function failuresOf({ unavailable, waited, lost, late }: FloodResult): string[] {
  return [
    ...(unavailable.later > 0 ? ['503'] : []),
    ...(waited.p99 >= 300 ? ['waits'] : []),
    ...(lost > 0 ? ['lost clicks'] : []),
    ...(late.atEnd >= 60 ? ['late counts'] : []),
  ];
}
