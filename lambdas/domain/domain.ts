import { canonicalHost } from './host.ts';

/** How far a domain has come. In the first state it is claimed only, and is nobody's yet. */
export const domainStatuses = ['PENDING_OWNERSHIP', 'PENDING_DNS', 'ACTIVE'] as const;
export type DomainStatus = (typeof domainStatuses)[number];

/** A domain whose ownership is proven. */
export type Domain = {
  readonly host: string;
  /** Fresh for each proof of ownership. */
  readonly domainId: string;
  readonly workspaceId: string;
  readonly status: Exclude<DomainStatus, 'PENDING_OWNERSHIP'>;
  readonly createdAt: string;
  /** When its ownership was proven. */
  readonly verifiedAt: string;
  /** What its TXT record says; null where the operator's word was the proof. */
  readonly token: string | null;
  /** A deletion that has begun and is not done. */
  readonly deletion?: DomainDeletion;
};

/** How far the links of a domain's workspace were looked through, newest first, for one that is on the domain. None can be made on it meanwhile. */
export type DomainDeletion = {
  readonly id: string;
  /** The position in the list at which the last look ended; the first has yet to begin where it is absent. */
  readonly before?: string;
};

/** A domain that a workspace says is its own. It keeps the domain from nobody. */
export type Claim = {
  readonly host: string;
  readonly status: 'PENDING_OWNERSHIP';
  readonly createdAt: string;
  readonly verifiedAt: null;
  readonly token: string;
};

/** For how long a claim waits to be proven, in milliseconds. */
export const claimedMs = 7 * 24 * 60 * 60 * 1_000;

/** Until when a claim made then is good, in milliseconds of Unix time. */
export const claimEnds = ({ createdAt }: Pick<Claim, 'createdAt'>): number => Date.parse(createdAt) + claimedMs;

/** A record that a domain's owner has to set in the DNS. */
export type DnsRecord = { readonly type: 'TXT' | 'CNAME'; readonly name: string; readonly value: string };

/** What proves the ownership. An own name, so that it stands beside a CNAME (RFC 1034, section 3.6.2). */
export const ownershipRecord = (host: string, token: string): DnsRecord => ({
  type: 'TXT',
  name: `_links.${host}`,
  value: `links-verification=${token}`,
});

/** What leads visitors here. At the top of a zone, where there can be no CNAME, an alias or the target's addresses do as well. */
export const targetRecord = (host: string, target: string): DnsRecord => ({ type: 'CNAME', name: host, value: target });

/** What was looked up in the DNS: the values that are there, or that the DNS did not answer, and how it put that. */
export type Seen = { readonly values: readonly string[] } | { readonly failure: string };

/** Why a check did not hold; undefined where it did. */
export type CheckFailure = { readonly code: string; readonly message: string } | undefined;

/**
 * Whether the records that were seen prove the ownership: the TXT record is there, and at the name itself. A CNAME, as a wildcard makes one
 * for every name, would let whoever sets the records of its target prove the domain.
 */
export function checkOwnership({ name, value }: DnsRecord, alias: Seen, texts: Seen): CheckFailure {
  const because = (message: string) => ({ code: 'ownership_not_proven', message });
  if ('values' in alias && alias.values.length > 0) {
    return because(`the name ${name} must have the TXT record "${value}" itself, not a CNAME; ${describe(alias)}`);
  }
  const isThere = 'values' in texts && texts.values.includes(value);
  if (isThere && 'values' in alias) return undefined;
  return because(`the TXT record ${name} must be "${value}"; ${describe(isThere ? alias : texts)}`);
}

/** Whether the domain leads here: its CNAME names the target, or it has addresses and all of them are the target's. */
export function checkTarget({ name, value }: DnsRecord, cname: Seen, addresses: Seen, ofTarget: Seen): CheckFailure {
  const isNamed = 'values' in cname && cname.values.some((one) => canonicalHost(one.toLowerCase()) === value);
  if (isNamed) return undefined;
  if ('values' in addresses && 'values' in ofTarget && addresses.values.length > 0) {
    if (addresses.values.every((address) => ofTarget.values.includes(address))) return undefined;
  }
  const seen = 'values' in cname && cname.values.length === 0 ? addresses : cname;
  return { code: 'dns_not_pointed', message: `the CNAME record ${name} must be ${value}; ${describe(seen)}` };
}

const mostShown = 3;
const longestShown = 100;

/** What was seen, in words. What others have put into the DNS is cut short, and kept from commanding a terminal. */
function describe(seen: Seen): string {
  if ('failure' in seen) return `the DNS did not answer (${seen.failure})`;
  if (seen.values.length === 0) return 'there is no such record';
  const shown = seen.values.slice(0, mostShown).map((value) => {
    const printable = value.toWellFormed().replace(/[^\x20-\x7e]/g, '?');
    return `"${printable.slice(0, longestShown)}${printable.length > longestShown ? '…' : ''}"`;
  });
  const more = seen.values.length - shown.length;
  return `found ${shown.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
}
