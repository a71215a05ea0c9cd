import { type Claim, type Domain, ownershipRecord, targetRecord } from '../domain/domain.ts';

/** A domain as the API answers with it: exactly these keys. @param target what domains are to point at. */
export const domainView = ({ host, status, token, createdAt, verifiedAt }: Domain | Claim, target: string) => ({
  domain: host,
  status,
  records: [
    ...(token === null ? [] : [ownershipRecord(host, token)]),
    // The target itself leads here by a record of the operator's.
    ...(host === target ? [] : [targetRecord(host, target)]),
  ],
  createdAt,
  verifiedAt,
});
