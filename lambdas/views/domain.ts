import { type AppLinks, type Claim, type Domain, domainDefaults, ownershipRecord, targetRecord } from '../domain/domain.ts';

/** A domain as lists show it. @param target the name that domains point at. */
export function domainView(domain: Domain | Claim, target: string) {
  const { host, status, token, createdAt, verifiedAt } = domain;
  // A claim has no settings yet.
  const { rootUrl, notFoundUrl, expiredUrl, publicQr, accentColor, logoUrl } =
    domain.status === 'PENDING_OWNERSHIP' ? domainDefaults : domain;
  return {
    domain: host,
    status,
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
  };
}

/** A domain as the API shows a single one. @param files its files for apps, as JSON. */
export const fullDomainView = (domain: Domain | Claim, target: string, files: AppLinks = noFiles) => ({
  ...domainView(domain, target),
  appleAppSiteAssociation: parsed(files.appleAppSiteAssociation),
  assetLinks: parsed(files.assetLinks),
});

const noFiles: AppLinks = { appleAppSiteAssociation: null, assetLinks: null };

const parsed = (json: string | null): unknown => (json === null ? null : JSON.parse(json));
