import type { Context } from 'aws-lambda';
import { alarming } from '../core/alarms.ts';
import type { Certificate } from '../core/domain/certificate.ts';
import type { Check, CheckFailure, Domain } from '../core/domain/domain.ts';
import { checkServed } from '../core/domain/served-names.ts';
import { lookUpOwnership, lookUpTarget } from '../outbound/dns.ts';
import { timeLeft, withinInvocation } from '../runtime/deadline.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { optionalSetting, servedNames, setting } from '../runtime/settings.ts';
import { certificatesOf } from '../store/domains/certificates.ts';
import { currentRound, nextDomains, saveRound } from '../store/domains/checks.ts';
import { recordCheck } from '../store/domains/last-checks.ts';
import type { Round } from '../store/schedules/rounds.ts';

/** How many domains are checked at a time. */
const concurrency = 20;

/**
 * The time reserved at the end of a run, in milliseconds: running lookups take up to 5 s, then the position is saved.
 */
const lookUpMs = 6_000;

/** The counts of a run. */
type Run = { checked: number; failed: number };

/**
 * Runs every hour, and checks each domain once a day: does it still have its TXT record? If it is active, does it still
 * point here, and does a custom domain of the stage cover it? Failures are only logged and shown, because a DNS outage
 * of an hour must not cost anybody their links.
 *
 * A run that runs out of time saves its position, and the next one continues there. So every domain is
 * checked, however many there are, however slow their DNS is, and even if a run dies.
 */
export const handler = (_event: unknown, context: Context): Promise<Run> =>
  withinInvocation(context, async () => {
    const run: Run = { checked: 0, failed: 0 };
    let round = await currentRound();
    while (round) round = await checkPage(round, run);
    return run;
  });

/**
 * Checks the next domains of a round and saves the position. Returns undefined if the run should end: all are done,
 * time is up, or another run is ahead.
 */
async function checkPage(round: Round, run: Run): Promise<Round | undefined> {
  const { hosts, domains, isLast } = await nextDomains(round);
  const certificates = optionalSetting('MANAGED_DOMAINS') === undefined ? [] : await certificatesFor(domains);
  let begun = 0;
  await inParallel([...domains.entries()], concurrency, async ([index, domain]) => {
    if (timeLeft() < lookUpMs) return;
    begun++;
    if (domain) await check(domain, certificates[index], run);
  });
  const isCut = begun < hosts.length;
  if (isCut) {
    console.warn({
      message: 'not every domain was checked in time: the next run continues',
      checked: run.checked,
      since: round.startedAt,
    });
    if (begun === 0) return undefined;
  }
  const isDone = isLast && !isCut;
  const saved = await saveRound(round, hosts[begun - 1] ?? round.after, isDone);
  return isDone || isCut ? undefined : saved;
}

/** The certificates of the domains that still exist, in the order of `domains`. */
async function certificatesFor(domains: readonly (Domain | undefined)[]): Promise<(Certificate | undefined)[]> {
  const found = await certificatesOf(domains.filter((domain) => domain !== undefined));
  return domains.map((domain) => found.find((one) => domain !== undefined && one?.host === domain.host));
}

async function check(domain: Domain, certificate: Certificate | undefined, run: Run): Promise<void> {
  const { checks, served } = await checksOf(domain, certificate);
  const failures = [served, ...checks.map(({ failure }) => failure)].filter((failure) => failure !== undefined);
  run.checked++;
  if (failures.length > 0) run.failed++;
  for (const { code, message: detail } of failures) {
    console.warn({ message: alarming.domainFails, domain: domain.host, workspaceId: domain.workspaceId, code, detail });
  }
  // The check that failed, or else the last one: where the domain points.
  const shown = checks.find(({ failure }) => failure) ?? checks.at(-1);
  if (shown) await record(domain, shown);
}

/** Records what a check saw. If that fails, the next day's check is shown instead. */
async function record(domain: Domain, shown: Check): Promise<void> {
  try {
    await recordCheck(domain.workspaceId, domain, shown);
  } catch (error) {
    console.warn({ message: 'a check of a domain was not recorded', domain: domain.host, name: (error as Error).name });
  }
}

/**
 * The checks of a domain, and whether it is covered. An active domain must be covered by a custom domain of the stage,
 * or by one that the service has made for it. If the operator vouched for a domain, its TXT record isn't looked up.
 * Where a domain points is looked up only if that activates domains, or once it has pointed at the name that the
 * service made for it.
 */
async function checksOf(
  { host, token, status }: Domain,
  certificate: Certificate | undefined,
): Promise<{ checks: readonly Check[]; served: CheckFailure }> {
  const isServing = status === 'ACTIVE';
  const ownTarget = certificate?.target ?? undefined;
  const isPointed =
    ownTarget === undefined ? token !== null && setting('DOMAIN_ACTIVATION') === 'dns' : certificate?.wasReached === true;
  const checks = await Promise.all([
    ...(token === null ? [] : [lookUpOwnership(host, token)]),
    ...(isServing && isPointed ? [lookUpTarget(host, ownTarget ?? setting('DOMAIN_TARGET'))] : []),
  ]);
  return { checks, served: isServing && ownTarget === undefined ? checkServed(host, servedNames()) : undefined };
}
