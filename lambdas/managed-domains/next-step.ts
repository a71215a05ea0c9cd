import type { CertificateDetail } from '@aws-sdk/client-acm';
import { alarming } from '../core/alarms.ts';
import {
  betweenRequests,
  type Certificate,
  denial,
  expiringMs,
  gatewayNames,
  longestCertifiedName,
  newCertificate,
} from '../core/domain/certificate.ts';
import type { Domain } from '../core/domain/domain.ts';
import { isServed } from '../core/domain/served-names.ts';
import { newCertificateAttempt } from '../core/ids.ts';
import { managedDomainsPerWorkspace } from '../core/limits.ts';
import { capitalised } from '../core/text.ts';
import {
  deleteCertificate,
  describeCertificate,
  type OwnCertificate,
  ownCertificatesFor,
  requestCertificate,
} from '../outbound/certificates.ts';
import { lookUpTarget } from '../outbound/dns.ts';
import {
  allGatewayNames,
  changeCertificate,
  deleteGatewayName,
  deleteMapping,
  type GatewayName,
  getGatewayName,
  makeGatewayName,
  mappingsOf,
  mapToRedirect,
} from '../outbound/domain-names.ts';
import { accessDenied } from '../runtime/denials.ts';
import { servedNames } from '../runtime/settings.ts';
import { givePlaceBack, takePlace, takeRequest } from '../store/domains/certificate-limits.ts';
import { activate } from '../store/domains/domains.ts';
import { recordCheck } from '../store/domains/last-checks.ts';
import { tableTime } from '../store/table/clock.ts';

/**
 * The result of a step: `go` if another step follows; `rest` if nothing more can be done at the moment; `gone` if
 * nothing is left of the host.
 */
export type Step =
  | { readonly kind: 'go'; readonly changes: Partial<Certificate> }
  | { readonly kind: 'rest'; readonly changes: Pick<Certificate, 'status' | 'detail'> & Partial<Certificate> }
  | { readonly kind: 'gone' };

const go = (changes: Partial<Certificate> = {}): Step => ({ kind: 'go', changes });
const rest = (status: Certificate['status'], detail: string | null = null, changes: Partial<Certificate> = {}): Step => ({
  kind: 'rest',
  changes: { ...changes, status, detail },
});

/** AWS cannot do a step at the moment. The message says why, for the domain's owner. */
class Refused extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'Refused';
  }
}

/**
 * Whether the service makes a certificate for a domain: unless a custom domain of the stage covers it. If a covered
 * domain already has a name of its own, it keeps that, because visitors may be sent to it.
 */
export const isManaged = ({ host }: Domain): boolean => !isServed(host, servedNames());

/**
 * Does the next step for a host, from the current state of the domain and AWS. It doesn't rely on earlier runs, which
 * may have died halfway.
 *
 * @param domain the current domain of that name; undefined if there is none.
 * @param isAsked whether somebody has asked for it, and so may have fixed the cause of a failure.
 */
export async function nextStep(certificate: Certificate, domain: Domain | undefined, isAsked: boolean): Promise<Step> {
  if (domain?.domainId !== certificate.domainId) return remove(certificate, domain);
  if (certificate.host.length > longestCertifiedName) {
    const detail = `AWS makes certificates only for names of up to ${longestCertifiedName} characters; the operator must add a custom domain that covers this one`;
    return rest('FAILED', sentence(detail));
  }
  if (certificate.attempt === null) return (await isToBegin(domain)) ? begin(certificate) : remove(certificate, domain);
  if (certificate.certificateArn === null) return request(certificate, certificate.attempt);
  const seen = await describeCertificate(certificate.certificateArn);
  const validation = recordIn(seen) ?? certificate.validation;
  switch (seen?.Status) {
    case undefined:
      if (mayAppear(certificate)) return rest('REQUESTED');
      return another(certificate, true, 'the certificate is gone from the AWS account');
    case 'PENDING_VALIDATION':
      return rest(validation ? 'PENDING_VALIDATION' : 'REQUESTED', null, { validation });
    case 'ISSUED':
      return serve({ ...certificate, validation }, domain, certificate.certificateArn, seen);
    case 'FAILED':
      return another(certificate, isAsked, `AWS did not issue the certificate (${seen.FailureReason ?? 'without a reason'})`);
    case 'VALIDATION_TIMED_OUT':
      return another(certificate, isAsked, 'the CNAME record of the certificate was not set within 72 hours');
    default:
      return another(certificate, true, `the certificate is no longer valid (${seen?.Status})`);
  }
}

/** Whether a domain needs a certificate: also if it is covered by now, but has a name to which visitors may be sent. */
const isToBegin = async (domain: Domain): Promise<boolean> =>
  isManaged(domain) || (await getGatewayName(domain.host))?.made?.domainId === domain.domainId;

