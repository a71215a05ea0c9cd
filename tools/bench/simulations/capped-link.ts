import { RequestError } from '../../../lambdas/core/errors.ts';
import type { LinkSettings } from '../../../lambdas/core/link/link.ts';
import { setDisabled } from '../../../lambdas/operator/disabled-links.ts';
import { handler as redirect } from '../../../lambdas/redirect/redirect.ts';
import { withDeadline } from '../../../lambdas/runtime/deadline.ts';
import { updateLink } from '../../../lambdas/store/links/changes.ts';
import { getLink } from '../../../lambdas/store/links/links.ts';
import { invocation, newDefaultLink, newWorkspace, putLink, visitEvent } from '../support/fixtures.ts';
import { simulateTable, type Used } from './table.ts';
import { inSimulatedTime } from './time.ts';

/** Visits of one link with a cap, in a simulation. */
export type CappedLink = {
  readonly maxClicks: number;
  /** Visits per second at random times, or all of them in the same millisecond. */
  readonly arrive: { readonly perSecond: number; readonly seconds: number } | { readonly burst: number };
  /** How many visits come before the simulation starts. */
  readonly usedBefore?: number;
  /** Settings of the link, such as those that make it large. */
  readonly settings?: Partial<LinkSettings>;
  /** The burst capacity of each partition, in milliseconds of its rate; the default is a second. */
  readonly burstMs?: number;
};

export type CappedLinkResult = {
  /** The number of visits by status. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Visitors who were redirected in the last second of the simulation. */
  readonly inLastSecond: number;
  /** How long visitors waited, in milliseconds: half of them, 99 of 100, and the longest of all. */
  readonly waited: { readonly median: number; readonly p99: number; readonly longest: number };
  /** The most concurrent visits. Each needs a function. */
  readonly functions: number;
  /** The owner's longest wait for a change of the link, and how many changes failed. They come one after another. */
  readonly owner: { readonly longest: number; readonly failed: number };
  /** The same for the operator, who enables the link: the same write as disabling it, but visits continue. */
  readonly operator: { readonly longest: number; readonly failed: number };
  /** The calls and units of visits, owner and operator together. */
  readonly used: Used;
};

/**
 * Simulates visits of one link with a cap, while its owner and the operator change it. The functions' own code runs on
 * the engine, with the latency and the limits of DynamoDB. They share one memory, so only the first visits have to read
 * the domain, the blocked hosts and the cap.
 */
export async function simulateCappedLink(capped: CappedLink): Promise<CappedLinkResult> {
  const { maxClicks, arrive, usedBefore = 0, settings, burstMs } = capped;
  const { host, domain, workspaceId } = await newWorkspace();
  const link = newDefaultLink(domain, { url: 'https://example.org/', ...settings, maxClicks });
  await putLink(link);
  const open = async () => (await redirect(visitEvent(host, `/${link.shortCode}`), invocation)).statusCode ?? 0;
  // From now on, the function remembers the domain.
  await redirect(visitEvent(host, '/unknown'), invocation);
  for (let visit = 0; visit < usedBefore; visit++) await open();

  return inSimulatedTime(async (time) => {
    const { used, stop } = simulateTable(time, burstMs);
    const start = time.now();
    const statuses: Record<number, number> = {};
    const ms = 'burst' in arrive ? 1_000 : arrive.seconds * 1_000;
    let inLastSecond = 0;
    const waits: number[] = [];
    let [running, functions] = [0, 0];
    const visit = async () => {
      const from = time.now();
      functions = Math.max(functions, ++running);
      const status = await open();
      running--;
      waits.push(time.now() - from);
      statuses[status] = (statuses[status] ?? 0) + 1;
      const left = start + ms - time.now();
      if (status === 302 && left >= 0 && left <= 1_000) inLastSecond++;
    };
    const visitors = async () => {
      const visits: Promise<void>[] = [];
      if ('burst' in arrive) for (let count = 0; count < arrive.burst; count++) visits.push(visit());
      else {
        for (;;) {
          await time.wait((-Math.log(1 - Math.random()) * 1_000) / arrive.perSecond);
          if (time.now() >= start + ms) break;
          visits.push(visit());
        }
      }
      await Promise.all(visits);
    };
    const [owner, operator] = [observer(time.now), observer(time.now)];
    /** Repeats work as long as visitors arrive. */
    const again = async (work: () => Promise<unknown>) => {
      while (time.now() < start + ms) {
        await work();
        await time.wait(200);
      }
    };
    const change = async () => {
      const found = await getLink(workspaceId, link.id);
      if (found) await updateLink(found, { expiresAt: new Date(time.now() + 60_000).toISOString(), maxClicks });
    };
    const silent = silence();
    try {
      await Promise.all([
        visitors(),
        again(() => owner.observe(change)),
        again(() => operator.observe(() => setDisabled(link, false))),
      ]);
    } finally {
      silent.end();
      stop();
    }
    waits.sort((a, b) => a - b);
    const part = (share: number) => Math.round(waits[Math.ceil(waits.length * share) - 1] ?? 0);
    return {
      statuses,
      inLastSecond,
      waited: { median: part(0.5), p99: part(0.99), longest: part(1) },
      functions,
      owner: owner.result(),
      operator: operator.result(),
      used,
    };
  });
}

/** Observes how long works take, and how many fail because the table is unavailable. */
function observer(now: () => number) {
  let [longest, failed] = [0, 0];
  return {
    observe: async (work: () => Promise<unknown>) => {
      const from = now();
      await withDeadline(20_000, work).catch((error) => {
        if (!(error instanceof RequestError)) throw error;
        failed++;
      });
      longest = Math.max(longest, Math.round(now() - from));
    },
    result: () => ({ longest, failed }),
  };
}

/** Keeps the functions' log lines about refused calls out of the output. */
function silence() {
  const { warn, error } = console;
  Object.assign(console, { warn: () => {}, error: () => {} });
  return { end: () => Object.assign(console, { warn, error }) };
}
