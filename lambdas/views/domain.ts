import { type Claim, type Domain, ownershipRecord, targetRecord } from '../domain/domain.ts';

/** A domain as the API returns it. @param target the name that domains point at. */
export const domainView = ({ host, status, token, createdAt, verifiedAt }: Domain | Claim, target: string) => ({
  domain: host,
  status,
  records: [
    ...(token === null ? [] : [ownershipRecord(host, token)]),
    // The target itself already has a record, which the operator set.
    ...(host === target ? [] : [targetRecord(host, target)]),
  ],
  createdAt,
  verifiedAt,
});