/** Decides to request a certificate. @throws Refused if the workspace has reached a limit */
async function begin({ host, workspaceId, attempts }: Certificate): Promise<Step> {
  if (!(await takePlace(workspaceId, host))) {
    const most = managedDomainsPerWorkspace;
    throw new Refused(
      `The workspace has ${most} domains with certificates of their own, and may have no more; delete one first.`,
    );
  }
  const attempt = newCertificateAttempt();
  const { passed, resetSeconds, limit } = await takeRequest(workspaceId, attempt);
  if (!passed) {
    const next = new Date(tableTime() + resetSeconds * 1_000).toISOString().slice(0, 10);
    const days = limit.windowSeconds / 86_400;
    throw new Refused(
      `The workspace has requested ${limit.quota} certificates in ${days} days, and may request the next one on ${next}.`,
    );
  }
  return go({ attempt, attempts: attempts + 1, requestedAt: tableTime(), certificateArn: null });
}

/** How long after a request ACM may not know the certificate yet, in milliseconds. */
const appearsWithinMs = 10 * 60_000;
const mayAppear = ({ requestedAt }: Certificate) => Math.abs(tableTime() - requestedAt) < appearsWithinMs;

const sentence = (text: string) => `${capitalised(text)}.`;

const recordIn = (seen: CertificateDetail | undefined): Certificate['validation'] => {
  const { Name, Value } = seen?.DomainValidationOptions?.[0]?.ResourceRecord ?? {};
  // ACM ends both names with a dot.
  return Name && Value ? { type: 'CNAME', name: Name.replace(/\.$/, ''), value: Value.replace(/\.$/, '') } : null;
};

/**
 * Finds the certificate that an earlier run has requested, or requests it, and deletes those of other attempts. A
 * request with the same token returns the same certificate for an hour; the list has it after a few seconds.
 */
async function request({ host, domainId }: Certificate, attempt: string): Promise<Step> {
  const own = await ownCertificatesFor(host);
  const found = own.find(({ made }) => made.attempt === attempt);
  const isUntidy = !(await deleteAll(own.filter((one) => one !== found)));
  return go({ certificateArn: found?.arn ?? (await requestCertificate(host, { domainId, attempt })), isUntidy });
}

/** Deletes certificates. @returns false if something still uses one of them */
async function deleteAll(own: readonly OwnCertificate[]): Promise<boolean> {
  let isDone = true;
  for (const { arn } of own) if (!(await deleteCertificate(arn))) isDone = false;
  return isDone;
}

/** Begins to request another certificate, if that is allowed now. */
function another({ requestedAt, attempts }: Certificate, isAllowed: boolean, because: string): Step {
  const waited = tableTime() - requestedAt;
  if (isAllowed && waited >= betweenRequests(attempts)) return go({ attempt: null, certificateArn: null });
  const next = isAllowed ? 'the next one can be requested later' : 'correct that, and verify the domain again';
  return rest('FAILED', sentence(`${because}; ${next}`));
}

/** The steps once the certificate is issued: the name, its mapping, and the check of the DNS. */
async function serve(certificate: Certificate, domain: Domain, certificateArn: string, seen: CertificateDetail): Promise<Step> {
  const { host, domainId, validation } = certificate;
  const name = await getGatewayName(host);
  if (!name) return make(certificate, certificateArn);
  if (!name.made) {
    return rest('FAILED', sentence('the AWS account has a custom domain name for it that the service did not make'), {
      validation,
      target: null,
    });
  }
  if (name.made.domainId !== domainId) return removeName(name);
  if (!name.isAvailable || name.target === undefined) return rest('ISSUED', null, { validation });
  if (name.certificateArn !== certificateArn) {
    await changeCertificate(host, certificateArn);
    return rest('ISSUED', null, { validation });
  }
  const mappings = await mappingsOf(host);
  if (mappings.some(({ isRedirect }) => !isRedirect)) {
    const detail = sentence('another API is mapped to the custom domain name; the operator must remove that');
    return rest('FAILED', detail, { validation, target: null });
  }
  if (mappings.length === 0) {
    await mapToRedirect(host);
    return go({ validation });
  }
  if (certificate.isUntidy) {
    const others = (await ownCertificatesFor(host)).filter(({ arn }) => arn !== certificateArn);
    // If one is still in use, the hourly run deletes it later.
    if (await deleteAll(others)) return go({ validation, isUntidy: false });
  }
  return lookForTraffic(certificate, domain, name.target, seen);
}

/** Makes the custom domain name. @throws Refused if AWS does not allow it at the moment */
async function make({ host, domainId, validation, refusals }: Certificate, certificateArn: string): Promise<Step> {
  try {
    if (await makeGatewayName(host, certificateArn, { domainId })) {
      await countNames();
      return go({ validation, target: null });
    }
  } catch (error) {
    if ((error as Error).name !== 'TooManyRequestsException') throw error;
    const names = await countNames();
    throw new Refused(
      names >= gatewayNames.quota
        ? `The AWS account has ${names} custom domain names, and may allow no more; the operator can ask AWS for more.`
        : 'AWS allows a new custom domain name only every 30 seconds; the service will retry.',
    );
  }
  const detail = sentence('another AWS account has a custom domain name for it in this region');
  // Or the name was just made or deleted, and not all of AWS sees that yet.
  if (refusals < conflictsInARow) throw new Refused(detail);
  return rest('FAILED', detail, { validation, target: null, refusals });
}
const conflictsInARow = 3;

