import { type Certificate, certificateStatuses, isPending } from '../../core/domain/certificate.ts';
import type { Claim, DnsRecord, Domain } from '../../core/domain/domain.ts';
import { newLeaseEnd, takeUnlessHeld } from '../schedules/leases.ts';
import { switchedSchedule } from '../schedules/switched-schedule.ts';
import type { Item } from '../table/client.ts';
import { tableTime } from '../table/clock.ts';
import { commit } from '../table/commit.ts';
import { is, isAbsent } from '../table/expressions.ts';
import { flag, map, maybeMap, maybeText, number, oneOf, text } from '../table/fields.ts';
import {
  certificateKey,
  certificateScheduleKey,
  certificatesIndex,
  domainChecksIndex,
  domainKey,
  indexed,
  type Key,
  pendingCertificateKey,
  pendingCertificates,
  pendingHost,
} from '../table/keys.ts';
import { getItem, getItems, query } from '../table/reads.ts';
import { deleting, putItem, putting } from '../table/writes.ts';
import { toDomain } from './domains.ts';

/**
 * What the service makes for domains in AWS: a certificate and a custom domain name. One function works on a host at a
 * time: it takes the item's lease, stores what it is about to do, does it, and stores the result. If it dies, the next
 * one finds what was begun. Only that function writes these items, so no visit and no endpoint waits for them.
 *
 * The item outlives its domain until what was made for it is gone.
 */

/** How long a lease lasts, in milliseconds: longer than the function that takes it may run. */
const leaseMs = 90_000;

/** A certificate that the caller may work on. */
export type Held = { readonly certificate: Certificate; readonly owner: string };

function toCertificate(item: Item): Certificate {
  const validation = maybeMap(item, 'validation');
  return {
    host: text(item, 'host'),
    domainId: text(item, 'domainId'),
    workspaceId: text(item, 'workspaceId'),
    attempt: maybeText(item, 'attempt') ?? null,
    attempts: number(item, 'attempts'),
    requestedAt: number(item, 'requestedAt'),
    certificateArn: maybeText(item, 'certificateArn') ?? null,
    isUntidy: flag(item, 'isUntidy'),
    validation: validation ? toRecord(map(item, 'validation')) : null,
    target: maybeText(item, 'target') ?? null,
    wasReached: flag(item, 'wasReached'),
    status: oneOf(item, 'status', certificateStatuses),
    detail: maybeText(item, 'detail') ?? null,
    since: number(item, 'since'),
    checkedAt: number(item, 'checkedAt'),
    notBefore: number(item, 'notBefore'),
    refusals: number(item, 'refusals'),
  };
}

const toRecord = (item: Item): DnsRecord => ({ type: 'CNAME', name: text(item, 'name'), value: text(item, 'value') });

const certificateItem = ({ certificate, owner }: Held, leaseUntil: number): Key & Item => ({
  ...certificateKey(certificate.host),
  ...indexed(certificatesIndex, certificate.host),
  ...certificate,
  owner,
  leaseUntil,
});

/** The certificate of a domain. One that was made for an earlier domain of that name is not shown. */
export async function getCertificate({ host, domainId }: Pick<Domain, 'host' | 'domainId'>): Promise<Certificate | undefined> {
  return certificateIn(await getItem(certificateKey(host)), domainId);
}

/** The certificates of domains, in order; undefined for claims. 100 domains per call. */
export async function certificatesOf(domains: readonly (Domain | Claim)[]): Promise<(Certificate | undefined)[]> {
  const items = await getItems(domains.flatMap((one) => (one.status === 'PENDING_OWNERSHIP' ? [] : [certificateKey(one.host)])));
  const byHost = new Map(items.flatMap((item) => (item ? [[text(item, 'host'), item]] : [])));
  return domains.map((one) =>
    one.status === 'PENDING_OWNERSHIP' ? undefined : certificateIn(byHost.get(one.host), one.domainId),
  );
}

const certificateIn = (item: Item | undefined, domainId: string): Certificate | undefined =>
  item?.domainId === domainId ? toCertificate(item) : undefined;

