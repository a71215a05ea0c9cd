import { type AppLinks, type CheckedDomain, domainDefaults, ownershipRecord, targetRecord } from '../core/domain/domain.ts';
import { isServed } from '../core/domain/served-names.ts';

/** What a view shows of the stage: the name that domains point at, and the names under which the redirect answers. */
type Served = { readonly target: string; readonly served: readonly string[] };

/** A domain as lists show it. */
export function domainView(domain: CheckedDomain, { target, served }: Served) {
  const { host, status, token, createdAt, verifiedAt, lastCheck } = domain;
  // A claim has no settings yet.
  const { rootUrl, notFoundUrl, expiredUrl, publicQr, accentColor, logoUrl } =
    domain.status === 'PENDING_OWNERSHIP' ? domainDefaults : domain;
  return {
    domain: host,
    status,
    covered: isServed(host, served),
    records: [
      ...(token === null ? [] : [ownershipRecord(host, token)]),
      // The target itself already has a record, which the operator set.
      ...(host === target ? [] : [targetRecord(host, target)]),
    ],
    rootUrl,
    notFoundUrl,
    expiredUrl,
    publicQr,
    accentColor,
    logoUrl,
    createdAt,
    verifiedAt,
    lastCheck,
  };
}

/** A domain as the API shows a single one. @param files its files for apps, as JSON. */
export const fullDomainView = (domain: CheckedDomain, stage: Served, files: AppLinks = noFiles) => ({
  ...domainView(domain, stage),
  appleAppSiteAssociation: parsed(files.appleAppSiteAssociation),
  assetLinks: parsed(files.assetLinks),
});

const noFiles: AppLinks = { appleAppSiteAssociation: null, assetLinks: null };

const parsed = (json: string | null): unknown => (json === null ? null : JSON.parse(json));
