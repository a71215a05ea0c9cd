import {
  type Certificate,
  type ShownCertificate,
  shownCertificate,
  unbegunCertificate,
  unownedCertificate,
} from '../core/domain/certificate.ts';
import { type AppLinks, type CheckedDomain, domainDefaults, ownershipRecord, targetRecord } from '../core/domain/domain.ts';
import { isServed } from '../core/domain/served-names.ts';

/**
 * What a view shows of the stage: the name that domains point to, the names that the redirect serves, and whether the
 * service makes certificates and names for other domains.
 */
export type Served = { readonly target: string; readonly served: readonly string[]; readonly isManaging: boolean };

/** A domain as lists show it. @param certificate its managed certificate, finished or not */
export function domainView(domain: CheckedDomain, { target, served, isManaging }: Served, certificate?: Certificate) {
  const { host, status, token, createdAt, verifiedAt, lastCheck } = domain;
  // A claim has no settings yet.
  const { rootUrl, notFoundUrl, expiredUrl, publicQr, allowIndexing, accentColor, logoUrl } =
    domain.status === 'PENDING_OWNERSHIP' ? domainDefaults : domain;
  const isCovered = isServed(host, served);
  const isManaged = isManaging && (certificate !== undefined || !isCovered);
  return {
    domain: host,
    status,
    covered: isCovered || (certificate?.target ?? null) !== null,
    records: [
      ...(token === null ? [] : [ownershipRecord(host, token)]),
      // A managed domain has a target of its own. The target itself already has a record, which the operator set.
      ...(isManaged || host === target ? [] : [targetRecord(host, target)]),
    ],
    certificate: isManaged ? certificateOf(domain, certificate) : null,
    rootUrl,
    notFoundUrl,
    expiredUrl,
    publicQr,
    allowIndexing,
    accentColor,
    logoUrl,
    createdAt,
    verifiedAt,
    lastCheck,
  };
}

function certificateOf({ status }: CheckedDomain, certificate: Certificate | undefined): ShownCertificate {
  if (status === 'PENDING_OWNERSHIP') return unownedCertificate;
  return certificate ? shownCertificate(certificate) : unbegunCertificate;
}

/** What the API shows in addition to the domain itself. @property files for apps, as JSON */
type Beside = { readonly files?: AppLinks; readonly certificate?: Certificate | undefined };

/** A domain as responses about a single domain show it. */
export const fullDomainView = (domain: CheckedDomain, stage: Served, { files = noFiles, certificate }: Beside = {}) => ({
  ...domainView(domain, stage, certificate),
  appleAppSiteAssociation: parsed(files.appleAppSiteAssociation),
  assetLinks: parsed(files.assetLinks),
});

const noFiles: AppLinks = { appleAppSiteAssociation: null, assetLinks: null };

const parsed = (json: string | null): unknown => (json === null ? null : JSON.parse(json));