/**
 * Takes the lease of a host's certificate.
 *
 * @param begin the state to begin with if there is none; undefined to begin nothing.
 * @returns undefined if somebody else works on it, or if there is none.
 */
export async function takeCertificate(host: string, begin: Certificate | undefined): Promise<Held | undefined> {
  const item = await getItem(certificateKey(host));
  const certificate = item ? toCertificate(item) : begin;
  if (!certificate) return undefined;
  const unchanged = item ? is('owner', text(item, 'owner')) : isAbsent;
  const lease = await takeUnlessHeld(
    item ? number(item, 'leaseUntil') : 0,
    ({ owner, leaseUntil }) => putItem(certificateItem({ certificate, owner }, leaseUntil), unchanged),
    leaseMs,
  );
  return lease && { certificate, owner: lease.owner };
}

/**
 * Stores how far a certificate has come, and keeps the lease.
 *
 * @throws ConditionFailed if the lease has passed to somebody else
 */
export async function saveCertificate({ certificate, owner }: Held, changes: Partial<Certificate>): Promise<Held> {
  const held: Held = { certificate: { ...certificate, ...changes }, owner };
  await putItem(certificateItem(held, newLeaseEnd(leaseMs)), is('owner', owner));
  return held;
}

/**
 * Stores a certificate and gives the lease back. If something may happen soon, the certificate is pending from then on.
 *
 * @returns whether it is pending.
 * @throws ConditionFailed if the lease has passed to somebody else
 */
export async function releaseCertificate({ certificate, owner }: Held, changes: Partial<Certificate>): Promise<boolean> {
  const held: Held = { certificate: { ...certificate, ...changes }, owner };
  const pending = isPending(held.certificate, tableTime());
  const entry = pendingCertificateKey(certificate.host);
  const { failed } = await commit({
    certificate: putting(certificateItem(held, 0), is('owner', owner)),
    entry: pending ? putting({ ...entry, host: certificate.host }) : deleting(entry),
  });
  if (failed) throw failed;
  return pending;
}

/**
 * Deletes the item of a certificate of which nothing is left.
 *
 * @throws ConditionFailed if the lease has passed to somebody else
 */
export async function removeCertificate({ certificate: { host }, owner }: Held): Promise<void> {
  const { failed, items } = await commit({
    certificate: deleting(certificateKey(host), is('owner', owner)),
    entry: deleting(pendingCertificateKey(host)),
  });
  // Nobody else can have deleted it under this lease: an earlier attempt of this one did.
  if (failed && items.certificate?.owner !== undefined) throw failed;
}

/** The hosts whose certificates are pending. */
export const pendingHosts = async (): Promise<string[]> =>
  (await Array.fromAsync(query(pendingCertificates))).map((item) => pendingHost(text(item, 'sk')));

/** A certificate, and the current domain of that name. `isCut` says that a function died while it worked on it. */
export type Compared = {
  readonly host: string;
  readonly domain: Domain | undefined;
  readonly certificate: Certificate | undefined;
  readonly isCut: boolean;
};

/** All hosts that have a domain or a certificate. The index lags: a new one may be missing. */
export async function* allCertificates(): AsyncGenerator<Compared> {
  const hosts = new Set<string>();
  for (const gsi1pk of [certificatesIndex, domainChecksIndex]) {
    for await (const item of query({ gsi1pk })) hosts.add(text(item, 'gsi1sk'));
  }
  const list = [...hosts];
  const items = await getItems(list.flatMap((host) => [domainKey(host), certificateKey(host)]));
  for (const [index, host] of list.entries()) {
    const [domain, certificate] = [items[index * 2], items[index * 2 + 1]];
    if (!domain && !certificate) continue;
    yield {
      host,
      domain: domain && toDomain(domain),
      certificate: certificate && toCertificate(certificate),
      isCut: certificate !== undefined && number(certificate, 'leaseUntil') > 0,
    };
  }
}

/** The schedule of `manage-domains` runs while a certificate is pending. */
export const { ensureScheduled, endSchedule, keepScheduled } = switchedSchedule(
  certificateScheduleKey,
  async () => (await pendingHosts()).length > 0,
);
