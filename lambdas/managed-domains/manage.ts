import { alarming } from '../core/alarms.ts';
import { type Certificate, mayAsk, newCertificate, pauseAfter } from '../core/domain/certificate.ts';
import type { Domain } from '../core/domain/domain.ts';
import { timeLeft } from '../runtime/deadline.ts';
import { reportingDenials } from '../runtime/denials.ts';
import {
  type Held,
  releaseCertificate,
  removeCertificate,
  saveCertificate,
  takeCertificate,
} from '../store/domains/certificates.ts';
import { getDomain } from '../store/domains/domains.ts';
import { tableTime } from '../store/table/clock.ts';
import { ConditionFailed } from '../store/table/expressions.ts';
import { isManaged, nextStep, refusalOf, type Step } from './next-step.ts';

/** The time that a step may take, in milliseconds: its calls to AWS, and its writes. */
const stepMs = 12_000;

/** More steps than this mean a loop. */
const mostSteps = 25;

/** The least time between two checks on request, in milliseconds. */
const betweenLooks = 5_000;

/**
 * Why a host is worked on.
 *
 * @property isAsked somebody waits for it
 * @property isRepair AWS has something of ours that the table does not know
 */
type Asked = { readonly isAsked?: boolean; readonly isRepair?: boolean };

/** The first state of a host without an item; undefined if nothing is to be made or removed. */
function beginning(host: string, domain: Domain | undefined, isRepair: boolean): Certificate | undefined {
  if (domain && isManaged(domain)) return newCertificate(host, domain.domainId, domain.workspaceId, tableTime());
  // Without a domain, so that everything that was made for the name is removed.
  return isRepair ? newCertificate(host, '', '', tableTime()) : undefined;
}

/**
 * Advances a host's certificate and name as many steps as possible, unless another run holds the lease.
 *
 * @returns whether something may happen soon.
 */
export async function manage(host: string, { isAsked = false, isRepair = false }: Asked = {}): Promise<boolean> {
  const domain = await getDomain(host);
  const begin = beginning(host, domain, isRepair);
  const held = await takeCertificate(host, begin);
  // Another run holds the lease and continues. Or there is no item, and nothing to do.
  if (!held) return begin !== undefined;
  try {
    return await work(isRepair ? { ...held, certificate: { ...held.certificate, isUntidy: true } } : held, isAsked);
  } catch (error) {
    // This took too long, and another run has taken over the lease.
    if (error instanceof ConditionFailed) return true;
    throw error;
  }
}

async function work(taken: Held, isAsked: boolean): Promise<boolean> {
  const { checkedAt } = taken.certificate;
  const age = tableTime() - checkedAt;
  const isFresh = isAsked && age >= 0 && age < betweenLooks;
  if (isFresh || !mayAsk(taken.certificate, tableTime())) return releaseCertificate(taken, {});
  let held = taken;
  for (let steps = 0; steps < mostSteps && timeLeft() > stepMs; steps++) {
    const { certificate } = held;
    const step = await attempt(certificate, await getDomain(certificate.host), isAsked);
    if (step.kind === 'gone') {
      await removeCertificate(held);
      return false;
    }
    if (step.kind === 'rest') return releaseCertificate(held, rested(certificate, step.changes));
    held = await saveCertificate(held, step.changes);
  }
  return releaseCertificate(held, {});
}

/** Does the next step. If AWS refuses, the certificate waits, longer each time. */
async function attempt(certificate: Certificate, domain: Domain | undefined, isAsked: boolean): Promise<Step> {
  try {
    return await reportingDenials(() => nextStep(certificate, domain, isAsked));
  } catch (error) {
    const { name, message } = error as Error;
    console.warn({ message: 'a step for a domain was refused', domain: certificate.host, name, reason: message });
    const refusals = certificate.refusals + 1;
    const notBefore = Math.round(tableTime() + pauseAfter(refusals, Math.random()));
    return { kind: 'rest', changes: { status: 'WAITING', detail: refusalOf(error as Error), refusals, notBefore } };
  }
}

/** The changes with which a certificate rests. If somebody must act, the log line raises an alarm. */
function rested(certificate: Certificate, changes: Partial<Certificate>): Partial<Certificate> {
  const { status = certificate.status, detail } = changes;
  const now = tableTime();
  if (status === 'FAILED' || status === 'EXPIRING') {
    const { host, workspaceId } = certificate;
    console.warn({ message: alarming.certificateFails, domain: host, workspaceId, status, detail });
  }
  return {
    refusals: 0,
    notBefore: 0,
    ...changes,
    checkedAt: now,
    ...(status !== certificate.status && { since: now }),
  };
}
