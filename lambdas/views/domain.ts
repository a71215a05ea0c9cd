import { type Claim, type Domain, domainDefaults, ownershipRecord, targetRecord } from '../domain/domain.ts';

/** A domain as the API returns it. @param target the name that domains point at. */
export function domainView(domain: Domain | Claim, target: string) {
  const { host, status, token, createdAt, verifiedAt } = domain;
  // A claim has no settings yet.
  const { rootUrl, notFoundUrl, expiredUrl, publicQr } = domain.status === 'PENDING_OWNERSHIP' ? domainDefaults : domain;
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
    createdAt,
    verifiedAt,
  };
}
