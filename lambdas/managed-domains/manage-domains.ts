import type { Context } from 'aws-lambda';
import { isDue } from '../core/domain/certificate.ts';
import { switchRule } from '../outbound/schedules.ts';
import { timeLeft, withDeadline, withinInvocation } from '../runtime/deadline.ts';
import { reportingDenials } from '../runtime/denials.ts';
import { inParallel } from '../runtime/in-parallel.ts';
import { setting } from '../runtime/settings.ts';
import { allCertificates, endSchedule, ensureScheduled, keepScheduled, pendingHosts } from '../store/domains/certificates.ts';
import { tableTime } from '../store/table/clock.ts';
import { compare, type Differences } from './compare.ts';
import { manage } from './manage.ts';
import { countNames, isManaged } from './next-step.ts';

/**
 * Why the function is invoked: without a field by the schedule for pending domains; `isHourly` by the hourly schedule;
 * `host` by somebody who verifies a domain; the others by the operator's command.
 */
export type ManageEvent = {
  readonly isHourly?: boolean;
  readonly host?: string;
  readonly compare?: { readonly after?: string | undefined };
  /** Hosts to work on, whether or not the table knows them. */
  readonly repair?: readonly string[];
};

/** How many hosts are worked on at a time. AWS allows few calls a second. */
const concurrency = 3;

/** How much time must be left to begin a host, in milliseconds. */
const hostMs = 20_000;

/** How long somebody who verifies a domain may wait, in milliseconds. */
const askedMs = 22_000;

const enable = () => switchRule(setting('CERTIFICATE_SCHEDULE'), true);
const disable = () => switchRule(setting('CERTIFICATE_SCHEDULE'), false);

/**
 * Makes a certificate and a custom domain name for each proven domain that no custom domain of the stage covers, and
 * removes those of deleted domains.
 *
 * @returns the differences, for an event with `compare`.
 */
export const handler = (event: ManageEvent, context: Context): Promise<Differences | undefined> =>
  withinInvocation(context, async () => {
    if (event.compare) return compare(event.compare.after);
    if (event.host !== undefined) {
      const { host } = event;
      const isPending = await withDeadline(Math.min(askedMs, timeLeft()), () => manage(host, { isAsked: true }));
      if (isPending) await ensureScheduled({ enable });
      return undefined;
    }
    if (event.repair || event.isHourly) {
      await (event.repair ? manageAll(event.repair, true) : lookAround());
      await keepScheduled({ enable });
      return undefined;
    }
    const isAny = await manageAll(await pendingHosts());
    // A run may have died after it switched the schedule on, but before it stored that in the item.
    await (isAny ? ensureScheduled({ enable }) : endSchedule({ enable, disable }));
    return undefined;
  });

/** Works on hosts, from a random start, so that truncated runs eventually cover all. @returns whether there were any */
async function manageAll(hosts: readonly string[], isRepair = false): Promise<boolean> {
  const from = Math.floor(Math.random() * hosts.length);
  await inParallel([...hosts.slice(from), ...hosts.slice(0, from)], concurrency, async (host) => {
    if (timeLeft() > hostMs) await manage(host, { isRepair });
  });
  return hosts.length > 0;
}

/** Checks all domains and certificates for work that was missed or is due. */
async function lookAround(): Promise<void> {
  const due: string[] = [];
  let isAny = false;
  for await (const { host, domain, certificate, isCut } of allCertificates()) {
    isAny ||= certificate !== undefined;
    const isNew = domain !== undefined && certificate === undefined && isManaged(domain);
    const isOld = certificate !== undefined && domain?.domainId !== certificate.domainId;
    if (isNew || isOld || isCut || (certificate && (certificate.isUntidy || isDue(certificate, tableTime())))) due.push(host);
  }
  await manageAll(due);
  if (isAny && timeLeft() > 0) await warnOfFewNames();
}

/** Counts the account's names. If AWS does not answer, the next run counts them. */
async function warnOfFewNames(): Promise<void> {
  try {
    await reportingDenials(countNames);
  } catch (error) {
    console.warn({ message: 'the custom domain names were not counted', name: (error as Error).name });
  }
}