/** Counts the custom domain names of the account, and warns the operator while there is still time to act. */
export async function countNames(): Promise<number> {
  const names = (await allGatewayNames()).length;
  if (names >= gatewayNames.warnFrom) console.warn({ message: alarming.fewDomainNamesLeft, names, quota: gatewayNames.quota });
  return names;
}

/**
 * Activates the domain, and checks whether the DNS sends visitors to the name. The domain is activated before its owner
 * sees the target, so that a domain in use moves without a gap. If it was deactivated since, it is activated only once
 * the DNS points there again.
 */
async function lookForTraffic(
  { host, validation, isUntidy, wasReached }: Certificate,
  domain: Domain,
  target: string,
  { NotAfter, RenewalSummary }: CertificateDetail,
): Promise<Step> {
  const check = await lookUpTarget(host, target);
  const found = { validation, target, isUntidy, wasReached: wasReached || !check.failure };
  await recordCheck(domain.workspaceId, domain, check);
  // Its owner has begun to delete it.
  if (domain.deletion) return rest('PENDING_TRAFFIC', sentence('the domain is being deleted'), found);
  if (domain.status === 'PENDING_DNS' && !(wasReached && check.failure)) await activate(domain);
  if (check.failure) return rest('PENDING_TRAFFIC', sentence(check.failure.message), found);
  const { RenewalStatus: renewal, RenewalStatusReason: reason } = RenewalSummary ?? {};
  const ends = NotAfter?.toISOString().slice(0, 10);
  const isLate = NotAfter !== undefined && NotAfter.getTime() - tableTime() < expiringMs;
  if (renewal === 'FAILED' || renewal === 'PENDING_VALIDATION' || isLate) {
    const why = reason ? ` (${reason})` : '';
    return rest(
      'EXPIRING',
      sentence(`the certificate ends on ${ends} and is not renewed${why}: the CNAME record of the certificate must be set`),
      found,
    );
  }
  return rest('ACTIVE', null, found);
}

/** Deletes a custom domain name that the service has made, after its mappings. */
async function removeName({ host }: GatewayName): Promise<Step> {
  const mappings = await mappingsOf(host);
  if (mappings.some(({ isRedirect }) => !isRedirect)) {
    return rest('FAILED', sentence('another API is mapped to the former custom domain name; the operator must remove that'));
  }
  for (const { id } of mappings) await deleteMapping(host, id);
  await deleteGatewayName(host);
  return go({ target: null });
}

/**
 * Removes what was made for a domain that is gone, or needs nothing of its own: its mapping, then its name, then its
 * certificates, because ACM doesn't delete certificates in use. Then the next domain of that name starts from the
 * beginning. If the stored certificate is not among ours, it is gone, or somebody has removed its tags: the policy
 * would deny its deletion in both cases.
 */
async function remove(certificate: Certificate, domain: Domain | undefined): Promise<Step> {
  const { host, attempt, certificateArn, domainId, workspaceId } = certificate;
  const name = await getGatewayName(host);
  if (name?.made) return removeName(name);
  const own = await ownCertificatesFor(host);
  if (attempt !== null && certificateArn === null && !own.some(({ made }) => made.attempt === attempt)) {
    // It may have been requested, and the list may be behind. The same token returns it, or requests it now.
    return go({ certificateArn: await requestCertificate(host, { domainId, attempt }), requestedAt: tableTime() });
  }
  if (certificateArn !== null && !own.some(({ arn }) => arn === certificateArn) && mayAppear(certificate)) {
    throw new Refused('AWS does not show the certificate of the former domain of this name yet.');
  }
  if (!(await deleteAll(own))) throw new Refused('AWS still uses the certificate of the former domain of this name.');
  // Without a workspace, if the operator's command found it only in AWS.
  if (workspaceId !== '') await givePlaceBack(workspaceId, host);
  if (!domain || !isManaged(domain)) return { kind: 'gone' };
  return go(newCertificate(host, domain.domainId, domain.workspaceId, tableTime()));
}

/** Why AWS refused a step, in words for the domain's owner. */
export function refusalOf(error: Error): string {
  if (error instanceof Refused) return error.message;
  switch (error.name) {
    case 'LimitExceededException':
      return "AWS's quota of certificates is used up; the operator can ask AWS for more.";
    case 'ThrottlingException':
    case 'TooManyRequestsException':
      return 'AWS allows no more requests at the moment; the service will retry.';
    case accessDenied:
      return denial(/ not authorized to perform: ([\w-]+:\w+)/.exec(error.message)?.[1] ?? 'the next step');
    default:
      return /Exception$/.test(error.name)
        ? `AWS refuses the next step (${error.name}); the operator finds the reason in the log.`
        : 'AWS did not answer; the service will retry.';
  }
}
