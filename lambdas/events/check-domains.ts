import type { Context } from 'aws-lambda';
import type { CheckFailure, Domain } from '../domain/domain.ts';
import { lookUpOwnership, lookUpTarget } from '../outbound/dns.ts';
import { timeLeft, withinInvocation } from '../runtime/deadline.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { setting } from '../runtime/settings.ts';
import { currentRound, nextDomains, type Round, saveRound } from '../store/domain-checks.ts';

/** How many domains are looked up at once. */
const inFlight = 20;

/** What is kept back of an invocation's time, in milliseconds: look-ups that were begun last 5 s at most, then the position is saved. */
const lookUpMs = 6_000;

/** What a run has done. */
type Run = { checked: number; failed: number };

/**
 * Runs by a schedule, each hour: looks once a day whether each domain still is its workspace's and leads here, and says where that is not so.
 * It changes nothing, since a DNS that is out of order for an hour must not cost anybody their links.
 *
 * What a run has no time for is done by the next, from where the last one was saved: every domain gets its turn, however many there are,
 * however slow the DNS of some is, and whoever dies in between.
 */
export const handler = (_event: unknown, context: Context): Promise<Run> =>
  withinInvocation(context, async () => {
    const run: Run = { checked: 0, failed: 0 };
    let round = await currentRound();
    while (round) round = await checkPage(round, run);
    return run;
  });

/** Checks the next domains of a round and saves its position. Undefined if this run is to end: all are done, or its time is up. */
async function checkPage(round: Round, run: Run): Promise<Round | undefined> {
  const { hosts, domains, isLast } = await nextDomains(round);
  let begun = 0;
  await inParallel(domains, inFlight, async (domain) => {
    if (timeLeft() < lookUpMs) return;
    begun++;
    if (domain) await check(domain, run);
  });
  const isCut = begun < hosts.length;
  if (isCut) {
    console.warn({
      message: 'not every domain was checked in time: the next run goes on',
      checked: run.checked,
      since: round.startedAt,
    });
    if (begun === 0) return undefined;
  }
  const isDone = isLast && !isCut;
  const saved = await saveRound(round, hosts[begun - 1] ?? round.after, isDone);
  return isDone || isCut ? undefined : saved;
}

async function check(domain: Domain, run: Run): Promise<void> {
  const failures = (await checksOf(domain)).filter((failure) => failure !== undefined);
  run.checked++;
  if (failures.length > 0) run.failed++;
  for (const { code, message: detail } of failures) {
    console.warn({ message: 'a domain fails its check', domain: domain.host, workspaceId: domain.workspaceId, code, detail });
  }
}

/** Where the operator's word was the proof there is nothing in the DNS to hold a domain to, nor where it is what makes one serve. */
const checksOf = async ({ host, token, status }: Domain): Promise<CheckFailure[]> =>
  token === null
    ? []
    : Promise.all([
        lookUpOwnership(host, token),
        status === 'ACTIVE' && setting('DOMAIN_ACTIVATION') === 'dns' ? lookUpTarget(host, setting('DOMAIN_TARGET')) : undefined,
      ]);
